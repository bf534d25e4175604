//! How values of the domain are written in columns, and read back.

use std::str::FromStr;

use serde::Serialize;
use serde::de::DeserializeOwned;
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
