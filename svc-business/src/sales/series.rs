//! Series: how sales documents are numbered.
//!
//! Issuing a document takes the next sequence of its series. Dates of issue never go back within a series (RD
//! 1619/2012 art. 6.1.a asks for numbers that follow each other), so the last date and sequence are all that is to be
//! known: a later year begins anew where the series does so, and no earlier year gets another number. The unit of work
//! that issues keeps the series locked from reading it to saving it, so that no number is given twice and one that is
//! rolled back leaves no gap.

mod choice;
mod code;
mod number;
mod pattern;
mod rules;
mod state;

pub use self::choice::{STANDARD, find_default};
pub use self::code::{DocumentNumber, SeriesCode, SeriesCodeError};
pub use self::number::{Exhausted, Numbered};
pub use self::pattern::{Pattern, PatternError};
pub use self::rules::{judge, judge_change};
pub use self::state::{LastIssued, Series};
