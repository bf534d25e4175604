//! What the rules of bank accounts need from outside.

use async_trait::async_trait;
use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::resource::{ResourceReader, ResourceStore};

use super::BankAccount;

/// Reads bank accounts.
#[async_trait]
pub trait BankAccountReader: ResourceReader<BankAccount> {
    /// Every bank account of a company, oldest first: [200](super::MOST) at most.
    async fn of_company(&self, company: AccountId) -> Result<Vec<BankAccount>, StoreError>;
}

/// Changes bank accounts.
///
/// # Implementing this port
/// What two accounts of a company cannot both have is [`StoreError::Taken`]: the number of active ones that do not
/// [share](BankAccount::shares_iban) it with `iban`, the account of the ledger with `accountCode`, and being the default
/// with `isDefault`.
pub trait BankAccountStore: BankAccountReader + ResourceStore<BankAccount> {}
