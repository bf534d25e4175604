//! Members of commands that travel as texts.

use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize as _, Deserializer, de};

/// Reads a member from the text that a command line has for it.
pub(crate) fn parsed<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
}
