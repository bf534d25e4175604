//! What the rules of returns need from outside.

use async_trait::async_trait;
use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::money::Amount;
use svc_core::resource::{ResourceReader, ResourceStore};
use svc_tax_forms::Model;
use time::Date;

use super::{ReturnParty, TaxReturn};

/// Reads tax returns.
#[async_trait]
pub trait TaxReturnReader: ResourceReader<TaxReturn> {
    /// The returns of a company of these models whose periods end from one day to another: by those ends, and then as they
    /// were made, at most `limit`.
    async fn ending(
        &self,
        company: AccountId,
        models: &[Model],
        days: (Date, Date),
        limit: u32,
    ) -> Result<Vec<TaxReturn>, StoreError>;

    /// Filed returns of a company of which this is left, as bank accounts gain it: those first that were due first, at most
    /// `limit`.
    async fn unpaid(&self, company: AccountId, due: Amount, limit: u32)
    -> Result<Vec<TaxReturn>, StoreError>;

    /// The rows of parties of a return, in their order, from the place `from` on, at most `limit`.
    async fn parties(&self, of: &TaxReturn, from: u32, limit: u32) -> Result<Vec<ReturnParty>, StoreError>;
}

/// Changes tax returns.
///
/// # Implementing this port
/// A second ordinary return of a company, model, year and period is [`StoreError::Taken`] with `period`. The contract suite
/// is `svc_testkit::business_storage_contract!`.
#[async_trait]
pub trait TaxReturnStore: TaxReturnReader + ResourceStore<TaxReturn> {
    /// Puts these rows of parties in the place of those that a return has.
    async fn set_parties(&self, of: &TaxReturn, parties: &[ReturnParty]) -> Result<(), StoreError>;
}
