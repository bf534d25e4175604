//! What a list of bank accounts can be narrowed and sorted by.

use svc_core::clock::Timestamp;
use svc_core::id::AccountId;
use svc_core::pii::Pii;

use super::{BankAccountStatus, BankAccountType};
use crate::party::Iban;

/// What a list of bank accounts can be narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BankAccountFilter {
    /// The companies; every one within the scope when empty.
    pub companies: Vec<AccountId>,
    /// `status`
    pub status: Option<BankAccountStatus>,
    /// `type`
    pub kind: Option<BankAccountType>,
    /// `iban`
    pub iban: Option<Pii<Iban>>,
    /// `externalId`
    pub external_id: Option<String>,
    /// `updatedSince`
    pub updated_since: Option<Timestamp>,
}

/// What a list of bank accounts can be sorted by; creation when nothing is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BankAccountSort {
    /// `name`
    Name,
    /// `updatedAt`
    UpdatedAt,
}
