//! Bank accounts.

use async_trait::async_trait;
use sea_orm::{ConnectionTrait, QueryResult, Value};
use svc_business::bank::{
    BankAccount, BankAccountFilter, BankAccountReader, BankAccountSort, BankAccountStatus, BankAccountStore,
    BankAccountType, OpeningBalance,
};
use svc_business::party::search_key;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId};
use svc_core::money::{Amount, Currency};
use time::Date;

use crate::business::cell::{Cell, Columns, Stored, named, numbered};
use crate::business::everything;
use crate::business::record::{Row, columns};
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::transaction::DeferInsert;
use crate::value::{broken, exposed};

impl Row for BankAccount {
    const TABLE: &'static str = "svc_bank_accounts";

    columns! {
        {
        id: "id",
        company: "company_id",
        name: "name",
        kind: "type",
        iban: "iban",
        shares_iban: "shares_iban",
        bic: "bic",
        bank_name: "bank_name",
        currency: "currency",
        account: "account_code",
        opening: "opening_balance" | "opening_date",
        status: "status",
        is_default: "is_default",
        extension: "external_id" | "metadata",
        version: "version",
        created_at: "created_at",
        updated_at: "updated_at",
        }
        children {  }
        derived { "name_key" = |account| search_key(&account.name) }
    }

    fn companies(filter: &BankAccountFilter) -> &[AccountId] {
        &filter.companies
    }

    fn filtered(sql: Sql, filter: &BankAccountFilter) -> Sql {
        sql.and(" AND status = ", filter.status.map(|status| status.to_sql()))
            .and(" AND type = ", filter.kind.map(BankAccountType::name))
            .and(" AND iban = ", filter.iban.as_ref().map(|iban| exposed(iban).as_str()))
            .and(" AND external_id = ", filter.external_id.as_deref())
            .and(" AND updated_at >= ", filter.updated_since.map(Timestamp::unix_micros))
    }

    fn is_narrow(filter: &BankAccountFilter, _: u64) -> bool {
        filter.iban.is_some() || filter.external_id.is_some()
    }

    fn sort_column(key: BankAccountSort) -> &'static str {
        match key {
            BankAccountSort::Name => "name_key",
            BankAccountSort::UpdatedAt => "updated_at",
        }
    }
}

named!(BankAccountType: name);

numbered!(BankAccountStatus { Active = 0, Archived = 1 });

/// `opening_balance`, `opening_date`
impl Columns for Option<OpeningBalance> {
    fn store(&self, values: &mut Vec<Value>) {
        values.extend([
            self.map(|opening| opening.balance.minor()).put(),
            self.map(|opening| opening.date).put(),
        ]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [balance, date] = columns else { return Err(StoreError::backend("two columns")) };
        let (balance, date): (Option<i64>, Option<Date>) =
            (Cell::take(row, balance)?, Cell::take(row, date)?);
        let (Some(minor), Some(date)) = (balance, date) else { return Ok(None) };
        let currency: Currency = Cell::take(row, "currency")?;
        let balance =
            Amount::from_minor(minor, currency).map_err(|_| broken("bank_accounts.opening_balance"))?;
        Ok(Some(OpeningBalance { balance, date }))
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> BankAccountReader for SeaStore<C> {
    async fn of_company(&self, company: AccountId) -> Result<Vec<BankAccount>, StoreError> {
        let columns = BankAccount::COLUMNS.join(", ");
        let found = self.sql(&format!("SELECT {columns} FROM svc_bank_accounts WHERE company_id = "));
        let rows = self.rows(found.bind(company.uuid()).text(" ORDER BY created_at, id")).await?;
        self.with_children(&everything(), &rows).await
    }
}

impl<C: DeferInsert + Send + Sync> BankAccountStore for SeaStore<C> {}

/// Makes the accounts of a company ready to move to another one: they leave their ledger and are the default no more,
/// and those whose numbers an active account there has are archived.
pub(in crate::business) async fn leave_ledger(
    conn: &impl ConnectionTrait,
    from: AccountId,
    to: AccountId,
) -> Result<(), StoreError> {
    let left = Sql::new(conn, "UPDATE svc_bank_accounts SET account_code = NULL, is_default = ").bind(false);
    left.text(" WHERE company_id = ").bind(from.uuid()).execute(conn).await?;
    let archived = Sql::new(conn, "UPDATE svc_bank_accounts SET status = ")
        .bind(BankAccountStatus::Archived.to_sql())
        .text(" WHERE company_id = ")
        .bind(from.uuid())
        .text(" AND EXISTS (SELECT 1 FROM svc_bank_accounts AS other WHERE other.iban = svc_bank_accounts.iban AND other.status = ")
        .bind(BankAccountStatus::Active.to_sql())
        .text(" AND other.company_id = ")
        .bind(to.uuid());
    archived.text(")").execute(conn).await.map(drop)
}
