//! What a company needs once a day, after its midnight: quotes, notices and envelopes expire, signers are reminded, tax
//! returns are made that are owed, fixed assets depreciate, and the next fiscal year opens.
//!
//! Each company has one [job](crate::job) for it from its founding, so several servers share the work and the trouble of
//! one company is no other's. Every step is a unit of work of its own and does what is left to do, so a day that is run
//! twice, or half, does nothing twice.

mod day;
mod report;
mod steps;

pub use self::day::run;
pub use self::report::DayReport;
