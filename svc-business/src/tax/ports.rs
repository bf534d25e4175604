//! What the rules of taxes need from outside.

use async_trait::async_trait;
use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::resource::{ResourceReader, ResourceStore};

use super::profile::TaxProfile;

/// Reads tax profiles.
#[async_trait]
pub trait TaxProfileReader: ResourceReader<TaxProfile> {
    /// That of a company.
    async fn of_company(&self, company: AccountId) -> Result<Option<TaxProfile>, StoreError>;

    /// Active companies without one, at most `limit`.
    async fn missing(&self, limit: u32) -> Result<Vec<AccountId>, StoreError>;
}

/// Changes tax profiles. Adding that of a company that has one is [`StoreError::Taken`] with `companyId`.
pub trait TaxProfileStore: TaxProfileReader + ResourceStore<TaxProfile> {}
