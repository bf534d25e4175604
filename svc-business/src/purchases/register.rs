//! The book of received documents (*libro registro de facturas recibidas*, RD 1624/1992 art. 64).
//!
//! Each year numbers the documents that are approved for it from 1, in the order of their approval and without a gap. The
//! register of a year is locked until the document that takes its number is kept, so simultaneous approvals wait for
//! each other and one that is rolled back leaves no gap. A document that is voided keeps its number.

use std::fmt;

use svc_core::id::AccountId;
use thiserror::Error;

/// The book of one company and year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// The company that receives.
    pub company: AccountId,
    /// The year of the day of accounting.
    pub year: i32,
    /// The last number that it gave; zero before the first one.
    pub last: u32,
}

/// The place of a document in the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegisterNumber {
    /// The year.
    pub year: i32,
    /// The number, from 1.
    pub number: u32,
}

/// The book has no number left: `register_exhausted`, a conflict.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the register of {year} has no number left")]
pub struct RegisterExhausted {
    /// The year.
    pub year: i32,
}

impl Register {
    /// A book without documents.
    #[must_use]
    pub const fn new(company: AccountId, year: i32) -> Self {
        Self { company, year, last: 0 }
    }

    /// The book with its next number given.
    ///
    /// # Errors
    /// [`RegisterExhausted`].
    pub fn number(self) -> Result<(Self, RegisterNumber), RegisterExhausted> {
        let number = self.last.checked_add(1).ok_or(RegisterExhausted { year: self.year })?;
        Ok((Self { last: number, ..self }, RegisterNumber { year: self.year, number }))
    }
}

/// `2025/42`
impl fmt::Display for RegisterNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.year, self.number)
    }
}
