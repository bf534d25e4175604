//! What reports show line by line.

use std::collections::HashMap;

use async_trait::async_trait;
use sea_orm::QueryResult;
use svc_business::books::ReportReader;
use svc_business::books::account::AccountCode;
use svc_business::books::entry::{Entry, Movement};
use svc_business::books::ledger::Sum;
use svc_business::books::report::{
    AgedSide, Counted, CountedIn, DueQuery, DueSum, LedgerQuery, OpenBalance, Period, PostedLine, TaggedEntry,
};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, ContactId, JournalEntryId, TypedId};
use svc_core::money::{Amount, Currency};
use time::Date;

use super::{entry, prefixed, sums};
use crate::business::cell::{Cell, Stored};
use crate::business::everything;
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::transaction::DeferInsert;
use crate::value::broken;

/// So many entries are looked up at once.
const AT_ONCE: usize = 500;

const SIDES: &str = "CAST(sum(debit) AS bigint) AS debit, CAST(sum(credit) AS bigint) AS credit";

#[async_trait]
impl<C: DeferInsert + Send + Sync> ReportReader for SeaStore<C> {
    async fn ledger_lines(
        &self,
        company: AccountId,
        currency: Currency,
        asked: &LedgerQuery,
        limit: u32,
    ) -> Result<Vec<(AccountCode, PostedLine)>, StoreError> {
        // The text of an entry is looked up for each line: a join would read all entries where there are no statistics.
        let lines = self.sql(
            "SELECT account_code, date, number, position, entry_id, contact_id, debit, credit, \
             coalesce(description, (SELECT entry.description FROM svc_journal_entries AS entry \
             WHERE entry.company_id = svc_journal_lines.company_id AND entry.id = svc_journal_lines.entry_id)) AS text \
             FROM svc_journal_lines WHERE entry_status > 0 AND company_id = ",
        );
        let lines = within(lines.bind(company.uuid()), asked.period);
        let lines = lines
            .and(" AND account_code = ", asked.account.map(|code| code.to_sql()))
            .and(" AND contact_id = ", asked.contact.map(TypedId::uuid));
        let lines = prefixed(lines, "account_code", asked.prefix).text(" LIMIT ").bind(i64::from(limit));
        let mut lines =
            self.rows(lines).await?.iter().map(|row| line(row, currency)).collect::<Result<Vec<_>, _>>()?;
        lines.sort_by_key(|(_, line, position)| (line.date, line.entry_number, *position));
        Ok(lines.into_iter().map(|(account, line, _)| (account, line)).collect())
    }

    async fn contact_sums(
        &self,
        company: AccountId,
        currency: Currency,
        contact: ContactId,
        before: Date,
    ) -> Result<Vec<Sum>, StoreError> {
        // SQLite would rather walk the company in the order of its accounts, if they were grouped by the column itself.
        let text = format!(
            "SELECT account_code || '' AS account_code, {SIDES} FROM svc_journal_lines WHERE entry_status > 0"
        );
        let found = self.sql(&text).text(" AND company_id = ").bind(company.uuid());
        let found = found.text(" AND contact_id = ").bind(contact.uuid());
        let found = found.text(" AND order_key < ").bind(before.to_sql()).text(" GROUP BY 1");
        self.rows(found).await?.iter().map(|row| sums::sum(row, currency)).collect()
    }

    async fn posted_within(
        &self,
        company: AccountId,
        period: Period,
        after: Option<(Date, u64)>,
        limit: u32,
    ) -> Result<Vec<Entry>, StoreError> {
        let found = within(self.entries_of(company), period);
        let found = found.and(" AND order_key > ", after.map(|(date, number)| entry::key_of(date, number)));
        let found = found.text(" AND status > 0 ORDER BY order_key LIMIT ").bind(i64::from(limit));
        let rows = self.rows(found).await?;
        self.with_children(&everything(), &rows).await
    }

    async fn open_balances(
        &self,
        company: AccountId,
        currency: Currency,
        side: AgedSide,
        as_of: Date,
    ) -> Result<Vec<OpenBalance>, StoreError> {
        self.open_on(company, currency, side, as_of).await
    }

    async fn due_sums(
        &self,
        company: AccountId,
        currency: Currency,
        asked: DueQuery,
        contacts: &[Option<ContactId>],
    ) -> Result<Vec<DueSum>, StoreError> {
        self.due_of(company, currency, asked, contacts).await
    }

    async fn tags_within(
        &self,
        company: AccountId,
        period: Period,
        limit: u32,
    ) -> Result<Vec<TaggedEntry>, StoreError> {
        let tags = self.sql(
            "SELECT entry_id, kind, tax_code, currency, base, quota, deductible_quota, tax_date, exemption, \
             supply, rectifies, contact_id, posted_contact_id FROM svc_tax_tags WHERE entry_status > 0 AND company_id = ",
        );
        let tags = tags.bind(company.uuid()).text(" AND tax_date >= ").bind(period.from().to_sql());
        let tags = tags.text(" AND tax_date <= ").bind(period.to().to_sql());
        let rows = self.rows(tags.text(" LIMIT ").bind(i64::from(limit))).await?;
        let mut tagged = Vec::with_capacity(rows.len());
        for some in rows.chunks(AT_ONCE) {
            self.with_entries(company, some, &mut tagged).await?;
        }
        Ok(tagged)
    }

