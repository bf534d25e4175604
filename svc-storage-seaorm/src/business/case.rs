//! Cases as rows, their timelines, and the numbers of a company.

use async_trait::async_trait;
use sea_orm::{QueryResult, Value};
use svc_business::case::{
    Case, CaseFilter, CaseLink, CaseLinkType, CaseNumber, CaseReader, CaseSort, CaseStatus, CaseStore,
    CaseType, Entry, EntryKind, Outcome, Priority, StatusFilter,
};
use svc_business::document::file::File;
use svc_business::notice::Notice;
use svc_business::sales::document::SalesDocument;
use svc_business::signature::Envelope;
use svc_business::tax::returns::TaxReturn;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, CaseId, TypedId};
use svc_core::money::Amount;
use svc_core::page::{Page, PageRequest};
use svc_core::resource::Resource;
use svc_core::tenant::Scope;
use time::Date;

use super::cell::{Cell, Columns, Stored, named};
use super::contact::TABLE as CONTACTS;
use super::record::{Child, Count, FEW, Reference, Row, Tags, columns};
use super::search::search_keys;
use crate::error::backend;
use crate::migration::apart;
use crate::statement::{Insertion, Sql};
use crate::store::SeaStore;
use crate::transaction::DeferInsert;
use crate::value::broken;
use crate::window::Window;

const OPEN: i16 = 0;
const IN_PROGRESS: i16 = 1;
const ON_HOLD: i16 = 2;
const CLOSED: i16 = 3;

impl Row for Case {
    const TABLE: &'static str = "svc_cases";
    const REFERENCES: &'static [Reference] = &[Reference::once("contact_id", CONTACTS)];
    const LOGS: &'static [(&'static str, &'static str)] = &[("svc_case_timeline", "case_id")];
    const CHILDREN: &'static [Child<Self>] = &[
        Child {
            table: "svc_case_participants",
            owner: "case_id",
            of_company: true,
            columns: &["contact_id"],
            references: &[Reference::once("contact_id", CONTACTS)],
            rows: |case| case.participants.iter().map(|contact| vec![contact.put()]).collect(),
            add: Some(|case, row| {
                case.participants.push(Cell::take(row, "contact_id")?);
                Ok(())
            }),
        },
        Child {
            table: "svc_case_links",
            owner: "case_id",
            of_company: true,
            columns: &["type", "target_id"],
            references: &[],
            rows: |case| case.links.iter().map(|link| vec![link.kind.put(), link.id.into()]).collect(),
            add: Some(|case, row| {
                let id = row.try_get("", "target_id").map_err(backend)?;
                case.links.push(CaseLink { kind: Cell::take(row, "type")?, id });
                Ok(())
            }),
        },
        Child {
            table: "svc_case_tags",
            owner: "case_id",
            of_company: true,
            columns: &["tag", "status", "created_at"],
            references: &[],
            rows: |case| {
                let row = |tag: &String| vec![tag.put(), code(case.status).put(), case.created_at.put()];
                case.tags.iter().map(row).collect()
            },
            add: Some(|case, row| {
                case.tags.push(Cell::take(row, "tag")?);
                Ok(())
            }),
        },
    ];
    const TAGS: Option<Tags> = Some(Tags { table: "svc_case_tags", owner: "case_id" });

    columns! {
        {
            id: "id",
            company: "company_id",
            number: "year" | "sequence",
            title: "title",
            description: "description",
            case_type: "type",
            status: "status" | "outcome" | "closed_on",
            priority: "priority",
            contact: "contact_id",
            responsible: "responsible_user_id",
            opened_on: "opened_on",
            due_on: "due_on",
            estimated_fees: "estimated_fees" | "currency",
            entries: "entries",
            extension: "external_id" | "metadata",
            version: "version",
            created_at: "created_at",
            updated_at: "updated_at",
        }
        children { participants, links, tags }
        derived { "number_key" = number_key, "due_key" = due_key, "search_key" = searched }
    }

    fn companies(filter: &CaseFilter) -> &[AccountId] {
        &filter.companies
    }

    fn filtered(sql: Sql, filter: &CaseFilter) -> Sql {
        let status = filter.status.map(|status| match status {
            StatusFilter::Open => OPEN,
            StatusFilter::InProgress => IN_PROGRESS,
            StatusFilter::OnHold => ON_HOLD,
            StatusFilter::Closed => CLOSED,
        });
        let sql = sql
            .and(" AND status = ", status)
            .and(" AND type = ", filter.case_type.map(CaseType::name))
            .and(" AND contact_id = ", filter.contact.map(TypedId::uuid))
            .and(" AND responsible_user_id = ", filter.responsible.map(TypedId::uuid))
            .and(" AND external_id = ", filter.external_id.as_deref())
            .and(" AND updated_at >= ", filter.updated_since.map(Timestamp::unix_micros))
            .and(" AND opened_on >= ", filter.from.map(|date| date.to_sql()))
            .and(" AND opened_on <= ", filter.to.map(|date| date.to_sql()));
        let tagged = " AND EXISTS (SELECT 1 FROM svc_case_tags WHERE svc_case_tags.company_id = svc_cases.company_id \
                      AND svc_case_tags.case_id = svc_cases.id AND svc_case_tags.tag = ";
        match filter.tag.as_deref() {
            Some(tag) => sql.text(tagged).bind(tag).text(")"),
            None => sql,
        }
    }

    fn count(filter: &CaseFilter) -> Count<'_, CaseFilter> {
        let CaseFilter { companies, status, case_type, tag, updated_since, .. } = filter.clone();
        let plain = CaseFilter { companies, status, ..CaseFilter::default() };
        let kinds = CaseFilter { case_type, ..plain.clone() };
        let tagged = CaseFilter { tag, ..plain.clone() };
        let changed = CaseFilter { updated_since, ..plain.clone() };
        Count::of(filter, plain, [&kinds, &tagged, &changed], (filter.tag.as_deref(), updated_since))
    }

    fn is_narrow(filter: &CaseFilter, total: u64) -> bool {
        let since = filter.updated_since.is_some() || filter.from.is_some() || filter.to.is_some();
        filter.contact.is_some()
            || filter.responsible.is_some()
            || filter.external_id.is_some()
            || (since && total <= FEW)
    }

    fn apart(filter: &CaseFilter) -> Option<&'static str> {
        filter.status.filter(|status| *status != StatusFilter::Closed).map(|_| apart::CASES)
    }

    fn text(filter: &CaseFilter) -> Option<&str> {
        filter.text.as_deref()
    }

    fn sort_column(key: CaseSort) -> &'static str {
        match key {
            CaseSort::Number => "number_key",
            CaseSort::DueOn => "due_key",
            CaseSort::UpdatedAt => "updated_at",
        }
    }
}

