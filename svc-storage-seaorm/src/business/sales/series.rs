//! Series as rows.

use std::collections::BTreeSet;

use async_trait::async_trait;
use sea_orm::{QueryResult, Value};
use svc_business::sales::document::DocType;
use svc_business::sales::series::{LastIssued, Pattern, Series, SeriesCode};
use svc_business::sales::{SeriesFilter, SeriesReader, SeriesSort, SeriesStore};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId};
use time::Date;

use crate::business::cell::{Cell, Columns, Stored, displayed};
use crate::business::everything;
use crate::business::record::{Row, columns};
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::transaction::DeferInsert;
use crate::value::{broken, json};

impl Row for Series {
    const TABLE: &'static str = "svc_series";

    columns! {
        {
        id: "id",
        company: "company_id",
        code: "code",
        doc_types: "doc_types",
        pattern: "pattern",
        reset_yearly: "reset_yearly",
        first_sequence: "first_sequence",
        last: "last_date" | "last_sequence",
        active: "active",
        extension: "external_id" | "metadata",
        version: "version",
        created_at: "created_at",
        updated_at: "updated_at",
        }
        children {  }
        derived {  }
    }

    fn companies(filter: &SeriesFilter) -> &[AccountId] {
        &filter.companies
    }

    fn filtered(sql: Sql, filter: &SeriesFilter) -> Sql {
        sql.and(" AND active = ", filter.active)
    }

    fn sort_column(key: SeriesSort) -> &'static str {
        match key {
            SeriesSort::Code => "code",
            SeriesSort::UpdatedAt => "updated_at",
        }
    }
}

displayed!(SeriesCode, Pattern);

impl Stored for BTreeSet<DocType> {
    type Sql = String;

    fn to_sql(&self) -> String {
        json(self)
    }

    fn from_sql(sql: String) -> Option<Self> {
        serde_json::from_str(&sql).ok()
    }
}

/// `last_date`, `last_sequence`
impl Columns for Option<LastIssued> {
    fn store(&self, values: &mut Vec<Value>) {
        values.extend([self.map(|last| last.date).put(), self.map(|last| last.sequence).put()]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [date, sequence] = columns else { return Err(StoreError::backend("two columns")) };
        let (date, sequence): (Option<Date>, Option<u32>) =
            (Cell::take(row, date)?, Cell::take(row, sequence)?);
        match (date, sequence) {
            (None, None) => Ok(None),
            (Some(date), Some(sequence)) => Ok(Some(LastIssued { date, sequence })),
            (None, Some(_)) | (Some(_), None) => Err(broken("series.last_date")),
        }
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> SeriesReader for SeaStore<C> {
    async fn of_company(&self, company: AccountId) -> Result<Vec<Series>, StoreError> {
        let text = format!("SELECT {} FROM svc_series WHERE company_id = ", Series::COLUMNS.join(", "));
        let found = self.sql(&text).bind(company.uuid()).text(" ORDER BY created_at, id");
        let rows = self.rows(found).await?;
        self.with_children(&everything(), &rows).await
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> SeriesStore for SeaStore<C> {
    async fn set_last(&self, series: &Series) -> Result<(), StoreError> {
        let set =
            self.sql("UPDATE svc_series SET last_date = ").bind(series.last.map(|last| last.date).put());
        let set = set.text(", last_sequence = ").bind(series.last.map(|last| last.sequence).put());
        let set = set.text(" WHERE company_id = ").bind(series.company.uuid());
        let set = set.text(" AND id = ").bind(series.id.uuid());
        set.execute(&self.conn).await.map(drop)
    }
}
