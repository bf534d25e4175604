//! Accounts of the general ledger: their codes, and what a code says about its account.
//!
//! The Spanish chart is decimal: each digit narrows what the digits before it name, so the first ones say what kind
//! of account it is. A code shorter than the books' codes is a heading; only an account of full length takes
//! entries.

mod code;
mod kind;
mod normal_balance;
mod tax_role;
#[cfg(test)]
mod tests;

pub use self::code::{AccountCode, AccountCodeError, CodeLength, CodeLengthError};
pub use self::kind::{AccountType, OverrideError};
pub use self::normal_balance::NormalBalance;
pub use self::tax_role::TaxRole;
