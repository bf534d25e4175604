//! How values of reports serialise that have no form of their own: by their texts.

use std::fmt::Display;

use serde::Serializer;

/// An amount as a decimal string, a date as `YYYY-MM-DD`, a currency as its code, an id.
pub(super) fn text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// The same, or null.
#[expect(clippy::ref_option, reason = "serde hands over a reference to the member")]
pub(super) fn text_or_null<S: Serializer>(
    value: &Option<impl Display>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.collect_str(value),
        None => serializer.serialize_none(),
    }
}

/// A list of the same.
pub(super) fn texts<S: Serializer>(values: &[impl Display], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(ToString::to_string))
}
