//! What reports are made of, read from a store.

mod aged;
mod asked;
mod journal;
mod ledger;
mod movements;
mod vat;

use std::collections::{BTreeMap, BTreeSet};

use svc_core::error::StoreError;
use svc_core::id::ContactId;
use svc_core::money::MoneyError;
use svc_core::tenant::Scope;
use thiserror::Error;

pub use self::aged::aged_items;
pub use self::asked::{
    Counted, CountedIn, DueQuery, DueSum, LedgerQuery, OpenBalance, ReceivedDocument, TaggedEntry,
};
pub use self::journal::journal;
pub use self::ledger::general_ledger;
pub use self::movements::{flows, movements};
pub use self::vat::vat_documents;
use crate::contact::Contact;
use crate::ports::BooksStorage;

/// So many contacts are read at once.
const AT_ONCE: usize = 500;

/// Most lines of a report that shows every line; those of more days are asked for in parts.
pub const MOST_LINES: usize = 50_000;

/// So many lines are asked for, to see whether there are more than a report has.
const ONE_MORE: u32 = 50_001;

/// Why a report is not read.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The days have more lines than a report shows.
    #[error("these days have more than {MOST_LINES} lines: ask for fewer days at a time")]
    TooMany,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<MoneyError> for ReportError {
    fn from(error: MoneyError) -> Self {
        Self::Store(error.into())
    }
}

/// The contacts that a report or a return names, as they are now.
pub(crate) async fn contacts_of<S: BooksStorage + ?Sized>(
    storage: &S,
    scope: &Scope,
    ids: BTreeSet<ContactId>,
) -> Result<BTreeMap<ContactId, Contact>, StoreError> {
    let ids: Vec<_> = ids.into_iter().collect();
    let mut contacts = BTreeMap::new();
    for some in ids.chunks(AT_ONCE) {
        let found = storage.contacts().find_all(scope, some).await?;
        contacts.extend(found.into_iter().map(|contact| (contact.id, contact)));
    }
    Ok(contacts)
}
