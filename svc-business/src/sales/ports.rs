//! What the rules of sales need from outside.

use async_trait::async_trait;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, PaymentId, SalesDocumentId};
use svc_core::page::{Page, PageRequest};
use svc_core::resource::{Erase, ResourceReader, ResourceStore};
use svc_core::tenant::Scope;
use time::Date;

use super::document::SalesDocument;
use super::history::HistoryEntry;
use super::list::Outline;
use super::series::Series;
use super::verifactu::{AnyRecord, ChainHead};
use crate::invoicing::{DueDocument, DueLeads, PaymentLeads, UnmatchedPayment};

/// Reads sales documents, whole or in outline.
#[async_trait]
pub trait SalesReader: ResourceReader<SalesDocument> + ResourceReader<Outline> {
    /// The documents that name this one as their source, in the order in which they were made, at most `limit`.
    async fn derived(&self, document: &SalesDocument, limit: u32)
    -> Result<Vec<SalesDocumentId>, StoreError>;

    /// The document of a company that has this payment of money.
    async fn of_payment(
        &self,
        company: AccountId,
        payment: PaymentId,
    ) -> Result<Option<SalesDocumentId>, StoreError>;

    /// The issued invoices of a company to which these lead: of each lead at most `limit`.
    async fn due(
        &self,
        company: AccountId,
        leads: &DueLeads,
        limit: u32,
    ) -> Result<Vec<DueDocument<SalesDocumentId>>, StoreError>;

    /// Payments of money to which these lead and that no movement stands against, in the order of their days, at most
    /// `limit`. Cash that was kept nowhere is on no statement.
    async fn unmatched(
        &self,
        company: AccountId,
        leads: &PaymentLeads,
        limit: u32,
    ) -> Result<Vec<UnmatchedPayment>, StoreError>;

    /// The issued quotes of a company that have no answer, were due before this day and led to no other document: those
    /// first that were due first, at most `limit`.
    async fn expiring(
        &self,
        company: AccountId,
        before: Date,
        limit: u32,
    ) -> Result<Vec<SalesDocumentId>, StoreError>;

    /// One page of a document's history, oldest entry first; `None` when the document is unknown or out of reach.
    async fn history(
        &self,
        scope: &Scope,
        id: SalesDocumentId,
        page: PageRequest,
    ) -> Result<Option<Page<HistoryEntry>>, StoreError>;

    /// The last record of a company for the tax office; `None` when there is none.
    async fn chain_head(&self, company: AccountId) -> Result<Option<ChainHead>, StoreError>;

    /// The records of a company for the tax office with places after `after`, in their order, at most `limit`.
    async fn chain_after(
        &self,
        company: AccountId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<AnyRecord>, StoreError>;
}

/// Changes sales documents.
///
/// # Implementing this port
/// Two documents of a company with one number, one external id, or one place in the chain are
/// [`StoreError::Taken`]. Entries of a history are not part of the record: they go with a draft that is erased.
#[async_trait]
pub trait SalesStore: SalesReader + ResourceStore<SalesDocument> + Erase<SalesDocument> {
    /// Adds an entry to the history of a document that this unit has just added or replaced.
    async fn note(&self, document: &SalesDocument, entry: &HistoryEntry) -> Result<(), StoreError>;
}

/// Reads series.
#[async_trait]
pub trait SeriesReader: ResourceReader<Series> {
    /// Every series of a company, in the order in which they were made.
    async fn of_company(&self, company: AccountId) -> Result<Vec<Series>, StoreError>;
}

/// Changes series.
///
/// # Implementing this port
/// A code that another series of the company has is [`StoreError::Taken`] with `seriesCode`.
#[async_trait]
pub trait SeriesStore: SeriesReader + ResourceStore<Series> {
    /// Keeps the last number that a series gave, which is no change of it. The unit has the series locked
    /// [`Exclusive`](svc_core::resource::Lock::Exclusive), so that numbers have no gaps and none is given twice.
    async fn set_last(&self, series: &Series) -> Result<(), StoreError>;
}
