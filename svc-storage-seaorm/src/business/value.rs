//! How values of the domain are written in columns, and read back.

use std::str::FromStr;

use serde::Serialize;
use serde::de::DeserializeOwned;
use svc_business::contact::search_key;
use svc_core::error::StoreError;
use svc_core::pii::Pii;

/// A piece of personal data, for a column or a predicate.
#[expect(clippy::disallowed_methods, reason = "storage keeps the value itself")]
pub(crate) fn exposed<T>(value: &Pii<T>) -> &T {
    value.expose()
}

/// A column with a value that the domain does not know; the value itself may be personal data.
pub(crate) fn broken(column: &'static str) -> StoreError {
    StoreError::backend(format!("{column} holds a value that cannot be read"))
}

/// A value kept as its text form.
pub(crate) fn parsed<T: FromStr>(column: &'static str, text: &str) -> Result<T, StoreError> {
    text.parse().map_err(|_| broken(column))
}

/// The JSON text of a nested value.
pub(crate) fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("texts, numbers and maps with text keys have a JSON form")
}

/// A nested value from its JSON text.
pub(crate) fn from_json<T: DeserializeOwned>(column: &'static str, text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|_| broken(column))
}

/// The search keys of several texts in one column; a search text holds no line break, so it never
/// matches across two of them.
pub(crate) fn search_keys<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    texts.into_iter().map(search_key).collect::<Vec<_>>().join("\n")
}

/// The pattern of keys that contain `text`, its wildcards taken as plain characters.
pub(crate) fn containing(text: &str) -> String {
    let key = search_key(text).replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{key}%")
}
