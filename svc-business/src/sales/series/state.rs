//! What a series is.

use std::collections::BTreeSet;

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, SeriesId};
use svc_core::resource::Version;
use time::Date;

use super::{Pattern, SeriesCode};
use crate::party::Extension;
use crate::sales::document::{DocType, Ids};

/// What numbers the sales documents of a company.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// Its id.
    pub id: SeriesId,
    /// The company whose documents it numbers.
    pub company: AccountId,
    /// Its name, unique in the company.
    pub code: SeriesCode,
    /// The documents that it numbers; one type at least.
    pub doc_types: BTreeSet<DocType>,
    /// How its numbers are written.
    pub pattern: Pattern,
    /// Whether each year begins with 1.
    pub reset_yearly: bool,
    /// The sequence of the first document, from 1: of a series that runs on from another program.
    pub first_sequence: u32,
    /// The last number that it gave; `None` before the first one.
    pub last: Option<LastIssued>,
    /// Whether it numbers further documents.
    pub active: bool,
    /// An integrator's own data.
    pub extension: Extension,
    /// Counts its changes; a number that is given is none.
    pub version: Version,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

impl Series {
    /// A series as it is before anything else is said of it.
    #[must_use]
    pub fn blank(code: SeriesCode, company: AccountId, ids: &Ids<'_>) -> Self {
        Self {
            id: ids.make(),
            company,
            code,
            doc_types: BTreeSet::new(),
            pattern: Pattern::default(),
            reset_yearly: true,
            first_sequence: 1,
            last: None,
            active: true,
            extension: Extension::default(),
            version: Version::FIRST,
            created_at: ids.now,
            updated_at: ids.now,
        }
    }
}

/// The last number that a series gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastIssued {
    /// The date of issue of its document: `lastIssueDate`.
    pub date: Date,
    /// Its sequence.
    pub sequence: u32,
}
