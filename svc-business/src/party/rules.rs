//! Rules that many members of an input share.

use std::fmt::Display;
use std::str::FromStr;

use svc_core::error::Validator;
use svc_core::patch::Patch;
use svc_core::pii::{Pii, PiiAccess};

use crate::party::{Address, AddressInput, Country, Extension, ExtensionInput};

/// A text of one line without spaces around it, 1 to `max` characters.
pub(crate) fn line(validator: &mut Validator, field: &str, text: &str, max: usize) -> Option<String> {
    let text = text.trim();
    let holds = validator.require(!text.is_empty(), field, "required", "must not be blank")
        && validator.require(
            text.chars().count() <= max,
            field,
            "too_long",
            format!("must have at most {max} characters"),
        )
        && validator.require(
            !text.chars().any(char::is_control),
            field,
            "invalid_characters",
            "must not contain control characters",
        );
    holds.then(|| text.to_owned())
}

/// A patch of a member that may be missing and is a [`line`] otherwise.
pub(crate) fn optional_line(
    validator: &mut Validator,
    field: &str,
    patch: Patch<String>,
    current: &mut Option<String>,
    max: usize,
) {
    match patch {
        Patch::Absent => {}
        Patch::Null => *current = None,
        Patch::Value(text) => {
            if let Some(text) = line(validator, field, &text, max) {
                *current = Some(text);
            }
        }
    }
}

/// A patch of a member that may be missing and has a syntax of its own.
pub(crate) fn parsed<T, U>(
    validator: &mut Validator,
    field: &str,
    code: &'static str,
    patch: &Patch<String>,
    current: &mut Option<T>,
    wrap: impl FnOnce(U) -> T,
) where
    U: FromStr<Err: Display>,
{
    match patch {
        Patch::Absent => {}
        Patch::Null => *current = None,
        Patch::Value(text) => {
            if let Some(value) = validator.take(field, code, text.parse()) {
                *current = Some(wrap(value));
            }
        }
    }
}

/// Refuses the masked form of a tax id, bank account or phone: writing it back
/// would destroy what it hides. Answers whether it was refused.
pub(crate) fn masked_text(validator: &mut Validator, field: &str, patch: &Patch<String>) -> bool {
    let masked = matches!(patch, Patch::Value(text) if text.contains('*'));
    if masked {
        validator.fail(
            field,
            "masked_value_rejected",
            "a masked value cannot be written back: leave the member out",
        );
    }
    masked
}

/// Refuses `null` from a caller who was shown `null` in place of the value: a
/// read-modify-write loop must not destroy data. Answers whether it was refused.
pub(crate) fn masked_null<T>(
    validator: &mut Validator,
    field: &str,
    patch: &Patch<T>,
    access: PiiAccess,
) -> bool {
    let masked = matches!(patch, Patch::Null) && !access.is_full();
    if masked {
        validator.fail(
            field,
            "masked_value_rejected",
            "null cannot be told from the masked value: only a caller who sees personal data may clear it",
        );
    }
    masked
}

/// The same for an address: neither it nor a member of it may be cleared by a
/// caller who was shown `null` in place of the whole. Answers whether it was refused.
pub(crate) fn masked_address(
    validator: &mut Validator,
    field: &str,
    patch: &Patch<AddressInput>,
    access: PiiAccess,
) -> bool {
    let Patch::Value(input) = patch else { return masked_null(validator, field, patch, access) };
    let members = [
        ("line1", &input.line1),
        ("line2", &input.line2),
        ("postalCode", &input.postal_code),
        ("city", &input.city),
        ("province", &input.province),
        ("country", &input.country),
    ];
    members.into_iter().fold(false, |refused, (name, member)| {
        masked_null(validator, &format!("{field}.{name}"), member, access) || refused
    })
}

/// A patch of an address that may be missing.
pub(crate) fn address(
    validator: &mut Validator,
    field: &str,
    patch: Patch<AddressInput>,
    current: &mut Option<Pii<Address>>,
    default_country: Country,
) {
    match patch {
        Patch::Absent => {}
        Patch::Null => *current = None,
        Patch::Value(input) => match input.over(current.as_ref().map(value), default_country) {
            Ok(address) => *current = Some(Pii::new(address)),
            Err(invalid) => validator.nest(field, invalid),
        },
    }
}

/// A patch of `externalId` and `metadata`, which stand at the root of a resource.
pub(crate) fn extension(validator: &mut Validator, patch: ExtensionInput, current: &mut Extension) {
    match patch.over(current) {
        Ok(extension) => *current = extension,
        Err(invalid) => {
            for error in invalid.0 {
                validator.fail(error.field, error.code, error.message);
            }
        }
    }
}

/// Personal data for a rule of this crate; it never leaves the crate this way.
#[expect(clippy::disallowed_methods, reason = "rules compare and check the values themselves")]
pub(crate) const fn value<T>(personal: &Pii<T>) -> &T {
    personal.expose()
}

/// The form of a text by which it is searched, sorted and compared: lower case,
/// with single spaces. Stores keep it beside the text so that all of them answer alike.
pub(crate) fn search_key(text: &str) -> String {
    text.split_whitespace()
        .map(|word| word.chars().flat_map(char::to_lowercase).collect::<String>())
        .collect::<Vec<_>>()
        .join(" ")
}
