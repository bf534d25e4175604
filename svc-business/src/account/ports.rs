//! What the rules of companies need from outside.

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::pii::Pii;
use svc_core::resource::{Lock, ResourceReader, ResourceStore};
use svc_core::tenant::Scope;
use uuid::Uuid;

use crate::account::Account;
use crate::party::TaxId;

/// Reads companies.
///
/// # Implementing this port
/// The contract suite is `svc_testkit::business_storage_contract!`.
#[async_trait]
pub trait AccountReader: ResourceReader<Account> {
    /// Other companies of the scope with the same tax id, merged ones left out.
    async fn with_tax_id(
        &self,
        scope: &Scope,
        tax_id: &Pii<TaxId>,
        except: AccountId,
    ) -> Result<Vec<AccountId>, StoreError>;

    /// How many active companies have `parent` as their parent, in any scope.
    async fn active_subsidiaries(&self, parent: AccountId) -> Result<u64, StoreError>;

    /// Whether a company has any entry in its journal, any document of sales or purchases or any fixed asset, be
    /// it a draft, or a tax return that was submitted.
    async fn has_entries(&self, company: AccountId) -> Result<bool, StoreError>;

    /// Whether anything counts in the base currency of a company: what is posted in its books, a document of sales with
    /// its number, or an approved one of purchases.
    async fn uses_base_currency(&self, company: AccountId) -> Result<bool, StoreError>;

    /// Whether an envelope of a company was sent and has not ended.
    async fn awaits_signers(&self, company: AccountId) -> Result<bool, StoreError>;

    /// Whether there is any company at all.
    async fn any(&self) -> Result<bool, StoreError>;
}

/// Changes companies.
#[async_trait]
pub trait AccountStore: AccountReader + ResourceStore<Account> {
    /// Whether there is any company, once no other unit of work is between this question and its commit.
    async fn any_once_alone(&self) -> Result<bool, StoreError>;

    /// The company, which stays open or closed as it is until the unit of work ends, and locks of some of its
    /// records beside it.
    ///
    /// Every unit that changes a record of a company, or adds one that refers to another record, locks the
    /// company [`Lock::Shared`]; one that ends the company locks it [`Lock::Exclusive`]. A unit locks the records
    /// that it changes and those that it is about to refer to [`Lock::Shared`], and those that it ends
    /// [`Lock::Exclusive`]. The rules that look at several records hold because of it.
    ///
    /// # Implementing this method
    /// What is read is what is committed once the locks are held. They are taken in one order, so that two units
    /// with the same records do not wait for each other for ever. A store with one writer at a time only has to
    /// be that writer from here on.
    async fn find_locked(
        &self,
        scope: &Scope,
        id: AccountId,
        lock: Lock,
        records: &[(Uuid, Lock)],
    ) -> Result<Option<Account>, StoreError>;

    /// Moves every record of one company to another one, with everything that refers to it. Records keep their
    /// ids and get their next version and `now`.
    ///
    /// # Errors
    /// [`StoreError::Taken`] when a value that a company has once is on both sides: an `externalId`, the tax id
    /// of an active contact.
    async fn move_records(&self, from: AccountId, to: AccountId, now: Timestamp) -> Result<(), StoreError>;
}
