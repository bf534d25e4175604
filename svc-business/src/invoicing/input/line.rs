//! Members of lines.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::str::FromStr;

use svc_core::error::Validator;
use svc_core::id::TypedId;

use crate::invoicing::Ids;
use crate::party::paragraph;

/// Most characters of a description.
const MOST_TEXT: usize = 1_000;
/// Tags of one line.
const MOST_TAGS: usize = 50;

/// The id of a line below `field`: a new one, or one of the lines that the document has, each once.
pub(crate) fn identity<I: TypedId + Copy + Ord>(
    validator: &mut Validator,
    field: &str,
    id: Option<I>,
    (known, seen): (&BTreeSet<I>, &mut BTreeSet<I>),
    ids: &Ids<'_>,
) -> Option<I> {
    let Some(id) = id else { return Some(ids.make()) };
    let field = format!("{field}.id");
    let message = "the document has no line with this id";
    let holds = validator.require(known.contains(&id), &field, "unknown_reference", message)
        && validator.require(seen.insert(id), &field, "duplicate", "the line is there twice");
    holds.then_some(id)
}

/// What a line is about, 1 to 1,000 characters.
pub(crate) fn description(validator: &mut Validator, field: &str, text: &str) -> Option<String> {
    let text = paragraph(validator, field, text)?;
    let message = format!("must have at most {MOST_TEXT} characters");
    validator.require(text.chars().count() <= MOST_TEXT, field, "too_long", message).then_some(text)
}

/// A member that may be missing.
pub(crate) fn member<T: FromStr<Err: Display>>(
    validator: &mut Validator,
    field: &str,
    code: &'static str,
    text: Option<&str>,
    missing: T,
) -> Option<T> {
    match text {
        None => Some(missing),
        Some(text) => validator.take(field, code, text.parse()),
    }
}

/// What a company sorts a line by.
pub(crate) fn tags(validator: &mut Validator, field: &str, tags: &BTreeMap<String, String>) {
    let message = format!("must have at most {MOST_TAGS} keys");
    validator.require(tags.len() <= MOST_TAGS, field, "too_many", message);
    for (key, value) in tags {
        let field = format!("{field}.{key}");
        let holds = (1..=40).contains(&key.chars().count()) && value.chars().count() <= 500;
        let message = "a key has 1 to 40 characters, and its value at most 500";
        validator.require(holds, &field, "too_long", message);
        let plain = !key.chars().chain(value.chars()).any(char::is_control);
        validator.require(plain, &field, "invalid_characters", "must not contain control characters");
    }
}
