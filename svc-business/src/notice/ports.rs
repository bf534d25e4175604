//! What the rules of notices need from outside.

use async_trait::async_trait;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, NoticeId};
use svc_core::resource::{ResourceReader, ResourceStore};
use time::Date;

use super::Notice;

/// Reads notices.
#[async_trait]
pub trait NoticeReader: ResourceReader<Notice> {
    /// The available notices of a company whose last day was before this one, those first that expire first, at most `limit`.
    async fn expiring(
        &self,
        company: AccountId,
        before: Date,
        limit: u32,
    ) -> Result<Vec<NoticeId>, StoreError>;
}

/// Changes notices.
///
/// # Implementing this port
/// Two notices of a company and source with one reference are [`StoreError::Taken`] with `reference`. The contract
/// suite is `svc_testkit::business_storage_contract!`.
pub trait NoticeStore: NoticeReader + ResourceStore<Notice> {}
