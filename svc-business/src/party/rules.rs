//! Rules that many members of an input share.

use std::fmt::Display;
use std::str::FromStr;

use svc_core::error::Validator;
use svc_core::id::IdError;
use svc_core::patch::Patch;
use svc_core::pii::{Pii, PiiAccess};
use svc_core::text::is_hidden;
use time::Date;
use time::macros::format_description;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use crate::party::{Address, AddressInput, Country, Extension, ExtensionInput, TaxId};

/// Tags of one record.
pub(crate) const MOST_TAGS: usize = 50;

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
            !text.chars().any(is_hidden),
            field,
            "invalid_characters",
            "must not contain control characters, marks of direction or characters without width",
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

/// A text of several lines, 1 to 10,000 characters; `None` for one that breaks a rule.
pub(crate) fn paragraph(validator: &mut Validator, field: &str, text: &str) -> Option<String> {
    let control = |letter: char| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t');
    let holds = validator.require(!text.trim().is_empty(), field, "required", "must not be blank")
        && within_limits(validator, field, text, control);
    holds.then(|| text.to_owned())
}

/// A patch of a text of several lines that may be missing; an empty one clears it.
pub(crate) fn paragraphs(
    validator: &mut Validator,
    field: &str,
    patch: Patch<String>,
    current: &mut Option<String>,
) {
    let control = |letter: char| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t');
    match patch {
        Patch::Absent => {}
        Patch::Null => *current = None,
        Patch::Value(text) => {
            if within_limits(validator, field, &text, control) {
                *current = Some(text).filter(|text| !text.is_empty());
            }
        }
    }
}

fn within_limits(validator: &mut Validator, field: &str, text: &str, control: impl Fn(char) -> bool) -> bool {
    validator.require(text.chars().count() <= 10_000, field, "too_long", "must have at most 10000 characters")
        && validator.require(
            !text.chars().any(control),
            field,
            "invalid_characters",
            "must not contain control characters",
        )
}

/// A patch of free labels: at most 50, each a line of at most 50 characters, no two alike.
pub(crate) fn tags(
    validator: &mut Validator,
    field: &str,
    patch: Patch<Vec<String>>,
    current: &mut Vec<String>,
) {
    let given = match patch {
        Patch::Absent => return,
        Patch::Null => Vec::new(),
        Patch::Value(tags) => tags,
    };
    validator.require(given.len() <= MOST_TAGS, field, "too_many", "must have at most 50 tags");
    let mut tags = Vec::new();
    for (at, text) in given.iter().enumerate().take(MOST_TAGS) {
        let field = format!("{field}[{at}]");
        if let Some(tag) = line(validator, &field, text, 50)
            && validator.require(!tags.contains(&tag), &field, "duplicate", "the same tag is there twice")
        {
            tags.push(tag);
        }
    }
    *current = tags;
}

/// Links with other records as a client names them, each once; `what` is what one is called.
pub(crate) fn distinct_links<T, L: PartialEq>(
    validator: &mut Validator,
    given: &[T],
    what: &str,
    read: impl Fn(&T) -> Result<L, IdError>,
) -> Vec<L> {
    let mut links = Vec::new();
    for (at, one) in given.iter().enumerate() {
        let field = format!("links[{at}].id");
        let message = format!("the same {what} is there twice");
        if let Some(link) = validator.take(&field, "invalid_id", read(one))
            && validator.require(!links.contains(&link), &field, "duplicate", message)
        {
            links.push(link);
        }
    }
    links
}

/// A date of the form `YYYY-MM-DD`.
pub(crate) fn calendar_date(validator: &mut Validator, field: &str, text: &str) -> Option<Date> {
    let format = format_description!("[year]-[month]-[day]");
    // The parser would also take a sign before the year.
    let plain = text.len() == 10 && !text.starts_with(['+', '-']);
    let date = plain.then(|| Date::parse(text, format).ok()).flatten();
    if date.is_none() {
        validator.fail(field, "invalid_date", "expected a date of the form YYYY-MM-DD");
    }
    date
}

/// A patch of a date that may be missing.
pub(crate) fn date(
    validator: &mut Validator,
    field: &str,
    patch: &Patch<String>,
    current: &mut Option<Date>,
) {
    match patch {
        Patch::Absent => {}
        Patch::Null => *current = None,
        Patch::Value(text) => {
            if let Some(date) = calendar_date(validator, field, text) {
                *current = Some(date);
            }
        }
    }
}

/// A patch of a member that is never missing.
pub(crate) fn kept<T>(validator: &mut Validator, field: &str, patch: Patch<T>, current: &mut T) {
    match patch {
        Patch::Absent => {}
        Patch::Null => validator.fail(field, "required", "cannot be null"),
        Patch::Value(value) => *current = value,
    }
}

/// A member after a patch that may have taken it away, although it is never missing.
pub(crate) fn required<T>(validator: &mut Validator, field: &str, value: Option<T>, current: &mut T) {
    match value {
        Some(value) => *current = value,
        None => validator.fail(field, "required", "cannot be null"),
    }
}

/// A tax id as a client writes it, of Spain unless it has the form of another country's.
pub(crate) fn tax_id(validator: &mut Validator, field: &str, text: &str) -> Option<Pii<TaxId>> {
    if is_masked(validator, field, text) {
        return None;
    }
    let read = TaxId::guess(text, Country::SPAIN).map(|(tax_id, _)| tax_id);
    validator.take(field, "invalid_tax_id", read).map(Pii::new)
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
    matches!(patch, Patch::Value(text) if is_masked(validator, field, text))
}

/// The same of a text that is no patch.
pub(crate) fn is_masked(validator: &mut Validator, field: &str, text: &str) -> bool {
    let masked = text.contains('*');
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

/// The form of a text by which it is searched, and names are sorted: the [`order_key`] of its plain letters, those that Unicode's
/// compatibility decomposition (UAX 15) leaves without their marks.
///
/// `q` matches when its key is part of the key of a name, an e-mail address, a title or a number.
#[must_use]
pub fn search_key(text: &str) -> String {
    order_key(&text.nfkd().filter(|letter| !is_combining_mark(*letter)).collect::<String>())
}

/// The form of a text by which it is compared: lower case, with single spaces.
///
/// Stores keep the keys of names and e-mail addresses in columns of their own. Lists by name are in the order of the
/// code points of their [`search_key`]. So every store answers alike, whatever its collation makes of `Ñ`.
#[must_use]
pub fn order_key(text: &str) -> String {
    text.split_whitespace()
        .map(|word| word.chars().flat_map(char::to_lowercase).collect::<String>())
        .collect::<Vec<_>>()
        .join(" ")
}
