//! The accounts of a company's ledger: a chart that the company changes as it needs.

mod change;
mod create;
mod input;
mod rules;
mod state;

pub use self::change::{AccountInUse, delete, update};
pub use self::create::create;
pub use self::input::LedgerAccountInput;
pub use self::state::{LedgerAccount, LedgerFilter, LedgerSort, LedgerStatus, Sum, Sums};
