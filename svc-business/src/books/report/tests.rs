//! What the tests of reports share: a journal of random balanced entries over the whole chart.

mod aged;
mod ledgers;
mod statements;
mod trial_balance;
mod vat_register;

use std::collections::BTreeMap;

use proptest::prelude::*;
use svc_core::money::{Amount, Currency};
use time::macros::date;
use time::{Date, Duration};

use super::*;
use crate::books::account::{AccountCode, AccountType, CodeLength, NormalBalance};
use crate::books::chart::Chart;

fn code(text: &str) -> AccountCode {
    text.parse().expect("a code")
}

fn cents(minor: i64) -> Amount {
    Amount::from_minor(minor, Currency::EUR).expect("in range")
}

fn period(from: Date, to: Date) -> Period {
    Period::new(from, to).expect("days in order")
}

fn year() -> Period {
    period(date!(2025 - 01 - 01), date!(2025 - 12 - 31))
}

fn account(text: &str) -> ReportAccount {
    let code = code(text);
    let account_type = AccountType::of(code);
    let normal_balance = NormalBalance::of(code, account_type);
    ReportAccount { code, name: format!("account {text}"), account_type, normal_balance }
}

/// The names of the headings of the chart.
fn names() -> AccountNames {
    let accounts = Chart::EsPgcPymes.accounts(CodeLength::default());
    accounts.into_iter().map(|account| (account.code, account.name.to_owned())).collect()
}

/// One line of a posted entry.
#[derive(Clone, Debug)]
struct Posted {
    date: Date,
    account: String,
    /// Debit minus credit.
    minor: i64,
    /// Whether the regularisation or the closing of the year posted it.
    closes: bool,
}

fn line(date: Date, account: &str, minor: i64) -> Posted {
    Posted { date, account: account.to_owned(), minor, closes: false }
}

/// What a store sums for a report of these days.
fn movements(lines: &[Posted], period: Period) -> Vec<Movement> {
    let mut found: BTreeMap<&str, Movement> = BTreeMap::new();
    for line in lines.iter().filter(|line| line.date <= period.to()) {
        let zero = Sides::zero(Currency::EUR);
        let fresh =
            || Movement { account: account(&line.account), opening: cents(0), moved: zero, closing: zero };
        let movement = found.entry(&line.account).or_insert_with(fresh);
        let sides = Sides { debit: cents(line.minor.max(0)), credit: cents((-line.minor).max(0)) };
        if line.date < period.from() {
            movement.opening = movement.opening.plus(cents(line.minor)).expect("in range");
        } else if line.closes {
            movement.closing = movement.closing.plus(sides).expect("in range");
        } else {
            movement.moved = movement.moved.plus(sides).expect("in range");
        }
    }
    found.into_values().collect()
}

/// Accounts of the chart and some that a company added by hand, in and out of what the chart has.
fn accounts() -> impl Strategy<Value = String> {
    let chart = Chart::EsPgcPymes.accounts(CodeLength::default());
    let postable: Vec<String> =
        chart.iter().filter(|account| account.postable).map(|account| account.code.to_string()).collect();
    prop_oneof![4 => prop::sample::select(postable), 1 => "[1-9][0-9]{6}"]
}

/// Entries of two or three lines that add up to zero, in 2025.
fn journals() -> impl Strategy<Value = Vec<Posted>> {
    let entry =
        (0_i64..365, accounts(), accounts(), accounts(), -1_000_000_i64..1_000_000, -1_000_i64..1_000);
    prop::collection::vec(entry, 0..30).prop_map(|entries| {
        let lines = entries.into_iter().flat_map(|(day, first, second, third, minor, rest)| {
            let date = date!(2025 - 01 - 01) + Duration::days(day);
            let amounts = [(first, minor), (second, rest), (third, -minor - rest)];
            amounts.into_iter().map(move |(account, minor)| line(date, &account, minor))
        });
        lines.collect()
    })
}
