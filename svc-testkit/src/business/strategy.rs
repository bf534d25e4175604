//! Proptest strategies for valid input.

use proptest::prelude::*;
use svc_business::contact::{ContactInput, Kind};
use svc_business::party::{AddressInput, TaxIdKind};
use svc_core::patch::Patch;

const DNI_LETTERS: &[u8; 23] = b"TRWAGMYFPDXBNJZSQVHLCKE";

/// A valid DNI in normal form.
pub fn dni() -> impl Strategy<Value = String> {
    (1_u32..100_000_000).prop_map(|number| format!("{number:08}{}", dni_letter(number)))
}

/// A valid NIE in normal form.
pub fn nie() -> impl Strategy<Value = String> {
    (0_u32..3, 0_u32..10_000_000).prop_map(|(prefix, number)| {
        let first = ['X', 'Y', 'Z'].into_iter().zip(0..).find(|(_, value)| *value == prefix);
        let first = first.map_or('X', |(letter, _)| letter);
        format!("{first}{number:07}{}", dni_letter(prefix * 10_000_000 + number))
    })
}

/// A valid NIF of an entity in normal form.
pub fn entity_nif() -> impl Strategy<Value = String> {
    let kind = prop::sample::select("ABCDEFGHJNPQRSUVW".chars().collect::<Vec<_>>());
    (kind, 0_u32..10_000_000, any::<bool>()).prop_map(|(kind, number, letter)| {
        let digits = format!("{number:07}");
        let sum: u32 = (1..)
            .zip(digits.chars().filter_map(|digit| digit.to_digit(10)))
            .map(|(place, digit)| match (place % 2, digit * 2) {
                (0, _) => digit,
                (_, doubled) if doubled > 9 => doubled - 9,
                (_, doubled) => doubled,
            })
            .sum();
        let control = (10 - sum % 10) % 10;
        let only_letter = "NPQRSW".contains(kind) || digits.starts_with("00");
        let only_digit = "ABEH".contains(kind) && !only_letter;
        let check = if only_letter || (letter && !only_digit) {
            "JABCDEFGHI".chars().zip(0..).find(|(_, value)| *value == control).map_or('J', |(name, _)| name)
        } else {
            char::from_digit(control, 10).unwrap_or('0')
        };
        format!("{kind}{digits}{check}")
    })
}

/// Any valid Spanish tax id with its kind.
pub fn spanish_tax_id() -> impl Strategy<Value = (String, TaxIdKind)> {
    prop_oneof![
        dni().prop_map(|id| (id, TaxIdKind::Nif)),
        entity_nif().prop_map(|id| (id, TaxIdKind::Nif)),
        nie().prop_map(|id| (id, TaxIdKind::Nie)),
    ]
}

/// A valid IBAN of a country whose account numbers are all digits, without spaces.
pub fn iban() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-9]{20}".prop_map(|number| with_check("ES", &number)),
        "[0-9]{18}".prop_map(|number| with_check("DE", &number)),
        "[0-9]{21}".prop_map(|number| with_check("PT", &number)),
    ]
}

/// A valid E.164 number.
pub fn phone() -> impl Strategy<Value = String> {
    "\\+[1-9][0-9]{7,14}"
}

/// A name of letters, with a few from beyond ASCII.
pub fn name() -> impl Strategy<Value = String> {
    "[A-ZÑÉa-zñé]{1,12}( [A-ZÑÉa-zñé]{1,12}){0,2}"
}

/// Members that every contact may have; combine with [`person`] or [`organization`].
fn members() -> impl Strategy<Value = ContactInput> {
    let tags = prop::collection::btree_set("[a-z]{1,10}", 0..4);
    (
        maybe(spanish_tax_id().prop_map(|(id, _)| id)),
        maybe("[a-z]{1,8}@[a-z]{1,8}\\.example"),
        maybe(phone()),
        maybe(phone()),
        maybe(iban()),
        maybe(
            "[A-Z][a-z]{9} [0-9]{3}"
                .prop_map(|line1| AddressInput { line1: Patch::Value(line1), ..AddressInput::default() }),
        ),
        tags,
        0_i64..=365,
    )
        .prop_map(|(tax_id, email, phone, mobile, iban, address, tags, days)| ContactInput {
            tax_id,
            email,
            phone,
            mobile,
            iban,
            address,
            tags: Patch::Value(tags.into_iter().collect()),
            payment_term_days: Patch::Value(days),
            allow_duplicate: true,
            ..ContactInput::default()
        })
}

/// The input of a valid person.
pub fn person() -> impl Strategy<Value = ContactInput> {
    (members(), name(), name(), maybe("19[0-9]{2}-0[1-9]-[12][0-8]")).prop_map(
        |(input, given, family, born)| ContactInput {
            kind: Patch::Value(Kind::Person),
            given_name: Patch::Value(given),
            family_name: Patch::Value(family),
            date_of_birth: born,
            ..input
        },
    )
}

/// The input of a valid organisation.
pub fn organization() -> impl Strategy<Value = ContactInput> {
    (members(), name()).prop_map(|(input, name)| ContactInput {
        kind: Patch::Value(Kind::Organization),
        legal_name: Patch::Value(name),
        ..input
    })
}

/// The input of a valid contact.
pub fn contact() -> impl Strategy<Value = ContactInput> {
    prop_oneof![person(), organization()]
}

fn maybe<T: std::fmt::Debug + Clone>(value: impl Strategy<Value = T>) -> impl Strategy<Value = Patch<T>> {
    prop::option::of(value).prop_map(|value| value.map_or(Patch::Absent, Patch::Value))
}

fn dni_letter(number: u32) -> char {
    DNI_LETTERS.iter().zip(0..).find(|(_, place)| *place == number % 23).map_or('T', |(l, _)| char::from(*l))
}

/// Prepends the country and the check digits of ISO 7064 MOD 97-10.
fn with_check(country: &str, number: &str) -> String {
    let rest = number.chars().chain(country.chars()).chain("00".chars()).fold(0_u32, |rest, letter| {
        let value = letter.to_digit(36).unwrap_or(0);
        (if value > 9 { rest * 100 } else { rest * 10 } + value) % 97
    });
    format!("{country}{:02}{number}", 98 - rest)
}
