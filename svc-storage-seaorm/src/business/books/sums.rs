//! What lines add up to: whole months are kept; from the last one is taken what its lines of later days add up to. For the
//! day on which a report is mostly asked for there are none.

use sea_orm::QueryResult;
use svc_business::books::account::AccountCode;
use svc_business::books::fiscal_year::{Balance, Span};
use svc_business::books::ledger::{Sum, Sums};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId};
use svc_core::money::{Amount, Currency};
use time::Date;

use super::prefixed;
use crate::business::cell::{Cell, Stored};
use crate::statement::Sql;

/// The account of a line, not to be found by its index: that would read all lines of the account, where the days are few.
const ACCOUNT: &str = "account_code || ''";

/// The day of a line, not to be walked along by its index: that would read the lines of all accounts, where one is asked for.
const DAY: &str = "date || ''";

/// Account, debits and credits through a day.
pub(super) fn through(sql: Sql, company: AccountId, asked: &Sums) -> Sql {
    let Sums { through, closings_before, prefix } = *asked;
    let (month, last) = month_of(through);
    let add = "CAST(sum(debit) AS bigint) AS debit, CAST(sum(credit) AS bigint) AS credit";
    let part = "SELECT account_code, debit, credit FROM ";
    let sql = sql.text(&format!("SELECT account_code, {add} FROM ({part}svc_balances WHERE company_id = "));
    let sql = prefixed(sql.bind(company.uuid()).text(" AND month <= ").bind(month), "account_code", prefix);
    let sql = sql.text(" UNION ALL SELECT account_code, -debit, -credit FROM ");
    let sql = lines(sql, company, "NOT closes_year");
    let sql = sql.text(" AND date > ").bind(through.to_sql()).text(" AND date <= ").bind(last.to_sql());
    let sql = prefixed(sql, ACCOUNT, prefix);
    let sql = lines(sql.text(&format!(" UNION ALL {part}")), company, "closes_year");
    let sql = sql.text(" AND date <= ").bind(through.to_sql());
    let sql = sql.text(" AND date < ").bind(closings_before.to_sql());
    prefixed(sql, ACCOUNT, prefix).text(
        ") AS parts GROUP BY account_code \
         HAVING sum(debit) <> 0 OR sum(credit) <> 0 ORDER BY account_code",
    )
}

/// Day by day what lines of these accounts add up to.
pub(super) fn daily(
    sql: Sql,
    (company, which): (AccountId, &str),
    accounts: &[AccountCode],
    (first, last): (Date, Date),
) -> Sql {
    let sql =
        sql.text(&format!("SELECT {DAY} AS date, CAST(sum(debit) - sum(credit) AS bigint) AS moved FROM "));
    // By the order of the lines of an account: its index holds that, and not the days by themselves.
    let sql = lines(sql, company, which).text(" AND order_key >= ").bind(first.to_sql());
    let sql = sql.text(" AND order_key < ").bind(format!("{}~", last.to_sql())).text(" AND account_code");
    sql.listed(accounts.iter().map(Stored::to_sql)).text(&format!(" GROUP BY {DAY} ORDER BY {DAY}"))
}

/// Account, contact, debits and credits of a span.
pub(super) fn within(sql: Sql, company: AccountId, span: Span) -> Sql {
    let part = "SELECT account_code, contact_id, debit, credit FROM ";
    let (from, to) = (span.start().to_sql(), span.end().to_sql());
    let dated = |sql: Sql| sql.text(" AND date >= ").bind(&*from).text(" AND date <= ").bind(&*to);
    let sql = sql.text("SELECT account_code, contact_id, CAST(sum(debit) AS bigint) AS debit, ");
    let sql = sql.text(&format!("CAST(sum(credit) AS bigint) AS credit FROM ({part}"));
    let sql = dated(lines(sql, company, "NOT closes_year")).text(&format!(" UNION ALL {part}"));
    let sql = dated(lines(sql, company, "closes_year"));
    sql.text(
        ") AS parts GROUP BY account_code, contact_id HAVING sum(debit) <> sum(credit) ORDER BY account_code",
    )
}

fn lines(sql: Sql, company: AccountId, which: &str) -> Sql {
    let sql = sql.text("svc_journal_lines WHERE entry_status > 0 AND ").text(which);
    sql.text(" AND company_id = ").bind(company.uuid())
}

/// The month of a day (`YYYYMM`), and its last day.
fn month_of(day: Date) -> (i32, Date) {
    let (year, month) = (day.year(), day.month());
    let last = Date::from_calendar_date(year, month, month.length(year)).unwrap_or(day);
    (year * 100 + i32::from(u8::from(month)), last)
}

pub(super) fn sum(row: &QueryResult, currency: Currency) -> Result<Sum, StoreError> {
    let account = AccountCode::take(row, "account_code")?;
    Ok(Sum { account, debit: amount(row, "debit", currency)?, credit: amount(row, "credit", currency)? })
}

pub(super) fn balance(row: &QueryResult, currency: Currency) -> Result<Balance, StoreError> {
    let (debit, credit) = (amount(row, "debit", currency)?, amount(row, "credit", currency)?);
    Ok(Balance {
        account: AccountCode::take(row, "account_code")?,
        contact: Cell::take(row, "contact_id")?,
        amount: debit.minus(credit)?,
    })
}

pub(super) fn amount(
    row: &QueryResult,
    column: &'static str,
    currency: Currency,
) -> Result<Amount, StoreError> {
    Ok(Amount::from_minor(i64::take(row, column)?, currency)?)
}
