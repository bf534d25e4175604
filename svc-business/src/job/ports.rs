//! What is asked of the store of jobs.

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::AccountId;

use super::{Job, JobKind, JobOverview, NewJob, Run};

/// Reads jobs.
#[async_trait]
pub trait JobReader: Send + Sync {
    /// When the next job of this kind is due; `None` when there is none.
    async fn next_due(&self, kind: JobKind) -> Result<Option<Timestamp>, StoreError>;

    /// Active companies that have no job of this kind, at most `limit`.
    async fn without(&self, kind: JobKind, limit: u32) -> Result<Vec<AccountId>, StoreError>;

    /// How many jobs of this kind a company has that have not ended, counted up to `limit`.
    async fn waiting(&self, company: AccountId, kind: JobKind, limit: u32) -> Result<u32, StoreError>;

    /// What an operator is to see, at most `limit` jobs of each sort.
    async fn overview(&self, now: Timestamp, limit: u32) -> Result<JobOverview, StoreError>;
}

/// Changes jobs.
///
/// # Implementing this port
/// What is put and what is ended commits with the unit of work. Two claims never give the same job while the first one
/// lasts. The contract suite is `svc_testkit::business_storage_contract!`.
#[async_trait]
pub trait JobStore: JobReader {
    /// Adds jobs; one whose kind and key are there already stays as it is.
    async fn put(&self, jobs: &[NewJob]) -> Result<(), StoreError>;

    /// Takes due jobs of a kind, those first that are due first, at most `limit`, and makes them due again at `until`.
    async fn claim(
        &self,
        kind: JobKind,
        now: Timestamp,
        until: Timestamp,
        limit: u32,
    ) -> Result<Vec<Job>, StoreError>;

    /// Puts a claimed job off after a run, and counts the failure of one that failed.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the claim is no longer the last one.
    async fn put_off(&self, job: &Job, due: Timestamp, run: &Run) -> Result<(), StoreError>;

    /// Ends a claimed job after its last run.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the claim is no longer the last one.
    async fn end(&self, job: &Job, run: &Run) -> Result<(), StoreError>;

    /// Forgets jobs that ended before this instant; answers how many.
    async fn purge(&self, before: Timestamp) -> Result<u64, StoreError>;
}
