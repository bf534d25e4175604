//! Bank accounts: where the money of a company is, each with an account of its ledger.
//!
//! A bank account is counted by one account of the ledger, which counts no other: what payments and statements move is
//! an entry on it. A new one gets the next free account under 572, a cash box one under 570, unless it names one that
//! the ledger has. One account of a company is the default, the first one at the beginning.
//!
//! Each IBAN is that of one active account of a company. A caller who sees it masked is not told that another account
//! has the one that they wrote: it stands beside that one.

#![warn(clippy::arithmetic_side_effects)]

mod balances;
mod banks;
mod create;
pub mod import;
mod input;
mod ledger;
mod list;
pub mod movement;
mod paid;
mod peers;
mod ports;
mod record;
mod rules;
mod state;
mod update;

pub use self::balances::daily_balances;
pub use self::create::create;
pub use self::input::BankAccountInput;
pub use self::list::{BankAccountFilter, BankAccountSort};
pub(crate) use self::paid::paid_by;
pub use self::ports::{BankAccountReader, BankAccountStore};
pub use self::state::{BankAccount, BankAccountStatus, BankAccountType, OpeningBalance};
pub use self::update::update;

/// Bank accounts of a company at most.
pub const MOST: usize = 200;
