//! Amounts that add up to more than can be counted are refused, wherever they are added up.

use svc_business::books::entry::{Entry, Line};
use svc_business::books::ledger::Sums;
use svc_core::error::StoreError;
use svc_core::money::Currency;
use time::macros::date;
use time::{Date, Month};

use super::books::{code, entry, line, posted, with_books};
use super::{Storage, attempt};
use crate::business::sample::everything;

/// Of two such amounts the sum is no whole number of 64 bits.
const LARGE: i64 = 8_900_000_000_000_000_000;
/// A whole number of 64 bits with a large one, and yet no amount.
const SMALL: i64 = 300_000_000_000_000_000;

fn first_of(month: Month) -> Date {
    Date::from_calendar_date(2025, month, 1).expect("a day")
}

/// Each sum that the commit of an entry keeps: of an account in a month, and of what is open of a contact.
pub async fn entries_beyond_what_is_counted_are_refused(storage: Storage) {
    let (company, year, [client, _]) = with_books(&storage).await;
    let put = async |number: u64, month: Month, lines: [Line; 2]| {
        let entry =
            Entry { lines: lines.into(), ..entry(company.id, u128::from(number), first_of(month), client) };
        let entry = posted(entry, &year, number);
        attempt!(storage, |unit| unit.journal().insert(&everything(), &entry))
    };
    let moves = |number, minor, other, contact| {
        [line(number, "5720000", minor, None), line(number + 1, other, -minor, contact)]
    };
    put(1, Month::January, moves(100, LARGE, "4300000", Some(client))).await.expect("one of them");
    let of_a_month = put(2, Month::January, moves(110, LARGE, "5700000", None)).await;
    assert!(matches!(of_a_month, Err(StoreError::OutOfRange)), "{of_a_month:?}");
    let of_a_contact = put(2, Month::February, moves(110, LARGE, "4300000", Some(client))).await;
    assert!(matches!(of_a_contact, Err(StoreError::OutOfRange)), "{of_a_contact:?}");
    // Nothing of what was refused counts.
    put(2, Month::February, moves(110, 100, "5700000", None)).await.expect("a small one");
    let through = Sums {
        through: date!(2025 - 12 - 31),
        closings_before: date!(2025 - 01 - 01),
        prefix: Some(code("5720000")),
    };
    let sums = storage.ledger().sums(company.id, Currency::EUR, &through).await.expect("sums");
    assert_eq!(sums.iter().map(|sum| sum.debit.minor()).collect::<Vec<_>>(), [LARGE + 100]);
}

/// Sums that reports ask for: of several months, and of all lines of a year.
pub async fn sums_beyond_what_is_counted_are_refused(storage: Storage) {
    let (company, year, [client, _]) = with_books(&storage).await;
    for (number, month, minor) in
        [(1, Month::January, LARGE), (2, Month::March, SMALL), (3, Month::May, LARGE)]
    {
        let lines = [
            line(100 + u128::from(number), "5720000", minor, None),
            line(200 + u128::from(number), "5700000", -minor, None),
        ];
        let entry =
            Entry { lines: lines.into(), ..entry(company.id, u128::from(number), first_of(month), client) };
        let entry = posted(entry, &year, number);
        attempt!(storage, |unit| unit.journal().insert(&everything(), &entry))
            .expect("each counts by itself");
    }
    for (through, counted) in [(Month::February, true), (Month::April, false), (Month::June, false)] {
        let asked = Sums { through: first_of(through), closings_before: date!(2025 - 01 - 01), prefix: None };
        let sums = storage.ledger().sums(company.id, Currency::EUR, &asked).await;
        let holds = if counted { sums.is_ok() } else { matches!(sums, Err(StoreError::OutOfRange)) };
        assert!(holds, "through {through}: {sums:?}");
    }
    let balances = storage.ledger().balances(company.id, Currency::EUR, year.span).await;
    assert!(matches!(balances, Err(StoreError::OutOfRange)), "{balances:?}");
}