    async fn counted(&self, asked: &[CountedIn]) -> Result<Vec<u64>, StoreError> {
        let mut counts = vec![0; asked.len()];
        // A statement of SQLite has 500 parts at most.
        for (at, some) in asked.chunks(COUNTS).enumerate() {
            let first = at.saturating_mul(COUNTS);
            let sql = some.iter().enumerate().fold(self.sql(""), |sql, (at, one)| count(sql, at, one));
            for row in self.rows(sql).await? {
                let (place, number): (i64, i64) = (Cell::take(&row, "place")?, Cell::take(&row, "number")?);
                let place = usize::try_from(place).ok().and_then(|place| first.checked_add(place));
                if let Some(count) = place.and_then(|place| counts.get_mut(place)) {
                    *count = u64::try_from(number).map_err(StoreError::backend)?;
                }
            }
        }
        Ok(counts)
    }
}

/// So many numbers are counted by one statement.
const COUNTS: usize = 50;

/// Adds the count of what was posted in some days, which an index holds.
fn count(sql: Sql, at: usize, one: &CountedIn) -> Sql {
    let union = if at == 0 { "" } else { " UNION ALL " };
    let (table, posted) = match one.what {
        Counted::Tags => ("svc_tax_tags", "entry_status > 0"),
        Counted::Entries => ("svc_journal_entries", "status > 0"),
    };
    let sql =
        sql.text(&format!("{union}SELECT CAST({at} AS bigint) AS place, count(*) AS number FROM {table}"));
    let sql = sql.text(&format!(" WHERE {posted} AND company_id = ")).bind(one.company.uuid());
    match one.what {
        Counted::Tags => sql
            .text(" AND tax_date >= ")
            .bind(one.period.from().to_sql())
            .text(" AND tax_date <= ")
            .bind(one.period.to().to_sql()),
        Counted::Entries => within(sql, one.period),
    }
}

impl<C: DeferInsert + Send + Sync> SeaStore<C> {
    /// Adds these tags with what a register shows of their entries.
    async fn with_entries(
        &self,
        company: AccountId,
        tags: &[QueryResult],
        tagged: &mut Vec<TaggedEntry>,
    ) -> Result<(), StoreError> {
        let of = |row: &QueryResult| <JournalEntryId as Cell>::take(row, "entry_id");
        let ids = tags.iter().map(of).collect::<Result<Vec<_>, _>>()?;
        let found = self.sql(
            "SELECT id, number, date, reference, source_type, source_id, reverses_id \
             FROM svc_journal_entries WHERE company_id = ",
        );
        let found = found.bind(company.uuid()).text(" AND id").one_or_among(ids.iter().map(|id| id.uuid()));
        let mut entries = HashMap::new();
        for row in self.rows(found).await? {
            entries.insert(<JournalEntryId as Cell>::take(&row, "id")?, row);
        }
        let received = self.received(company, &entries).await?;
        for (row, id) in tags.iter().zip(ids) {
            let entry = entries.get(&id).ok_or_else(|| broken("tax_tags.entry_id"))?;
            tagged.push(TaggedEntry {
                entry: id,
                number: Cell::take(entry, "number")?,
                date: Cell::take(entry, "date")?,
                reference: Cell::take(entry, "reference")?,
                received: received.get(&id).copied(),
                tag: entry::tag(row)?,
            });
        }
        Ok(())
    }
}

/// Adds the predicate of some days.
fn within(sql: Sql, period: Period) -> Sql {
    let sql = sql.text(" AND order_key >= ").bind(period.from().to_sql());
    // Behind every number of the last day.
    sql.text(" AND order_key < ").bind(format!("{}~", period.to().to_sql()))
}

fn line(row: &QueryResult, currency: Currency) -> Result<(AccountCode, PostedLine, i64), StoreError> {
    let balance = i64::take(row, "debit")? - i64::take(row, "credit")?;
    let balance = Amount::from_minor(balance, currency).map_err(|_| broken("journal_lines.debit"))?;
    let line = PostedLine {
        date: Cell::take(row, "date")?,
        entry: Cell::take(row, "entry_id")?,
        entry_number: Cell::take(row, "number")?,
        description: Cell::take(row, "text")?,
        contact: Cell::take(row, "contact_id")?,
        movement: Movement::of_balance(balance).ok_or_else(|| broken("journal_lines.debit"))?,
    };
    Ok((Cell::take(row, "account_code")?, line, Cell::take(row, "position")?))
}
