//! Where companies have their money, and what moved there.

mod account;
mod import;
mod movement;
mod reconciliation;

pub(super) use self::account::leave_ledger;
