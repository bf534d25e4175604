//! Tax identifiers (specification, domain part 19.1).

use svc_core::pii::{Mask, mask};
use thiserror::Error;

use crate::party::{Country, vat};

/// What kind of identifier a tax id is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TaxIdKind {
    /// `nif`: Spanish, of a person or an entity.
    Nif,
    /// `nie`: Spanish, of a foreigner.
    Nie,
    /// `vat_eu`: intra-community VAT number.
    VatEu,
    /// `passport`
    Passport,
    /// `foreign_id`
    ForeignId,
    /// `none`
    None,
}

/// A tax id in normal form: upper case, without separators.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TaxId(String);

/// Not a tax id of its kind.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("not a valid tax id of this kind")]
pub struct InvalidTaxId;

svc_core::wire_names!(TaxIdKind {
    Nif = "nif",
    Nie = "nie",
    VatEu = "vat_eu",
    Passport = "passport",
    ForeignId = "foreign_id",
    None = "none",
});

impl TaxId {
    /// Normalises a text, and checks it by the rules of its kind.
    ///
    /// # Errors
    /// [`InvalidTaxId`].
    pub fn parse(text: &str, kind: TaxIdKind) -> Result<Self, InvalidTaxId> {
        let normal = compact(text);
        let spanish = || {
            let spanish = spanish_form(&normal);
            check_spanish(&spanish).then_some((is_nie(&spanish), spanish))
        };
        match kind {
            TaxIdKind::Nif => spanish().and_then(|(nie, id)| (!nie).then_some(id)),
            TaxIdKind::Nie => spanish().and_then(|(nie, id)| nie.then_some(id)),
            TaxIdKind::VatEu => vat::matches(&normal).then_some(normal),
            TaxIdKind::Passport | TaxIdKind::ForeignId => foreign(&normal).then_some(normal),
            TaxIdKind::None => None,
        }
        .map(Self)
        .ok_or(InvalidTaxId)
    }

    /// Finds the kind of a text, and checks it by the rules of that kind.
    ///
    /// What passes the Spanish check is a `nie` or a `nif`; what has the form of
    /// another member state's VAT number is `vat_eu`; of the rest, what is
    /// Spanish by `country` is wrong, and anything else is a `foreign_id`.
    ///
    /// # Errors
    /// [`InvalidTaxId`].
    pub fn guess(text: &str, country: Country) -> Result<(Self, TaxIdKind), InvalidTaxId> {
        let kinds: &[TaxIdKind] = if country == Country::SPAIN {
            &[TaxIdKind::Nif, TaxIdKind::Nie, TaxIdKind::VatEu]
        } else {
            &[TaxIdKind::Nif, TaxIdKind::Nie, TaxIdKind::VatEu, TaxIdKind::ForeignId]
        };
        kinds.iter().find_map(|kind| Self::parse(text, *kind).ok().map(|id| (id, *kind))).ok_or(InvalidTaxId)
    }

    /// Wraps a stored value.
    #[must_use]
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The normal form.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Mask for TaxId {
    type View = String;

    fn masked(&self) -> Option<String> {
        Some(mask(&self.0, 1, 2))
    }

    fn full(&self) -> String {
        self.0.clone()
    }
}

/// Whether a text in normal form is a Spanish DNI, NIE or entity NIF with the right check character.
#[must_use]
pub fn check_spanish(normal: &str) -> bool {
    let Ok([first, body @ .., last]) = <&[u8; 9]>::try_from(normal.as_bytes()) else {
        return false;
    };
    let Some(number) = decimal(body) else {
        return false;
    };
    match first {
        b'0'..=b'9' => {
            let number = u32::from(first - b'0') * 10_000_000 + number;
            number != 0 && dni_letter(number) == Some(*last)
        }
        b'X'..=b'Z' => dni_letter(u32::from(first - b'X') * 10_000_000 + number) == Some(*last),
        // Persons without a DNI. Many forms write the check of an entity.
        b'K' | b'L' | b'M' => dni_letter(number) == Some(*last) || check_entity(*first, body, *last),
        _ => check_entity(*first, body, *last),
    }
}

/// The check of an entity's NIF, and of the K, L and M ones of persons without a DNI.
fn check_entity(kind: u8, body: &[u8], check: u8) -> bool {
    let sum: u32 = body
        .iter()
        .enumerate()
        .map(|(at, digit)| {
            let digit = u32::from(digit - b'0');
            // Positions count from 1, so the first, third, … are doubled.
            if at % 2 == 0 { digit * 2 / 10 + digit * 2 % 10 } else { digit }
        })
        .sum();
    let control = (10 - sum % 10) % 10;
    let digit = u8::try_from(control).ok().map(|control| b'0' + control) == Some(check);
    let letter = usize::try_from(control).ok().and_then(|at| b"JABCDEFGHI".get(at)) == Some(&check);
    match kind {
        b'A' | b'B' | b'E' | b'H' if !body.starts_with(b"00") => digit,
        b'N' | b'P' | b'Q' | b'R' | b'S' | b'W' | b'A' | b'B' | b'E' | b'H' => letter,
        b'C' | b'D' | b'F' | b'G' | b'J' | b'U' | b'V' if body.starts_with(b"00") => letter,
        b'C' | b'D' | b'F' | b'G' | b'J' | b'U' | b'V' | b'K' | b'L' | b'M' => digit || letter,
        _ => false,
    }
}

fn dni_letter(number: u32) -> Option<u8> {
    let at = usize::try_from(number % 23).ok()?;
    b"TRWAGMYFPDXBNJZSQVHLCKE".get(at).copied()
}

fn decimal(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0_u32, |number, digit| {
        digit.is_ascii_digit().then(|| number * 10 + u32::from(digit - b'0'))
    })
}

fn compact(text: &str) -> String {
    text.chars()
        .filter(|letter| !letter.is_whitespace() && !matches!(letter, '-' | '.'))
        .flat_map(char::to_uppercase)
        .collect()
}

/// Without the country prefix, and with the leading zeros that people leave out.
fn spanish_form(compact: &str) -> String {
    let bare = compact.strip_prefix("ES").unwrap_or(compact);
    if bare.starts_with(|first: char| first.is_ascii_digit()) {
        format!("{bare:0>9}")
    } else {
        bare.to_owned()
    }
}

fn is_nie(normal: &str) -> bool {
    normal.starts_with(['X', 'Y', 'Z'])
}

/// Identifiers of other countries have no common rule but a sane length.
fn foreign(normal: &str) -> bool {
    (1..=40).contains(&normal.chars().count())
        && normal.chars().all(|letter| !letter.is_control() && letter != '*')
}
