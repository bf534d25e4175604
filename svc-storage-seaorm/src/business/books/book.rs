//! Books as rows.

use std::collections::BTreeMap;

use async_trait::async_trait;
use sea_orm::{QueryResult, Value};
use svc_business::books::account::CodeLength;
use svc_business::books::book::{Automation, Book, BookFilter, BookSort, Mode, Subledger, YearStart};
use svc_business::books::chart::Chart;
use svc_business::books::default_accounts::DefaultAccounts;
use svc_business::books::lock::Locks;
use svc_business::books::{BookReader, BookStore};
use svc_core::error::StoreError;
use svc_core::id::AccountId;

use crate::business::cell::{Cell, Columns, Stored, displayed, named};
use crate::business::record::{Row, columns};
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::transaction::DeferInsert;
use crate::value::json;

impl Row for Book {
    const TABLE: &'static str = "svc_books";
    const COMPANY: &'static str = "id";

    columns! {
        {
        company: "id",
        chart: "chart",
        code_length: "code_length",
        subledger: "subledger",
        year_start: "year_start",
        default_accounts: "default_accounts",
        locks: "lock_date" | "tax_lock_date" | "hard_lock_date",
        automation: "automation",
        extension: "external_id" | "metadata",
        version: "version",
        created_at: "created_at",
        updated_at: "updated_at",
        }
        children {  }
        derived {  }
    }

    fn companies(filter: &BookFilter) -> &[AccountId] {
        &filter.companies
    }

    fn filtered(sql: Sql, _filter: &BookFilter) -> Sql {
        sql
    }

    fn sort_column(key: BookSort) -> &'static str {
        match key {
            BookSort::UpdatedAt => "updated_at",
        }
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> BookReader for SeaStore<C> {
    async fn missing(&self, limit: u32) -> Result<Vec<AccountId>, StoreError> {
        self.companies_without("svc_books", "id", limit).await
    }
}
impl<C: DeferInsert + Send + Sync> BookStore for SeaStore<C> {}

named!(Chart: name, Subledger: name);
displayed!(YearStart);

impl Stored for CodeLength {
    type Sql = i16;

    fn to_sql(&self) -> i16 {
        i16::from(self.digits())
    }

    fn from_sql(sql: i16) -> Option<Self> {
        Self::new(u8::try_from(sql).ok()?).ok()
    }
}

impl Stored for DefaultAccounts {
    type Sql = String;

    fn to_sql(&self) -> String {
        json(self)
    }

    fn from_sql(sql: String) -> Option<Self> {
        serde_json::from_str(&sql).ok()
    }
}

/// The name of the member that is no mode.
const RECONCILES: &str = "autoReconcile";

impl Stored for Automation {
    type Sql = String;

    fn to_sql(&self) -> String {
        let reconciles = if self.auto_reconcile { Mode::Post } else { Mode::Off };
        json(&BTreeMap::from([
            ("sales", self.sales.name()),
            ("purchases", self.purchases.name()),
            ("payments", self.payments.name()),
            ("depreciation", self.depreciation.name()),
            ("taxSettlement", self.tax_settlement.name()),
            (RECONCILES, reconciles.name()),
        ]))
    }

    fn from_sql(sql: String) -> Option<Self> {
        let modes: BTreeMap<String, String> = serde_json::from_str(&sql).ok()?;
        let mode = |name: &str| modes.get(name)?.parse::<Mode>().ok();
        Some(Self {
            sales: mode("sales")?,
            purchases: mode("purchases")?,
            payments: mode("payments")?,
            depreciation: mode("depreciation")?,
            tax_settlement: mode("taxSettlement")?,
            auto_reconcile: mode(RECONCILES)? != Mode::Off,
        })
    }
}

/// `lock_date`, `tax_lock_date`, `hard_lock_date`
impl Columns for Locks {
    fn store(&self, values: &mut Vec<Value>) {
        values.extend([self.lock.put(), self.tax.put(), self.hard.put()]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [lock, tax, hard] = columns else { return Err(StoreError::backend("three columns")) };
        Ok(Self { lock: Cell::take(row, lock)?, tax: Cell::take(row, tax)?, hard: Cell::take(row, hard)? })
    }
}
