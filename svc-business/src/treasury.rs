//! What movements of bank accounts stand for: documents and tax returns that they paid, payments that were recorded before,
//! lines of the journal, accounts of the ledger, and other bank accounts of the company.
//!
//! It stands above sales, purchases and taxes, whose documents and returns it pays. A movement stands for something as a whole, or for nothing:
//! its allocations add up to it. What is said and what that books commit together, and both are [undone](undo) together.

#![warn(clippy::arithmetic_side_effects)]

pub mod automatic;
mod chosen;
mod declared;
mod entry;
mod input;
mod known;
mod matched;
mod open;
mod paid;
pub mod proposal;
mod read;
mod reconcile;
mod refusal;
mod undo;
mod waiting;

pub use self::chosen::Chosen;
pub use self::input::{AllocationRequest, ReconcileRequest};
pub use self::open::{open, reopen};
pub use self::reconcile::reconcile;
pub use self::refusal::ReconcileRefused;
pub use self::undo::undo;
pub use self::waiting::waiting;
