//! Imports of movements, and the files of those that wait for a job.

use std::collections::HashMap;

use async_trait::async_trait;
use sea_orm::{QueryResult, Value};
use svc_business::bank::import::{
    BankMovementImport, BankMovementImportFilter, BankMovementImportReader, BankMovementImportSort,
    BankMovementImportStore, ImportFormat, ImportStatus, ImportWarning, LastStatement, StatementBalances,
};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, BankAccountId, BankMovementImportId, TypedId};
use svc_core::money::{Amount, Currency};
use svc_core::tenant::Scope;
use time::Date;

use crate::business::cell::{Cell, Columns, Stored, named, numbered};
use crate::business::everything;
use crate::business::record::{Count, Reference, Row, columns};
use crate::error::backend;
use crate::statement::{Insertion, Sql};
use crate::store::SeaStore;
use crate::transaction::DeferInsert;
use crate::value::{broken, json};

impl Row for BankMovementImport {
    const TABLE: &'static str = "svc_bank_movement_imports";
    const REFERENCES: &'static [Reference] = &[Reference::once("bank_account_id", "svc_bank_accounts")];
    const LOGS: &'static [(&'static str, &'static str)] = &[("svc_bank_movement_files", "import_id")];

    columns! {
        {
        id: "id",
        company: "company_id",
        bank_account: "bank_account_id",
        format: "format",
        file_name: "file_name",
        digest: "digest",
        status: "status",
        from: "first_day",
        to: "last_day",
        balances: "opening_balance" | "closing_balance" | "currency",
        lines: "lines",
        created: "created",
        warnings: "warnings",
        version: "version",
        created_at: "created_at",
        updated_at: "updated_at",
        }
        children {  }
        derived {  }
    }

    fn companies(filter: &BankMovementImportFilter) -> &[AccountId] {
        &filter.companies
    }

    fn filtered(sql: Sql, filter: &BankMovementImportFilter) -> Sql {
        sql.and(" AND bank_account_id = ", filter.bank_account.map(TypedId::uuid))
            .and(" AND status = ", filter.status.map(|status| status.to_sql()))
            .and(" AND format = ", filter.format.map(ImportFormat::name))
            .and(" AND updated_at >= ", filter.updated_since.map(Timestamp::unix_micros))
    }

    fn count(filter: &BankMovementImportFilter) -> Count<'_, BankMovementImportFilter> {
        let kinds = BankMovementImportFilter { updated_since: None, ..filter.clone() };
        Count::of(filter, kinds.clone(), [&kinds, &kinds, filter], (None, filter.updated_since))
    }

    fn sort_column(key: BankMovementImportSort) -> &'static str {
        match key {
            BankMovementImportSort::UpdatedAt => "updated_at",
        }
    }
}

named!(ImportFormat: name);

numbered!(ImportStatus { Processing = 0, Completed = 1 });

impl Stored for Vec<ImportWarning> {
    type Sql = String;

    fn to_sql(&self) -> String {
        json(self)
    }

    fn from_sql(sql: String) -> Option<Self> {
        serde_json::from_str(&sql).ok()
    }
}

