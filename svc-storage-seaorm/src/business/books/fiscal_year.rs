//! Fiscal years as rows.

use async_trait::async_trait;
use sea_orm::{QueryResult, Value};
use svc_business::books::fiscal_year::{
    ClosingEntries, FiscalYear, Span, YearFilter, YearSort, YearStatus, YearStatusFilter,
};
use svc_business::books::{FiscalYearReader, FiscalYearStore};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, JournalEntryId, TypedId, UserId};
use time::Date;

use crate::business::cell::{Cell, Columns};
use crate::business::everything;
use crate::business::record::{Row, columns};
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::transaction::DeferInsert;
use crate::value::broken;

const OPEN: i16 = 0;
const CLOSED: i16 = 1;

impl Row for FiscalYear {
    const TABLE: &'static str = "svc_fiscal_years";

    columns! {
        {
        id: "id",
        company: "company_id",
        name: "name",
        span: "start_date" | "end_date",
        status: "status" | "closed_at" | "closed_by" | "regularisation_id" | "closing_id" | "opening_id",
        extension: "external_id" | "metadata",
        version: "version",
        created_at: "created_at",
        updated_at: "updated_at",
        }
        children {  }
        derived {  }
    }

    fn companies(filter: &YearFilter) -> &[AccountId] {
        &filter.companies
    }

    fn filtered(sql: Sql, filter: &YearFilter) -> Sql {
        let status = filter.status.map(|status| match status {
            YearStatusFilter::Open => OPEN,
            YearStatusFilter::Closed => CLOSED,
        });
        sql.and(" AND status = ", status)
    }

    fn sort_column(key: YearSort) -> &'static str {
        match key {
            YearSort::StartDate => "start_date",
        }
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> FiscalYearReader for SeaStore<C> {
    async fn of_company(&self, company: AccountId) -> Result<Vec<FiscalYear>, StoreError> {
        let text =
            format!("SELECT {} FROM svc_fiscal_years WHERE company_id = ", FiscalYear::COLUMNS.join(", "));
        let rows = self.rows(self.sql(&text).bind(company.uuid()).text(" ORDER BY start_date")).await?;
        self.with_children(&everything(), &rows).await
    }
}

impl<C: DeferInsert + Send + Sync> FiscalYearStore for SeaStore<C> {}

/// `start_date`, `end_date`
impl Columns for Span {
    fn store(&self, values: &mut Vec<Value>) {
        values.extend([self.start().put(), self.end().put()]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [start, end] = columns else { return Err(StoreError::backend("two columns")) };
        let (start, end): (Date, Date) = (Cell::take(row, start)?, Cell::take(row, end)?);
        Self::new(start, end).map_err(|_| broken("fiscal_years.end_date"))
    }
}

/// `status`, `closed_at`, `closed_by`, `regularisation_id`, `closing_id`, `opening_id`
impl Columns for YearStatus {
    fn store(&self, values: &mut Vec<Value>) {
        let (status, at, by, entries) = match *self {
            Self::Open => (OPEN, None, None, ClosingEntries::default()),
            Self::Closed { at, by, entries } => (CLOSED, Some(at), by, entries),
        };
        let ClosingEntries { regularisation, closing, opening } = entries;
        let ids = [regularisation.put(), closing.put(), opening.put()];
        values.extend([status.put(), at.put(), by.put()].into_iter().chain(ids));
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [status, at, by, regularisation, closing, opening] = columns else {
            return Err(StoreError::backend("six columns"));
        };
        let at: Option<Timestamp> = Cell::take(row, at)?;
        let by: Option<UserId> = Cell::take(row, by)?;
        let entry = |column| <Option<JournalEntryId> as Cell>::take(row, column);
        let entries = ClosingEntries {
            regularisation: entry(regularisation)?,
            closing: entry(closing)?,
            opening: entry(opening)?,
        };
        match (Cell::take(row, status)?, at) {
            (OPEN, None) => Ok(Self::Open),
            (CLOSED, Some(at)) => Ok(Self::Closed { at, by, entries }),
            _ => Err(broken("fiscal_years.status")),
        }
    }
}
