//! What a list of imports can be narrowed and sorted by.

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, BankAccountId};

use super::{ImportFormat, ImportStatus};

/// What a list of imports can be narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BankMovementImportFilter {
    /// The companies; every one within the scope when empty.
    pub companies: Vec<AccountId>,
    /// `bankAccountId`
    pub bank_account: Option<BankAccountId>,
    /// `status`
    pub status: Option<ImportStatus>,
    /// `format`
    pub format: Option<ImportFormat>,
    /// `updatedSince`
    pub updated_since: Option<Timestamp>,
}

/// What a list of imports can be sorted by; creation when nothing is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BankMovementImportSort {
    /// `updatedAt`
    UpdatedAt,
}
