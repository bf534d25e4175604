//! Countries by their ISO 3166-1 alpha-2 codes.

use std::str::FromStr;

use thiserror::Error;

/// A country.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Country([u8; 2]);

/// Not a code of ISO 3166-1.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("expected an ISO 3166-1 alpha-2 country code such as ES")]
pub struct UnknownCountry;

impl Country {
    /// Spain.
    pub const SPAIN: Self = Self(*b"ES");

    /// The two letters.
    #[must_use]
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.0).expect("a country code is two ASCII letters")
    }
}

impl FromStr for Country {
    type Err = UnknownCountry;

    fn from_str(text: &str) -> Result<Self, UnknownCountry> {
        let code: [u8; 2] = text.as_bytes().try_into().map_err(|_| UnknownCountry)?;
        CODES.split(' ').any(|known| known.as_bytes() == code).then_some(Self(code)).ok_or(UnknownCountry)
    }
}

/// The 249 officially assigned codes of ISO 3166-1 alpha-2.
const CODES: &str = "\
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE \
    BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD \
    CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM \
    DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF \
    GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU \
    ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN \
    KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME \
    MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA \
    NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM \
    PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI \
    SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK \
    TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI \
    VN VU WF WS YE YT ZA ZM ZW";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_holds_the_249_assigned_codes_in_order() {
        let codes: Vec<&str> = CODES.split(' ').collect();
        assert_eq!(codes.len(), 249);
        assert!(codes.is_sorted_by(|left, right| left < right));
    }

    #[test]
    fn a_code_is_two_capital_letters_that_iso_assigned() {
        assert_eq!("ES".parse(), Ok(Country::SPAIN));
        for text in ["", "E", "es", "UK", "EU", "XX", "ESP", " E", "ñ"] {
            assert_eq!(text.parse::<Country>(), Err(UnknownCountry), "{text}");
        }
    }
}
