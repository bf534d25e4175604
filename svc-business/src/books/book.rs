//! The books of a company: what its accounting starts from, when it is locked, and what it writes by itself.
//!
//! A company has one set of books, which begin with it: a chart of accounts and the fiscal year of that day.

mod automation;
mod begin;
mod input;
mod open;
mod rules;
mod state;
mod update;
mod year_start;

pub use self::automation::{Automation, Mode};
pub use self::begin::begin;
pub use self::input::{AutomationInput, BookInput};
pub(in crate::books) use self::open::find;
pub(crate) use self::open::locked;
pub use self::state::{Book, BookFilter, BookSort, Subledger};
pub use self::update::{BookError, update};
pub use self::year_start::{YearStart, YearStartError};
