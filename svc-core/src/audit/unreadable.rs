//! What stands in the log and is nothing that the service writes.

use std::fmt;

use thiserror::Error;

/// A row of the log that does not read as what it should be: something other than the service wrote it.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub struct Unreadable {
    /// The number of the record, where the row is one and its number can be read.
    pub number: Option<i64>,
    /// The column that cannot be read, with its table.
    pub column: &'static str,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(number) = self.number {
            write!(f, "record {number} cannot be read: ")?;
        }
        write!(f, "{} holds what the service does not write", self.column)
    }
}
