//! Reports on the books: functions from what accounts moved to tables that people and programs read.
//!
//! A store sums what was posted into [`Movement`]s, one per account and span of days; everything else is computed
//! here, in the base currency of the books. What closes a year is kept apart in them, so that a report of a closed
//! year can still show its result ([`Closing::Excluded`]).
//!
//! Every report is a plain structure that serialises with the names of the wire, amounts as decimal strings, and
//! writes itself as CSV.

mod csv;
mod movement;
mod period;
#[cfg(test)]
mod tests;
mod trial_balance;
mod wire;

pub use self::movement::{AccountNames, Closing, Movement, ReportAccount, Sides};
pub use self::period::{Period, PeriodError};
pub use self::trial_balance::{Figures, Level, LevelError, TrialBalance, TrialBalanceQuery, TrialBalanceRow};
