//! What is asked of a journal, and where its numbers are.

use async_trait::async_trait;
use svc_business::books::entry::{Entry, Head, Source};
use svc_business::books::fiscal_year::Span;
use svc_business::books::journal::{EntryFilter, JournalLine, LineFilter, LineSort};
use svc_business::books::{JournalReader, JournalStore};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, FiscalYearId, JournalEntryId, JournalLineId, TypedId};
use svc_core::page::{Page, PageRequest, Sort};
use svc_core::resource::ResourceReader;
use svc_core::tenant::Scope;

use crate::business::cell::{Cell, Stored};
use crate::business::everything;
use crate::business::record::Row;
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::transaction::DeferInsert;

#[async_trait]
impl<C: DeferInsert + Send + Sync> JournalReader for SeaStore<C> {
    async fn lines(
        &self,
        scope: &Scope,
        filter: &LineFilter,
        sort: &Sort<LineSort>,
        page: PageRequest,
    ) -> Result<Page<JournalLine>, StoreError> {
        let Some(text) = filter.text.clone() else {
            return ResourceReader::<JournalLine>::page(self, scope, filter, sort, page).await;
        };
        let of_entries = EntryFilter {
            companies: filter.companies.clone(),
            from: filter.from,
            to: filter.to,
            text: Some(text),
            ..EntryFilter::default()
        };
        let entries: Vec<JournalEntryId> = self.ids_with_text::<Entry>(scope, &of_entries).await?;
        if entries.is_empty() {
            return Ok(Page { items: Vec::new(), total: 0, request: page });
        }
        let found = LineFilter { text: None, entries: Some(entries), ..filter.clone() };
        ResourceReader::<JournalLine>::page(self, scope, &found, sort, page).await
    }

    async fn line(&self, scope: &Scope, id: JournalLineId) -> Result<Option<JournalLine>, StoreError> {
        ResourceReader::<JournalLine>::find(self, scope, id).await
    }

    async fn is_matched(&self, company: AccountId, lines: &[JournalLineId]) -> Result<bool, StoreError> {
        // With a column that the index of lines has not: PostgreSQL would walk along that otherwise.
        let found = self.sql("SELECT movement_id FROM svc_bank_matched_lines WHERE company_id = ");
        let found = found
            .bind(company.uuid())
            .text(" AND line_id")
            .one_or_among(lines.iter().map(|line| line.uuid()));
        Ok(!self.rows(found.text(" LIMIT 1")).await?.is_empty())
    }

    async fn has_entries(&self, company: AccountId) -> Result<bool, StoreError> {
        self.is_there("SELECT 1 FROM svc_journal_entries WHERE company_id = ", company).await
    }

    async fn drafts_in(&self, company: AccountId, span: Span) -> Result<u64, StoreError> {
        let drafts = self.sql("SELECT count(*) FROM svc_journal_entries WHERE status = 0 AND company_id = ");
        let drafts = drafts.bind(company.uuid()).text(" AND date >= ").bind(span.start().to_sql());
        self.count_of(drafts.text(" AND date <= ").bind(span.end().to_sql())).await
    }

    async fn head(&self, company: AccountId, year: FiscalYearId) -> Result<Option<Head>, StoreError> {
        let head = self.sql("SELECT number, hash FROM svc_journal_heads WHERE company_id = ");
        let head = head.bind(company.uuid()).text(" AND year_id = ").bind(year.uuid());
        let rows = self.rows(head).await?;
        let head =
            |row| Ok(Head { year, number: Cell::take(row, "number")?, hash: Cell::take(row, "hash")? });
        rows.first().map(head).transpose()
    }

    async fn made_by(&self, company: AccountId, source: &Source) -> Result<Option<Entry>, StoreError> {
        let found = self.entries_of(company).text(" AND source_type = ").bind(source.kind());
        let found = found.text(" AND source_id = ").bind(source.id());
        let rows = self.rows(found.text(" AND source_role = ").bind(source.role())).await?;
        Ok(self.with_children(&everything(), &rows).await?.pop())
    }

    async fn posted_after(
        &self,
        company: AccountId,
        year: FiscalYearId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<Entry>, StoreError> {
        let found = self.entries_of(company).text(" AND year_id = ").bind(year.uuid());
        let found = found.text(" AND number > ").bind(after.to_sql()).text(" ORDER BY number LIMIT ");
        let rows = self.rows(found.bind(i64::from(limit))).await?;
        self.with_children(&everything(), &rows).await
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> JournalStore for SeaStore<C> {
    async fn set_head(&self, company: AccountId, head: Head) -> Result<(), StoreError> {
        let set = self.sql("INSERT INTO svc_journal_heads (company_id, year_id, number, hash) VALUES (");
        let set = set.bind(company.uuid()).text(", ").bind(head.year.uuid()).text(", ");
        let set = set.bind(head.number.to_sql()).text(", ").bind(head.hash.to_sql()).text(
            ") ON CONFLICT (company_id, year_id) DO UPDATE SET number = excluded.number, hash = excluded.hash",
        );
        set.execute(&self.conn).await.map(drop)
    }
}

impl<C> SeaStore<C>
where
    C: DeferInsert + Send + Sync,
{
    pub(super) fn entries_of(&self, company: AccountId) -> Sql {
        let text =
            format!("SELECT {} FROM svc_journal_entries WHERE company_id = ", Entry::COLUMNS.join(", "));
        self.sql(&text).bind(company.uuid())
    }
}
