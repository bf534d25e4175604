//! What accounts moved in some days.

use std::collections::BTreeMap;
use svc_core::error::StoreError;
use svc_core::money::MoneyError;
use time::Date;

use crate::account::Account;
use crate::books::account::AccountCode;
use crate::books::ledger::{LedgerAccount, Sum, Sums};
use crate::books::report::{AccountNames, Movement, Period, ReportAccount, Sides};
use crate::ports::BooksStorage;

/// What each account of a company moved in some days, in the order of the codes, and the names of all: for reports of
/// balances. What closed the years before the one that the days end in is moved as all else is.
///
/// # Errors
/// When the store failed, or a sum is out of range.
pub async fn movements<S: BooksStorage + ?Sized>(
    storage: &S,
    company: &Account,
    period: Period,
) -> Result<(Vec<Movement>, AccountNames), StoreError> {
    let years = storage.fiscal_years().of_company(company.id).await?;
    let last_year = years.iter().find(|year| year.contains(period.to()));
    let closings_before = last_year.map_or(period.to(), |year| year.span.start());
    moved(storage, company, period, closings_before).await
}

/// The same for reports of income and expenses: what closes any year within the days is told apart, so that the result
/// of days that cross the end of a closed year is that of all of them.
///
/// # Errors
/// As [`movements`].
pub async fn flows<S: BooksStorage + ?Sized>(
    storage: &S,
    company: &Account,
    period: Period,
) -> Result<(Vec<Movement>, AccountNames), StoreError> {
    moved(storage, company, period, period.from()).await
}

async fn moved<S: BooksStorage + ?Sized>(
    storage: &S,
    company: &Account,
    period: Period,
    closings_before: Date,
) -> Result<(Vec<Movement>, AccountNames), StoreError> {
    let (ledger, currency) = (storage.ledger(), company.base_currency);
    let all = period.to().next_day().unwrap_or(period.to());
    let sums = async |through, closings_before| {
        let asked = Sums { through, closings_before, prefix: None };
        Ok::<_, StoreError>(by_code(ledger.sums(company.id, currency, &asked).await?))
    };
    let before = match period.from().previous_day() {
        Some(day) => sums(day, closings_before).await?,
        None => BTreeMap::new(),
    };
    let (until, with_closings) = (sums(period.to(), closings_before).await?, sums(period.to(), all).await?);
    let accounts = ledger.all(company.id).await?;
    let movement = |account: &LedgerAccount| {
        let of = |sums: &BTreeMap<AccountCode, Sides>| {
            sums.get(&account.code).copied().unwrap_or(Sides::zero(currency))
        };
        let (before, until, all) = (of(&before), of(&until), of(&with_closings));
        Ok::<_, MoneyError>(Movement {
            account: ReportAccount {
                code: account.code,
                name: account.name.clone(),
                account_type: account.account_type,
                normal_balance: account.normal_balance(),
            },
            opening: before.balance()?,
            moved: until.minus(before)?,
            closing: all.minus(until)?,
        })
    };
    let postable = accounts.iter().filter(|account| account.postable);
    let movements = postable.map(movement).collect::<Result<Vec<_>, _>>()?;
    Ok((movements, accounts.into_iter().map(|account| (account.code, account.name)).collect()))
}

fn by_code(sums: Vec<Sum>) -> BTreeMap<AccountCode, Sides> {
    sums.into_iter().map(|Sum { account, debit, credit }| (account, Sides { debit, credit })).collect()
}
