//! Lines of entries as rows: with their entry, and by themselves in a list.

use sea_orm::{QueryResult, Value};
use svc_business::books::account::AccountCode;
use svc_business::books::entry::{Entry, Line, Movement};
use svc_business::books::journal::{EntryStatusFilter, JournalLine, LineFilter, LineSort};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId};
use svc_core::money::{Amount, Currency};

use super::entry::{code_of, order_key};
use super::prefixed;
use crate::business::cell::{Cell, Columns, Stored, numbered};
use crate::business::record::{Count, FEW, Row, columns};
use crate::statement::Sql;
use crate::value::broken;

/// The columns of a line as a part of its entry, in the order of [`row_of`].
pub(super) const COLUMNS: &[&str] = &[
    "id",
    "account_code",
    "debit",
    "credit",
    "amount_currency",
    "contact_id",
    "posted_contact_id",
    "description",
    "due_date",
    "posted_due_date",
    "dimensions",
    "entry_status",
    "kind",
    "date",
    "number",
    "closes_year",
    "opens_year",
    "base_currency",
    "currency",
    "order_key",
];

/// The row of each line of an entry.
pub(super) fn rows_of(entry: &Entry) -> Vec<Vec<Value>> {
    let number = entry.status.posting().map(|posting| posting.number);
    let row = |line: &Line| {
        let mut values = Vec::with_capacity(COLUMNS.len());
        line.store(&mut values);
        values.extend([
            code_of(&entry.status).put(),
            entry.kind.put(),
            entry.date.put(),
            number.put(),
            entry.closes_year.put(),
            entry.opens_year.put(),
            entry.base_currency.put(),
            entry.currency.put(),
            order_key(entry).put(),
        ]);
        values
    };
    entry.lines.iter().map(row).collect()
}

/// What a line moves in the currency of its books, or in that of its entry.
fn moving(sql: Sql, amount: Amount) -> Sql {
    let (minor, currency) = (amount.minor(), amount.currency());
    let sql =
        sql.text(" AND ((debit - credit = ").bind(minor).text(" AND base_currency = ").bind(currency.code());
    let sql = sql.text(") OR (amount_currency = ").bind(minor).text(" AND currency = ");
    sql.bind(currency.code()).text("))")
}

impl Row for JournalLine {
    const TABLE: &'static str = "svc_journal_lines";

    columns! {
        {
        company: "company_id",
        entry: "entry_id",
        position: "position",
        number: "number",
        status: "entry_status",
        kind: "kind",
        date: "date",
        closes_year: "closes_year",
        base_currency: "base_currency",
        currency: "currency",
        line: "id" | "account_code" | "debit" | "credit" | "amount_currency" | "contact_id" | "posted_contact_id"
            | "description" | "due_date" | "posted_due_date" | "dimensions",
        }
        children {  }
        derived {  }
    }

    fn companies(filter: &LineFilter) -> &[AccountId] {
        &filter.companies
    }

    fn filtered(sql: Sql, filter: &LineFilter) -> Sql {
        let statuses = if filter.statuses.is_empty() {
            &[EntryStatusFilter::Posted, EntryStatusFilter::Reversed]
        } else {
            filter.statuses.as_slice()
        };
        let sql = sql.text(" AND entry_status").listed(statuses.iter().map(Stored::to_sql));
        let sql = sql
            .and(" AND account_code = ", filter.account.map(|code| code.to_sql()))
            .and(" AND contact_id = ", filter.contact.map(TypedId::uuid))
            .and(" AND entry_id = ", filter.entry.map(TypedId::uuid))
            .and(" AND kind = ", filter.kind.map(svc_business::books::entry::EntryKind::name))
            .and(" AND order_key >= ", filter.from.map(|date| date.to_sql()))
            .and(" AND order_key < ", filter.to.map(|date| format!("{}~", date.to_sql())));
        let sql = prefixed(sql, "account_code", filter.prefix);
        let sql = match filter.moved {
            Some(amount) => moving(sql, amount),
            None => sql,
        };
        let sql = match &filter.entries {
            Some(entries) => sql.text(" AND entry_id").one_or_among(entries.iter().map(|id| id.uuid())),
            None => sql,
        };
        let Some(since) = filter.updated_since else { return sql };
        let companies = filter.companies.iter().map(|company| company.uuid()).collect::<Vec<_>>();
        sql.text(" AND entry_id").selected(|sql| {
            let sql = sql.text("SELECT id FROM svc_journal_entries WHERE company_id").one_or_among(companies);
            sql.text(" AND updated_at >= ").bind(since.unix_micros())
        })
    }

    fn count(filter: &LineFilter) -> Count<'_, LineFilter> {
        let LineFilter { companies, statuses, account, prefix, kind, .. } = filter.clone();
        let kinds = LineFilter { companies, statuses, account, prefix, kind, ..LineFilter::default() };
        if *filter == kinds { Count::Kept } else { Count::Each }
    }

    fn is_narrow(filter: &LineFilter, total: u64) -> bool {
        let few = filter.contact.is_some() || filter.entries.is_some() || filter.updated_since.is_some();
        filter.entry.is_some() || (few && total <= FEW)
    }

    fn sort_column(key: LineSort) -> &'static str {
        match key {
            LineSort::Date => "order_key",
        }
    }
}

/// The columns of a line; its amounts are in the currencies that the row names.
impl Columns for Line {
    fn store(&self, values: &mut Vec<Value>) {
        values.extend([
            self.id.put(),
            self.account.put(),
            self.movement.debited().minor().put(),
            self.movement.credited().minor().put(),
            self.amount_currency.map(Amount::minor).put(),
            self.contact.put(),
            self.posted_contact.put(),
            self.description.put(),
            self.due_date.put(),
            self.posted_due_date.put(),
            self.dimensions.put(),
        ]);
    }

    fn load(row: &QueryResult, _columns: &[&'static str]) -> Result<Self, StoreError> {
        let (base, currency) = (Currency::take(row, "base_currency")?, Currency::take(row, "currency")?);
        let amount =
            |minor, currency| Amount::from_minor(minor, currency).map_err(|_| broken("journal_lines.debit"));
        let (debit, credit) = (i64::take(row, "debit")?, i64::take(row, "credit")?);
        let movement = Movement::of_balance(amount(debit - credit, base)?);
        let foreign: Option<i64> = Cell::take(row, "amount_currency")?;
        Ok(Self {
            id: Cell::take(row, "id")?,
            account: AccountCode::take(row, "account_code")?,
            movement: movement.ok_or_else(|| broken("journal_lines.debit"))?,
            amount_currency: foreign.map(|minor| amount(minor, currency)).transpose()?,
            contact: Cell::take(row, "contact_id")?,
            posted_contact: Cell::take(row, "posted_contact_id")?,
            description: Cell::take(row, "description")?,
            due_date: Cell::take(row, "due_date")?,
            posted_due_date: Cell::take(row, "posted_due_date")?,
            dimensions: Cell::take(row, "dimensions")?,
        })
    }
}

// A status is that of the entry.
numbered!(EntryStatusFilter { Draft = 0, Posted = 1, Reversed = 2 });
