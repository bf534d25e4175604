//! The supplier's own number of a document, and documents that came in twice.

use std::fmt;

use svc_core::error::Validator;
use svc_core::id::{SupplierDocumentId, SupplierId};
use thiserror::Error;

use super::{State, SupplierDocument};
use crate::party::{line, order_key};

/// Most characters of a number.
const MOST: usize = 60;

/// The number that the supplier gave a document: 1 to 60 characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SupplierNumber(String);

/// What documents that came in twice have in common: supplier, number and year of issue.
///
/// Two numbers are one whatever their case and the spaces between their parts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DuplicateKey {
    /// The supplier.
    pub supplier: SupplierId,
    /// Its number in the form in which numbers are compared.
    pub number: String,
    /// The year in which it was issued.
    pub year: i32,
}

/// The supplier sent a document with this number in that year already: `duplicate_document`, a conflict unless the input
/// says `allowDuplicate`.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the supplier has a document with this number and year already")]
pub struct DuplicateDocument {
    /// That document.
    pub existing: SupplierDocumentId,
}

impl SupplierNumber {
    /// Reads a number; findings are `required`, `too_long` and `invalid_characters` on `field`.
    pub(crate) fn read(validator: &mut Validator, field: &str, text: &str) -> Option<Self> {
        line(validator, field, text, MOST).map(Self)
    }

    /// Wraps a stored value.
    #[must_use]
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The form in which numbers are compared.
    #[must_use]
    pub fn key(&self) -> String {
        order_key(&self.0)
    }
}

impl fmt::Display for SupplierNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl SupplierDocument {
    /// What no other document of the company may have; `None` of one whose supplier or number is not known, of one that
    /// was rejected or voided, and where a duplicate is allowed.
    #[must_use]
    pub fn duplicate_key(&self) -> Option<DuplicateKey> {
        match self.state() {
            State::Received | State::Approved if !self.shares_number => {}
            State::Received | State::Approved | State::Rejected | State::Voided => return None,
        }
        let (supplier, number) = self.supplier.zip(self.number.as_ref())?;
        Some(DuplicateKey { supplier, number: number.key(), year: self.issue_date.year() })
    }
}