/// `opening_balance`, `closing_balance`, `currency`
impl Columns for StatementBalances {
    fn store(&self, values: &mut Vec<Value>) {
        values.extend([
            self.opening.map(Amount::minor).put(),
            self.closing.map(Amount::minor).put(),
            self.currency.put(),
        ]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [opening, closing, currency] = columns else { return Err(StoreError::backend("three columns")) };
        let currency: Currency = Cell::take(row, currency)?;
        let read = |column| balance(row, column, currency);
        Ok(Self { currency, opening: read(opening)?, closing: read(closing)? })
    }
}

fn balance(
    row: &QueryResult,
    column: &'static str,
    currency: Currency,
) -> Result<Option<Amount>, StoreError> {
    let minor: Option<i64> = Cell::take(row, column)?;
    let read =
        |minor| Amount::from_minor(minor, currency).map_err(|_| broken("bank_movement_imports.balance"));
    minor.map(read).transpose()
}

/// A row with `closing_balance`, `currency` and `last_day`.
fn last_statement(row: &QueryResult) -> Result<LastStatement, StoreError> {
    let found = balance(row, "closing_balance", Cell::take(row, "currency")?)?;
    let balance = found.ok_or_else(|| broken("bank_movement_imports.closing_balance"))?;
    Ok(LastStatement { balance, date: Cell::take(row, "last_day")? })
}

/// What tells the statements that ended with a balance.
const CLOSED: &str = "closing_balance IS NOT NULL AND last_day IS NOT NULL AND status = 1";
/// The latest one comes first.
const LATEST: &str = " ORDER BY last_day DESC, created_at DESC, id DESC LIMIT 1";

#[async_trait]
impl<C: DeferInsert + Send + Sync> BankMovementImportReader for SeaStore<C> {
    async fn with_digest(
        &self,
        company: AccountId,
        account: BankAccountId,
        digest: &str,
    ) -> Result<Option<BankMovementImport>, StoreError> {
        let columns = BankMovementImport::COLUMNS.join(", ");
        let found = self
            .sql(&format!("SELECT {columns} FROM svc_bank_movement_imports WHERE company_id = "))
            .bind(company.uuid())
            .text(" AND bank_account_id = ")
            .bind(account.uuid())
            .text(" AND digest = ")
            .bind(digest);
        let rows = self.rows(found).await?;
        Ok(self.with_children(&everything(), &rows).await?.pop())
    }

    async fn last_statements(
        &self,
        scope: &Scope,
        accounts: &[BankAccountId],
        by: Option<Date>,
    ) -> Result<HashMap<BankAccountId, LastStatement>, StoreError> {
        let columns =
            "SELECT bank_account_id, closing_balance, currency, last_day FROM svc_bank_movement_imports";
        let latest = format!(
            "SELECT (SELECT id FROM svc_bank_movement_imports WHERE company_id = account.company_id \
             AND bank_account_id = account.id AND {CLOSED}"
        );
        let of = format!("{LATEST}) FROM svc_bank_accounts AS account WHERE account.company_id");
        let found = self.sql(&format!("{columns} WHERE id")).selected(|sql| {
            let accounts = accounts.iter().map(|account| account.uuid());
            let sql = sql.text(&latest).and(" AND last_day <= ", by.map(|day| day.to_sql()));
            sql.text(&of).within(scope).text(" AND account.id").one_or_among(accounts)
        });
        let read = |row: &QueryResult| Ok((Cell::take(row, "bank_account_id")?, last_statement(row)?));
        self.rows(found).await?.iter().map(read).collect()
    }

    async fn statement_before(
        &self,
        company: AccountId,
        account: BankAccountId,
        day: Date,
    ) -> Result<Option<LastStatement>, StoreError> {
        let found = self
            .sql("SELECT closing_balance, currency, last_day FROM svc_bank_movement_imports WHERE company_id = ")
            .bind(company.uuid())
            .text(" AND bank_account_id = ")
            .bind(account.uuid())
            .text(&format!(" AND {CLOSED} AND last_day < "))
            .bind(day.to_sql())
            .text(LATEST);
        self.rows(found).await?.first().map(last_statement).transpose()
    }

    async fn file(&self, import: BankMovementImportId) -> Result<Option<(Vec<u8>, String)>, StoreError> {
        let found = self.sql("SELECT content, reading FROM svc_bank_movement_files WHERE import_id = ");
        let rows = self.rows(found.bind(import.uuid())).await?;
        let read = |row: &QueryResult| {
            let content = row.try_get("", "content").map_err(backend)?;
            Ok((content, Cell::take(row, "reading")?))
        };
        rows.first().map(read).transpose()
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> BankMovementImportStore for SeaStore<C> {
    async fn keep_file(&self, import: &BankMovementImport, file: &[u8], how: &str) -> Result<(), StoreError> {
        let into = "INSERT INTO svc_bank_movement_files (company_id, import_id, content, reading)";
        let row = vec![import.company.put(), import.id.put(), file.to_vec().into(), how.into()];
        self.conn.defer(Insertion::of_rows(into.to_owned(), vec![row])).await.map_err(backend)
    }

    async fn drop_file(&self, import: &BankMovementImport) -> Result<(), StoreError> {
        let gone = self.sql("DELETE FROM svc_bank_movement_files WHERE import_id = ").bind(import.id.uuid());
        gone.execute(&self.conn).await.map(drop)
    }
}
