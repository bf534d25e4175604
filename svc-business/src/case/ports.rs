//! What the rules of cases need from outside.

use async_trait::async_trait;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, CaseId};
use svc_core::page::{Page, PageRequest};
use svc_core::resource::{ResourceReader, ResourceStore};
use svc_core::tenant::Scope;

use crate::case::{Case, CaseLink, Entry};

/// Reads cases.
#[async_trait]
pub trait CaseReader: ResourceReader<Case> {
    /// One page of a case's timeline, oldest entry first; `None` when the case is unknown or out of reach.
    async fn timeline(
        &self,
        scope: &Scope,
        id: CaseId,
        page: PageRequest,
    ) -> Result<Option<Page<Entry>>, StoreError>;

    /// Those among these links whose records the company has, when it is in scope; deleted files are none.
    async fn linkable(
        &self,
        scope: &Scope,
        company: AccountId,
        links: &[CaseLink],
    ) -> Result<Vec<CaseLink>, StoreError>;
}

/// Changes cases.
///
/// # Implementing this port
/// Entries of a timeline are not part of the record: they are added one by one, and read by page. They move
/// with the case when its company is absorbed.
#[async_trait]
pub trait CaseStore: CaseReader + ResourceStore<Case> {
    /// The next number of a company in a year, from 1. Two units of work never get the same one; one that is
    /// rolled back leaves a gap, or gives its number to the next.
    async fn next_number(&self, company: AccountId, year: i32) -> Result<u32, StoreError>;

    /// Adds an entry to the timeline of a case that this unit has just added or replaced.
    async fn append(&self, case: &Case, entry: &Entry) -> Result<(), StoreError>;
}
