//! Amounts that add up to more than can be counted are refused, wherever they are added up.

use svc_business::books::account::AccountCode;
use svc_business::books::entry::Entry;
use svc_business::books::fiscal_year::FiscalYear;
use svc_business::books::ledger::{Sum, Sums};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, ContactId};
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

/// A company with books whose entries move large amounts.
struct Books {
    storage: Storage,
    company: AccountId,
    year: FiscalYear,
    client: ContactId,
}

impl Books {
    async fn begin(storage: Storage) -> Self {
        let (company, year, [client, _]) = with_books(&storage).await;
        Self { storage, company: company.id, year, client }
    }

    /// Posts an entry of two lines on the first day of a month: a debit of the bank, and as much of another account.
    async fn post(
        &self,
        number: u64,
        month: Month,
        minor: i64,
        other: (&str, Option<ContactId>),
    ) -> Result<(), StoreError> {
        let id = u128::from(number);
        let lines = vec![line(id * 10, "5720000", minor, None), line(id * 10 + 1, other.0, -minor, other.1)];
        let entry = Entry { lines, ..entry(self.company, id, first_of(month), self.client) };
        let entry = posted(entry, &self.year, number);
        attempt!(self.storage, |unit| unit.journal().insert(&everything(), &entry))
    }

    async fn sums(&self, through: Date, prefix: Option<AccountCode>) -> Result<Vec<Sum>, StoreError> {
        let asked = Sums { through, closings_before: date!(2025 - 01 - 01), prefix };
        self.storage.ledger().sums(self.company, Currency::EUR, &asked).await
    }
}

/// Each sum that the commit of an entry keeps: of an account in a month, and of what is open of a contact.
pub async fn entries_beyond_what_is_counted_are_refused(storage: Storage) {
    let books = Books::begin(storage).await;
    let (cash, customer) = (("5700000", None), ("4300000", Some(books.client)));
    books.post(1, Month::January, LARGE, customer).await.expect("one of them");
    let of_a_month = books.post(2, Month::January, LARGE, cash).await;
    assert!(matches!(of_a_month, Err(StoreError::OutOfRange)), "{of_a_month:?}");
    let of_a_contact = books.post(2, Month::February, LARGE, customer).await;
    assert!(matches!(of_a_contact, Err(StoreError::OutOfRange)), "{of_a_contact:?}");
    // Nothing of what was refused counts.
    books.post(2, Month::February, 100, cash).await.expect("a small one");
    let sums = books.sums(date!(2025 - 12 - 31), Some(code("5720000"))).await.expect("sums");
    assert_eq!(sums.iter().map(|sum| sum.debit.minor()).collect::<Vec<_>>(), [LARGE + 100]);
}

/// Sums that reports ask for: of several months, and of all lines of a year.
pub async fn sums_beyond_what_is_counted_are_refused(storage: Storage) {
    let books = Books::begin(storage).await;
    for (number, month, minor) in
        [(1, Month::January, LARGE), (2, Month::March, SMALL), (3, Month::May, LARGE)]
    {
        books.post(number, month, minor, ("5700000", None)).await.expect("each counts by itself");
    }
    for (through, counted) in [(Month::February, true), (Month::April, false), (Month::June, false)] {
        let sums = books.sums(first_of(through), None).await;
        let holds = if counted { sums.is_ok() } else { matches!(sums, Err(StoreError::OutOfRange)) };
        assert!(holds, "through {through}: {sums:?}");
    }
    let balances = books.storage.ledger().balances(books.company, Currency::EUR, books.year.span).await;
    assert!(matches!(balances, Err(StoreError::OutOfRange)), "{balances:?}");
}
