//! Values that look alike where they are masked; the first of each is the one that the contact has.

use std::fmt::Write as _;

/// Members of a contact that are masked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Member {
    TaxId,
    Phone,
    Iban,
    BirthDate,
    Address,
}

impl Member {
    pub(super) const ALL: [Self; 5] = [Self::TaxId, Self::Phone, Self::Iban, Self::BirthDate, Self::Address];

    /// In words.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::TaxId => "tax id",
            Self::Phone => "phone",
            Self::Iban => "IBAN",
            Self::BirthDate => "birth date",
            Self::Address => "address",
        }
    }

    /// The member as JSON, with the candidate of this number.
    pub(super) fn json(self, number: u32) -> String {
        let value = self.value(number);
        match self {
            Self::TaxId => format!(r#""taxId":"{value}""#),
            Self::Phone => format!(r#""phone":"{value}""#),
            Self::Iban => format!(r#""iban":"{value}""#),
            Self::BirthDate => format!(r#""dateOfBirth":"{value}""#),
            Self::Address => {
                format!(
                    r#""address":{{"line1":"{value}","postalCode":"28001","city":"Madrid","country":"ES"}}"#
                )
            }
        }
    }

    /// The candidate of this number, as one searches for it.
    pub(super) fn value(self, number: u32) -> String {
        match self {
            // Steps of 23 have one control letter.
            Self::TaxId => format!("{:08}Z", 12_345_678 + 23 * number),
            Self::Phone => format!("+34600{:04}56", 1_234 + number),
            Self::Iban => german_iban(370_400_440_000_000_000 + u64::from(number) * 1_000),
            Self::BirthDate => format!("19{:02}-01-31", 50 + number % 50),
            Self::Address => format!("Mayor {}", 1 + number),
        }
    }
}

/// ISO 13616: the check digits make the account, moved in front of them, 1 modulo 97.
fn german_iban(account: u64) -> String {
    let moved = u128::from(account) * 1_000_000 + 131_400;
    let mut iban = String::new();
    write!(iban, "DE{:02}{account:018}", 98 - moved % 97).expect("a String takes everything");
    iban
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_digits_are_those_of_the_standard() {
        assert_eq!(german_iban(370_400_440_532_013_000), "DE89370400440532013000");
    }
}
