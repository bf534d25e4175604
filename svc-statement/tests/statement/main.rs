//! Statements of every format, read.

mod any;
mod bounds;
mod camt;
mod csv;
mod detect;
mod hostile;
mod n43;
mod roundtrip;
mod samples;
mod writers;

use svc_core::money::{Amount, Currency};
use svc_statement::{Format, Options, ReadError, Statement};
use time::{Date, Month};

/// Reads a file of an account in euros.
fn read(bytes: &[u8]) -> Result<Vec<Statement>, ReadError> {
    svc_statement::read(bytes, &Options::new(Currency::EUR))
}

/// Reads a file of a format that is known.
fn read_as(format: Format, bytes: &[u8]) -> Result<Vec<Statement>, ReadError> {
    svc_statement::read(bytes, &Options { format: Some(format), ..Options::new(Currency::EUR) })
}

/// Reads the one statement of a file.
fn one(text: &str) -> Statement {
    let mut statements = read(text.as_bytes()).expect("a statement");
    assert_eq!(statements.len(), 1);
    statements.remove(0)
}

/// Why a text is refused.
fn refusal(text: &str) -> ReadError {
    read(text.as_bytes()).expect_err("refused")
}

fn eur(text: &str) -> Amount {
    Amount::parse(text, Currency::EUR).expect("an amount")
}

fn day(year: i32, month: u8, day: u8) -> Date {
    Date::from_calendar_date(year, Month::try_from(month).expect("a month"), day).expect("a date")
}