fn number_key(case: &Case) -> i64 {
    i64::from(case.number.year) * 1_000_000_000 + i64::from(case.number.sequence)
}

/// What is never due comes last.
fn due_key(case: &Case) -> String {
    case.due_on.map_or_else(|| "~".to_owned(), |due| due.to_sql())
}

fn searched(case: &Case) -> String {
    search_keys([case.number.to_string().as_str(), case.title.as_str()])
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> CaseReader for SeaStore<C> {
    async fn timeline(
        &self,
        scope: &Scope,
        id: CaseId,
        request: PageRequest,
    ) -> Result<Option<Page<Entry>>, StoreError> {
        let found = Case::within(self.sql("SELECT company_id, entries FROM svc_cases WHERE "), scope, &[]);
        let found = self.rows(found.text(" AND id = ").bind(id.uuid())).await?;
        let Some(case) = found.first() else { return Ok(None) };
        let company: AccountId = Cell::take(case, "company_id")?;
        let total = u64::from(u32::take(case, "entries")?);
        let Some(window) = Window::of(request, total) else {
            return Ok(Some(Page { items: Vec::new(), total, request }));
        };
        // Positions have no gaps: a page is a span of them.
        let first = i64::try_from(request.offset()).unwrap_or(i64::MAX);
        let end = first.saturating_add(i64::try_from(window.limit.get()).unwrap_or(i64::MAX));
        let entries = self
            .sql(
                "SELECT position, at, user_id, kind, status, outcome, closed_on, text FROM svc_case_timeline \
                  WHERE company_id = ",
            )
            .bind(company.uuid())
            .text(" AND case_id = ")
            .bind(id.uuid())
            .text(" AND position >= ")
            .bind(first)
            .text(" AND position < ")
            .bind(end)
            .text(" ORDER BY position");
        let items = self.rows(entries).await?.iter().map(entry).collect::<Result<_, _>>()?;
        Ok(Some(Page { items, total, request }))
    }

    async fn linkable(
        &self,
        scope: &Scope,
        company: AccountId,
        links: &[CaseLink],
    ) -> Result<Vec<CaseLink>, StoreError> {
        let mut known = Vec::new();
        for kind in CaseLinkType::ALL {
            let ids: Vec<_> = links.iter().filter(|link| link.kind == kind).map(|link| link.id).collect();
            if ids.is_empty() {
                continue;
            }
            // With a column that no index has: by ids alone PostgreSQL walks along the ids of the company.
            let rows = self.sql("SELECT id, version FROM ").text(table(kind)).text(" WHERE company_id");
            let rows = rows.companies(scope, &[company]).text(" AND id").one_or_among(ids);
            // An active file: what lies deleted still has its row.
            let rows = rows.text(if kind == CaseLinkType::File { " AND deleted_at IS NULL" } else { "" });
            for row in self.rows(rows).await? {
                known.push(CaseLink { kind, id: row.try_get("", "id").map_err(backend)? });
            }
        }
        Ok(known)
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> CaseStore for SeaStore<C> {
    async fn next_number(&self, company: AccountId, year: i32) -> Result<u32, StoreError> {
        let next = self
            .sql("INSERT INTO svc_number_series (account_id, kind, year, last) VALUES (")
            .bind(company.uuid())
            .text(", ")
            .bind(Case::NAME)
            .text(", ")
            .bind(year)
            .text(
                ", 1) ON CONFLICT (account_id, kind, year) DO UPDATE SET last = svc_number_series.last + 1 \
                 RETURNING last",
            );
        let row = next.one(&self.conn).await?.ok_or_else(|| broken("number_series.last"))?;
        u32::try_from(row.try_get::<i64>("", "last").map_err(backend)?)
            .map_err(|_| broken("number_series.last"))
    }

    async fn append(&self, case: &Case, entry: &Entry) -> Result<(), StoreError> {
        let into = "INSERT INTO svc_case_timeline \
                    (company_id, case_id, position, at, user_id, kind, text, status, outcome, closed_on)";
        let mut row = vec![
            case.company.put(),
            case.id.put(),
            entry.position.put(),
            entry.at.put(),
            entry.by.put(),
            entry.kind.put(),
            entry.text.put(),
        ];
        entry.status.store(&mut row);
        self.conn.defer(Insertion::of_rows(into.to_owned(), vec![row])).await.map_err(backend)
    }
}

/// The records that a case is linked with by this kind.
const fn table(kind: CaseLinkType) -> &'static str {
    match kind {
        CaseLinkType::Invoice => SalesDocument::TABLE,
        CaseLinkType::File => File::TABLE,
        CaseLinkType::Envelope => Envelope::TABLE,
        CaseLinkType::Notice => Notice::TABLE,
        CaseLinkType::TaxReturn => TaxReturn::TABLE,
    }
}

fn entry(row: &QueryResult) -> Result<Entry, StoreError> {
    Ok(Entry {
        position: Cell::take(row, "position")?,
        at: Cell::take(row, "at")?,
        by: Cell::take(row, "user_id")?,
        kind: Cell::take(row, "kind")?,
        status: Columns::load(row, &["status", "outcome", "closed_on"])?,
        text: Cell::take(row, "text")?,
    })
}

named!(CaseType: name, CaseLinkType: name, Priority: name, Outcome: name, EntryKind: name);

/// `year`, `sequence`
impl Columns for CaseNumber {
    fn store(&self, values: &mut Vec<Value>) {
        values.extend([self.year.put(), self.sequence.put()]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [year, sequence] = columns else { return Err(StoreError::backend("two columns")) };
        Ok(Self { year: Cell::take(row, year)?, sequence: Cell::take(row, sequence)? })
    }
}

const fn code(status: CaseStatus) -> i16 {
    match status {
        CaseStatus::Open => OPEN,
        CaseStatus::InProgress => IN_PROGRESS,
        CaseStatus::OnHold => ON_HOLD,
        CaseStatus::Closed { .. } => CLOSED,
    }
}

/// `status`, `outcome`, `closed_on`
impl Columns for CaseStatus {
    fn store(&self, values: &mut Vec<Value>) {
        let (outcome, on) = match *self {
            Self::Open | Self::InProgress | Self::OnHold => (None, None),
            Self::Closed { outcome, on } => (Some(outcome), Some(on)),
        };
        values.extend([code(*self).put(), outcome.put(), on.put()]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [status, outcome, on] = columns else { return Err(StoreError::backend("three columns")) };
        let ended: (Option<Outcome>, Option<Date>) = (Cell::take(row, outcome)?, Cell::take(row, on)?);
        match (Cell::take(row, status)?, ended) {
            (OPEN, (None, None)) => Ok(Self::Open),
            (IN_PROGRESS, (None, None)) => Ok(Self::InProgress),
            (ON_HOLD, (None, None)) => Ok(Self::OnHold),
            (CLOSED, (Some(outcome), Some(on))) => Ok(Self::Closed { outcome, on }),
            _ => Err(broken("cases.status")),
        }
    }
}

/// `estimated_fees` in minor units, `currency`
impl Columns for Option<Amount> {
    fn store(&self, values: &mut Vec<Value>) {
        values.extend([self.map(Amount::minor).put(), self.map(Amount::currency).put()]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [minor, currency] = columns else { return Err(StoreError::backend("two columns")) };
        match (Cell::take(row, minor)?, Cell::take(row, currency)?) {
            (None, None) => Ok(None),
            (Some(minor), Some(currency)) => {
                Amount::from_minor(minor, currency).map(Some).map_err(|_| broken("cases.estimated_fees"))
            }
            (None, Some(_)) | (Some(_), None) => Err(broken("cases.estimated_fees")),
        }
    }
}
