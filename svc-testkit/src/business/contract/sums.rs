//! What the accounts of a ledger hold.

use svc_business::books::account::AccountCode;
use svc_business::books::entry::{Entry, Movement};
use svc_business::books::fiscal_year::Balance;
use svc_business::books::ledger::{Sum, Sums};
use svc_core::id::ContactId;
use svc_core::money::Currency;
use time::macros::date;

use super::books::{code, entry, posted, put, with_books};
use super::{Storage, attempt};
use crate::business::sample::{euros, everything};

/// Sums of whole months, of a part of a month and of closings are those of the lines; drafts count nowhere.
pub async fn sums_are_those_of_the_lines(storage: Storage) {
    let (company, year, [client, other]) = with_books(&storage).await;
    let on = |number, day, contact| entry(company.id, number, day, contact);
    let closing = Entry { closes_year: true, ..on(24, date!(2025 - 12 - 31), client) };
    let entries = [
        posted(on(20, date!(2025 - 01 - 10), client), &year, 1),
        posted(on(21, date!(2025 - 01 - 31), other), &year, 2),
        posted(on(22, date!(2025 - 02 - 15), client), &year, 3),
        on(23, date!(2025 - 01 - 10), client),
        posted(closing, &year, 4),
    ];
    put(&storage, &entries).await;
    let held = async |through, closings_before| {
        let asked = Sums { through, closings_before, prefix: Some(code("572")) };
        let sums = storage.ledger().sums(company.id, Currency::EUR, &asked).await.expect("sums");
        sums.iter().map(|sum: &Sum| sum.debit.minor() - sum.credit.minor()).sum::<i64>()
    };
    for (through, wanted) in [
        (date!(2025 - 01 - 09), 0),
        (date!(2025 - 01 - 10), 100),
        (date!(2025 - 01 - 30), 100),
        (date!(2025 - 01 - 31), 200),
        (date!(2025 - 02 - 14), 200),
        (date!(2025 - 12 - 31), 300),
    ] {
        assert_eq!(held(through, date!(2025 - 01 - 01)).await, wanted, "{through}");
    }
    assert_eq!(held(date!(2025 - 12 - 31), date!(2026 - 01 - 01)).await, 400);
    let days = (date!(2025 - 01 - 31), date!(2026 - 01 - 01));
    let daily = async |accounts: &[AccountCode]| {
        let moved = storage.ledger().daily(company.id, Currency::EUR, accounts, days).await.expect("days");
        moved.into_iter().map(|(day, amount)| (day, amount.minor())).collect::<Vec<_>>()
    };
    // The closing counts on the day after.
    let expected = [(date!(2025 - 01 - 31), 100), (date!(2025 - 02 - 15), 100), (date!(2026 - 01 - 01), 100)];
    assert_eq!(daily(&[code("5720000")]).await, expected);
    assert_eq!((daily(&[code("5700000")]).await, daily(&[]).await), (vec![], vec![]));
    let balances = storage.ledger().balances(company.id, Currency::EUR, year.span).await.expect("balances");
    let of = |account: &str, contact: Option<ContactId>| {
        let found = balances
            .iter()
            .find(|balance: &&Balance| balance.account == code(account) && balance.contact == contact);
        found.map(|balance| balance.amount.minor())
    };
    assert_eq!(
        (of("5720000", None), of("4300000", Some(client)), of("4300000", Some(other))),
        (Some(400), Some(-300), Some(-100))
    );
    // What is erased or replaced takes back what it added.
    let [first, ..] = &entries;
    let mut smaller = Entry { version: first.version.next(), ..first.clone() };
    for line in &mut smaller.lines {
        let half = line.movement.signed().minor() / 2;
        line.movement = Movement::of_balance(euros(half)).expect("not zero");
    }
    attempt!(storage, |unit| unit.journal().replace(&everything(), first, &smaller)).expect("replace");
    assert_eq!(held(date!(2025 - 03 - 01), date!(2025 - 01 - 01)).await, 250);
    assert!(storage.ledger().has_lines(company.id, code("4300000")).await.expect("read"));
    assert!(!storage.ledger().has_lines(company.id, code("4000000")).await.expect("read"));
}
