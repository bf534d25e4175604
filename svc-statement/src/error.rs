//! Why a file cannot be read.

use std::fmt::{self, Write as _};

use thiserror::Error;

/// Why a file cannot be read as a statement. The text says where, and what a person can do about it.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadError {
    /// Larger than [`MOST_BYTES`](crate::MOST_BYTES).
    #[error("the file is larger than 25 MiB: export a shorter period")]
    TooLarge,
    /// More than [`MOST_MOVEMENTS`](crate::MOST_MOVEMENTS).
    #[error("the file has more than 200,000 movements: export a shorter period")]
    TooManyMovements,
    /// It is no statement, or of a version that is not read.
    #[error("the file is {found}: Norma 43, camt.053 (camt.053.001.02 and camt.053.001.08) and CSV are read")]
    Unsupported {
        /// What it seems to be.
        found: String,
    },
    /// Something is not of its form.
    #[error("{place}: expected {expected}")]
    Malformed {
        /// Where.
        place: Place,
        /// What should be there.
        expected: String,
    },
    /// A figure is larger than any of an account.
    #[error("{place}: the amount is out of range")]
    OutOfRange {
        /// Where.
        place: Place,
    },
    /// Two figures of the file do not agree: it is incomplete, or was changed.
    #[error(
        "{place}: {figure} is stated as {stated}, computed as {computed}: the file is incomplete or was changed"
    )]
    Inconsistent {
        /// Where it is stated.
        place: Place,
        /// Which figure.
        figure: &'static str,
        /// As the file has it.
        stated: String,
        /// As it follows from the rest of the file.
        computed: String,
    },
    /// A CSV file has no column for what a movement needs.
    #[error("no column for {}: say which it is in the mapping; the file has {}", missing.join(", "), listed(seen))]
    ColumnMissing {
        /// What there is no column for.
        missing: Vec<String>,
        /// The columns of the file.
        seen: Vec<String>,
    },
    /// The values of a CSV file can be read in two ways.
    #[error("{what} can be read in two ways: say in the mapping which it is")]
    Ambiguous {
        /// What.
        what: &'static str,
    },
    /// Cells of a CSV file are not of their form.
    #[error("{}", cells(first, *more))]
    Cells {
        /// The first twenty.
        first: Vec<Wrong>,
        /// How many there are besides.
        more: u32,
    },
}

impl ReadError {
    /// Its stable name.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::TooLarge => "too_large",
            Self::TooManyMovements => "too_many_movements",
            Self::Unsupported { .. } => "unsupported_format",
            Self::Malformed { .. } | Self::Cells { .. } => "malformed_statement",
            Self::OutOfRange { .. } => "out_of_range",
            Self::Inconsistent { .. } => "statement_inconsistent",
            Self::ColumnMissing { .. } => "column_missing",
            Self::Ambiguous { .. } => "mapping_needed",
        }
    }

    pub(crate) fn malformed(place: Place, expected: impl Into<String>) -> Self {
        Self::Malformed { place, expected: expected.into() }
    }
}

/// A place in a file, as a person finds it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// A field of a record of N43.
    Record {
        /// The record, from 1.
        number: u32,
        /// The field.
        field: &'static str,
    },
    /// An element of XML: `Document/BkToCstmrStmt/Stmt[1]/Ntry[3]/Amt`.
    Element(String),
    /// A byte of XML that is not well-formed.
    Byte(u64),
    /// A column of a line of CSV.
    Cell {
        /// The line of the file, from 1.
        line: u32,
        /// The name of the column, or its number from 1.
        column: String,
    },
    /// A line of CSV.
    Line(u32),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record { number, field } => write!(f, "record {number}, {field}"),
            Self::Element(path) => f.write_str(path),
            Self::Byte(byte) => write!(f, "byte {byte}"),
            Self::Cell { line, column } => write!(f, "line {line}, column {column}"),
            Self::Line(line) => write!(f, "line {line}"),
        }
    }
}

/// A cell that is not of its form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Which.
    pub place: Place,
    /// What should be there.
    pub expected: &'static str,
}

fn cells(first: &[Wrong], more: u32) -> String {
    let mut text = String::new();
    for wrong in first {
        if !text.is_empty() {
            text.push_str("; ");
        }
        let _ = write!(text, "{}: expected {}", wrong.place, wrong.expected);
    }
    if more > 0 {
        let _ = write!(text, "; and {more} more");
    }
    text
}

fn listed(seen: &[String]) -> String {
    if seen.is_empty() { "no columns".to_owned() } else { seen.join(", ") }
}
