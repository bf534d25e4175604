//! What a list of movements can be narrowed and sorted by.

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, BankAccountId, BankMovementImportId};
use time::Date;

use super::BankMovementStatus;
use crate::magnitude::Magnitude;

/// What a list of movements can be narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BankMovementFilter {
    /// The companies; every one within the scope when empty.
    pub companies: Vec<AccountId>,
    /// `bankAccountId`
    pub bank_account: Option<BankAccountId>,
    /// `importId`
    pub import: Option<BankMovementImportId>,
    /// `status`
    pub status: Option<BankMovementStatus>,
    /// `direction`
    pub direction: Option<Direction>,
    /// `minAmount`: without the sign.
    pub min_amount: Option<Magnitude>,
    /// `maxAmount`: without the sign.
    pub max_amount: Option<Magnitude>,
    /// `from`, the first booking date
    pub from: Option<Date>,
    /// `to`, the last booking date
    pub to: Option<Date>,
    /// `updatedSince`
    pub updated_since: Option<Timestamp>,
    /// `q`: in the description, the name of the other side, and the references.
    pub text: Option<String>,
}

/// Which way money went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The account gained it, or nothing: `in`
    In,
    /// The account lost it: `out`
    Out,
}

svc_core::wire_names!(Direction { In = "in", Out = "out" });

/// What a list of movements can be sorted by; import, and within it the order of the statement, when nothing is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BankMovementSort {
    /// `bookingDate`
    BookingDate,
    /// `amount`, with its sign
    Amount,
    /// `updatedAt`
    UpdatedAt,
}
