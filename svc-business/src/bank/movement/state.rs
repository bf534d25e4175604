//! What a movement is.

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, BankAccountId, BankMovementId, BankMovementImportId};
use svc_core::money::Amount;
use svc_core::pii::Pii;
use svc_core::resource::Version;
use time::Date;

use super::{MovementState, Place};
use crate::party::Iban;

/// Money that a bank account gained or lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankMovement {
    /// Its id.
    pub id: BankMovementId,
    /// The company that has the account.
    pub company: AccountId,
    /// The account.
    pub bank_account: BankAccountId,
    /// The import that it came with.
    pub import: BankMovementImportId,
    /// When the bank booked it.
    pub booking_date: Date,
    /// From when it counts for interest.
    pub value_date: Date,
    /// How much.
    pub moved: Moved,
    /// What the bank says of it, at most 500 characters.
    pub description: String,
    /// Who paid, or was paid, at most 140 characters.
    pub counterparty_name: Option<String>,
    /// The account of the other side.
    pub counterparty_iban: Option<Pii<Iban>>,
    /// Numbers that bank and payer gave: 8 at most, each of at most 140 characters.
    pub references: Vec<String>,
    /// What kind of movement the bank says it is: `04-123` (concepts of Norma 43), `PMNT-RCDT-ESCT` (ISO 20022).
    pub bank_code: Option<String>,
    /// What tells it from every other movement of the account.
    pub place: Place,
    /// What became of it.
    pub state: MovementState,
    /// What people write about it, at most 10,000 characters.
    pub notes: Option<String>,
    /// Counts its changes.
    pub version: Version,
    /// When it was imported.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// An amount, and what it led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    /// What the account gained, below zero for what it lost.
    pub amount: Amount,
    /// What it held then, where the bank tells it: in the same currency.
    pub balance_after: Option<Amount>,
}

/// What became of a movement, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BankMovementStatus {
    /// It waits to be reconciled: `pending`
    Pending,
    /// What it paid is known: `reconciled`
    Reconciled,
    /// It stands for nothing that is to be booked: `ignored`
    Ignored,
}

svc_core::wire_names!(BankMovementStatus {
    Pending = "pending",
    Reconciled = "reconciled",
    Ignored = "ignored",
});
