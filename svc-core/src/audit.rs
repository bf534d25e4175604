//! The audit log: who changed credentials, memberships and subscriptions.
//!
//! What each part does:
//!
//! 1. A use case appends an [`Entry`] to the [`AuditLog`] of its unit of work,
//!    so the entry commits with the change or not at all.
//! 2. The store gives it the next number of its company, and seals it onto the
//!    record before it with [`ChainKeys::seal`]. Numbers have no gaps.
//! 3. [`ChainKeys::verify`] walks a company's records and names the first one
//!    that was changed, removed or put in. The seal is keyed: an attacker that can write
//!    the database but has no key cannot make a chain that verifies.
//!
//! 4. [`Verifier`] does that for a whole company: from the first row of its records to the newest record
//!    that the store remembers apart from them. A missing end is a fault too.
//!
//! What a chain alone cannot show is that its newest records were cut off together with the store's
//! memory of them: keep the head that a verification reports somewhere else, as a [`Mark`], and compare.

mod chain;
mod discarded;
mod entry;
mod mark;
mod unreadable;
mod verify;

use async_trait::async_trait;

pub use self::chain::{Broken, ChainKey, ChainKeys, Head, Seal, Walk};
pub use self::discarded::DiscardedAudit;
pub use self::entry::{Action, Actor, Details, Entry, Record, UnknownAction, Who};
pub use self::mark::{Mark, UnknownMark};
pub use self::unreadable::Unreadable;
pub use self::verify::{Fault, Finding, PartFinding, Verifier};
use crate::clock::Timestamp;
use crate::error::StoreError;
use crate::id::AccountId;
use crate::page::{Page, PageRequest};
use crate::tenant::Scope;

/// Takes entries within a unit of work.
///
/// # Implementing this port
/// Number and seal the entries in the transaction of the unit that owns this
/// log; two units that append for one company at once must not get the same
/// number. The contract suite is `svc_testkit::audit_contract!`.
#[async_trait]
pub trait AuditLog: Send + Sync {
    /// Adds entries, in the order in which they happened.
    ///
    /// No entries at all say that the change concerns no company, such as the
    /// password of a person without a membership: it counts as written down.
    async fn append(&self, entries: &[Entry]) -> Result<(), StoreError>;
}

/// What a page of the log is narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only this action.
    pub action: Option<Action>,
    /// Only what was done to this id: `tok_…`, `mem_…`, `whs_…`.
    pub subject: Option<String>,
    /// Not before this instant.
    pub from: Option<Timestamp>,
    /// Before this instant.
    pub until: Option<Timestamp>,
}

/// Reads the log.
#[async_trait]
pub trait AuditReader: Send + Sync {
    /// One page of the records of the scope's companies, newest first.
    async fn page(
        &self,
        scope: &Scope,
        filter: &Filter,
        page: PageRequest,
    ) -> Result<Page<Record>, StoreError>;

    /// Up to `limit` rows of `account` with numbers above `after`, in their order: for a verification.
    ///
    /// After 0 come all rows from the very first one on, those too whose number no record has. A row that
    /// does not read as a record is an answer, not a failure: the log is what was tampered with.
    async fn records(
        &self,
        account: AccountId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<Result<Record, Unreadable>>, StoreError>;

    /// Every company that has records or a head, or that the store knows otherwise and that ought to have
    /// a log. In the order of their ids, each once.
    async fn companies(&self) -> Result<Vec<Result<AccountId, Unreadable>>, StoreError>;

    /// The newest record of a company as the store remembers it apart from the records.
    async fn head(&self, account: AccountId) -> Result<Option<Result<Head, Unreadable>>, StoreError>;
}
