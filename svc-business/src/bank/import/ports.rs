//! What the rules of movements and their imports need from outside.

use std::collections::HashMap;

use async_trait::async_trait;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, BankAccountId, BankMovementId, BankMovementImportId};
use svc_core::money::Amount;
use svc_core::resource::{ResourceReader, ResourceStore};
use svc_core::tenant::Scope;
use time::Date;

use super::BankMovementImport;
use crate::bank::movement::{BankMovement, Fingerprint, TextKey};
use crate::books::account::AccountCode;
use crate::books::fiscal_year::Span;

/// Reads movements.
#[async_trait]
pub trait BankMovementReader: ResourceReader<BankMovement> {
    /// How many movements with each of these fingerprints an account of a company has; those with none are left out.
    async fn occurrences(
        &self,
        company: AccountId,
        account: BankAccountId,
        fingerprints: &[Fingerprint],
    ) -> Result<HashMap<Fingerprint, u32>, StoreError>;

    /// The account of the ledger on which most of the last movements with a text were booked as a whole, and how many of
    /// them: of the 50 movements that came last.
    async fn booked_on(
        &self,
        company: AccountId,
        text: &TextKey,
    ) -> Result<Option<(AccountCode, u32)>, StoreError>;

    /// The pending movements of an import of a company in the order of their ids, from behind one of them, at most `limit`.
    async fn pending_of(
        &self,
        company: AccountId,
        import: BankMovementImportId,
        after: Option<BankMovementId>,
        limit: u32,
    ) -> Result<Vec<BankMovement>, StoreError>;

    /// How many movements of a company that were booked within these days are pending.
    async fn pending_in(&self, company: AccountId, span: Span) -> Result<u64, StoreError>;

    /// How many movements of each of these accounts are pending; accounts without any are left out.
    async fn pending(
        &self,
        scope: &Scope,
        accounts: &[BankAccountId],
    ) -> Result<HashMap<BankAccountId, u64>, StoreError>;
}

/// Changes movements.
///
/// # Implementing this port
/// Two movements of an account with one [place](BankMovement::place) are [`StoreError::Taken`] with `place`. The contract
/// suite is `svc_testkit::business_storage_contract!`.
#[async_trait]
pub trait BankMovementStore: BankMovementReader + ResourceStore<BankMovement> {
    /// Adds movements, [`MOST_AT_ONCE`](super::MOST_AT_ONCE) at most.
    async fn insert_all(&self, scope: &Scope, movements: &[BankMovement]) -> Result<(), StoreError>;
}

/// What the latest statement of an account ended with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastStatement {
    /// What the account held.
    pub balance: Amount,
    /// On which day.
    pub date: Date,
}

/// Reads imports.
#[async_trait]
pub trait BankMovementImportReader: ResourceReader<BankMovementImport> {
    /// The import of the file with this digest into an account of a company.
    async fn with_digest(
        &self,
        company: AccountId,
        account: BankAccountId,
        digest: &str,
    ) -> Result<Option<BankMovementImport>, StoreError>;

    /// The closing balance of the statement with the latest last day, for each of these accounts that has any; of those
    /// that ended by a day when one is named.
    async fn last_statements(
        &self,
        scope: &Scope,
        accounts: &[BankAccountId],
        by: Option<Date>,
    ) -> Result<HashMap<BankAccountId, LastStatement>, StoreError>;

    /// The closing balance of the last statement of an account of a company that ended before a day.
    async fn statement_before(
        &self,
        company: AccountId,
        account: BankAccountId,
        day: Date,
    ) -> Result<Option<LastStatement>, StoreError>;

    /// The file of an import that is processed, and how it is to be read.
    async fn file(&self, import: BankMovementImportId) -> Result<Option<(Vec<u8>, String)>, StoreError>;
}

/// Changes imports.
#[async_trait]
pub trait BankMovementImportStore: BankMovementImportReader + ResourceStore<BankMovementImport> {
    /// Keeps the file of an import until it is complete.
    async fn keep_file(&self, import: &BankMovementImport, file: &[u8], how: &str) -> Result<(), StoreError>;

    /// Forgets the file of an import.
    async fn drop_file(&self, import: &BankMovementImport) -> Result<(), StoreError>;
}
