//! What a file is, by its content.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::{camt, csv, n43};

/// A format of statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Norma 43 of Spanish banks: records of 80 characters.
    N43,
    /// camt.053 of ISO 20022, versions 001.02 and 001.08.
    Camt053,
    /// Lines of values with a separator.
    Csv,
}

impl Format {
    /// Its name on the wire: `n43`, `camt053`, `csv`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::N43 => "n43",
            Self::Camt053 => "camt053",
            Self::Csv => "csv",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        match text {
            "n43" => Ok(Self::N43),
            "camt053" => Ok(Self::Camt053),
            "csv" => Ok(Self::Csv),
            _ => Err(UnknownFormat),
        }
    }
}

/// Not the name of a format.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("expected n43, camt053 or csv")]
pub struct UnknownFormat;

/// Which format a file has; `None` for none of them.
///
/// A camt.053 of a version that is not read is one all the same: reading it says which versions are.
#[must_use]
pub fn detect(bytes: &[u8]) -> Option<Format> {
    if n43::begins(bytes) {
        Some(Format::N43)
    } else if camt::begins_as_xml(bytes) {
        camt::is_statement(bytes).then_some(Format::Camt053)
    } else {
        csv::is_plausible(bytes).then_some(Format::Csv)
    }
}
