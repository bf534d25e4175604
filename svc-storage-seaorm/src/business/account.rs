//! Companies as rows.

use async_trait::async_trait;
use sea_orm::{QueryResult, Value};
use svc_business::account::{
    Account, AccountFilter, AccountReader, AccountSort, AccountStatus, AccountStore, StatusFilter,
};
use svc_business::party::{Email, TaxId};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId};
use svc_core::pii::Pii;
use svc_core::resource::{Lock, ResourceReader};
use svc_core::tenant::Scope;
use uuid::Uuid;

use super::cell::{Cell, Columns};
use super::record::{Row, columns};
use super::search::search_keys;
use crate::lock::{self, serialise};
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::transaction::DeferInsert;
use crate::value::{broken, exposed};

/// `accounts.status` of a company that works.
pub(super) const ACTIVE: i16 = 0;
const DEACTIVATED: i16 = 1;
/// `accounts.status` of a company that was merged into another one.
pub(super) const MERGED: i16 = 2;

impl Row for Account {
    const TABLE: &'static str = "svc_accounts";
    const COMPANY: &'static str = "id";
    const BEARS_AUTHORITY: bool = true;

    columns! {
        {
        id: "id",
        legal_name: "legal_name",
        trade_name: "trade_name",
        tax_id: "tax_id",
        country: "country",
        language: "language",
        timezone: "timezone",
        legal_form: "legal_form",
        address: "address",
        phone: "phone",
        email: "email",
        website: "website",
        base_currency: "base_currency",
        group: "group_id",
        parent: "parent_id",
        api_access: "api_access",
        status: "status" | "status_at" | "merged_into",
        extension: "external_id" | "metadata",
        version: "version",
        created_at: "created_at",
        updated_at: "updated_at",
        }
        children {  }
        derived { "name_key" = Account::name_key, "search_key" = searched }
    }

    fn companies(_filter: &AccountFilter) -> &[AccountId] {
        &[]
    }

    fn filtered(sql: Sql, filter: &AccountFilter) -> Sql {
        let status = filter.status.map(|status| match status {
            StatusFilter::Active => ACTIVE,
            StatusFilter::Deactivated => DEACTIVATED,
            StatusFilter::Merged => MERGED,
        });
        sql.and(" AND status = ", status)
            .and(" AND group_id = ", filter.group.map(TypedId::uuid))
            .and(" AND updated_at >= ", filter.updated_since.map(Timestamp::unix_micros))
    }

    fn text(filter: &AccountFilter) -> Option<&str> {
        filter.text.as_deref()
    }

    fn sort_column(key: AccountSort) -> &'static str {
        match key {
            AccountSort::Name => "name_key",
            AccountSort::CreatedAt => "created_at",
            AccountSort::UpdatedAt => "updated_at",
        }
    }
}

fn searched(account: &Account) -> String {
    let email = account.email.as_ref().map(Email::as_str);
    let texts = [Some(account.legal_name.as_str()), account.trade_name.as_deref(), email];
    search_keys(texts.into_iter().flatten())
}

/// `status`, `status_at`, `merged_into`
impl Columns for AccountStatus {
    fn store(&self, values: &mut Vec<Value>) {
        let (status, at, into) = match *self {
            Self::Active => (ACTIVE, None, None),
            Self::Deactivated { at } => (DEACTIVATED, Some(at), None),
            Self::Merged { into, at } => (MERGED, Some(at), Some(into)),
        };
        values.extend([status.put(), at.put(), into.put()]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [status, at, into] = columns else { return Err(StoreError::backend("three columns")) };
        match (Cell::take(row, status)?, Cell::take(row, at)?, Cell::take(row, into)?) {
            (ACTIVE, None, None) => Ok(Self::Active),
            (DEACTIVATED, Some(at), None) => Ok(Self::Deactivated { at }),
            (MERGED, Some(at), Some(into)) => Ok(Self::Merged { into, at }),
            _ => Err(broken("accounts.status")),
        }
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> AccountReader for SeaStore<C> {
    async fn with_tax_id(
        &self,
        scope: &Scope,
        tax_id: &Pii<TaxId>,
        except: AccountId,
    ) -> Result<Vec<AccountId>, StoreError> {
        let found = Account::within(self.sql("SELECT id FROM svc_accounts WHERE "), scope, &[])
            .text(" AND tax_id = ")
            .bind(exposed(tax_id).as_str())
            .text(" AND status <> ")
            .bind(MERGED)
            .text(" AND id <> ")
            .bind(except.uuid());
        self.rows(found.text(" ORDER BY id")).await?.iter().map(|row| Cell::take(row, "id")).collect()
    }

    async fn active_subsidiaries(&self, parent: AccountId) -> Result<u64, StoreError> {
        serialise(&self.conn, "svc_accounts.parent_id", &[parent.uuid().as_bytes()]).await?;
        let active = self.sql("SELECT count(*) FROM svc_accounts WHERE parent_id = ").bind(parent.uuid());
        active.text(" AND status = ").bind(ACTIVE).count(&self.conn).await
    }

    async fn has_entries(&self, company: AccountId) -> Result<bool, StoreError> {
        Ok(self.is_there("SELECT 1 FROM svc_journal_entries WHERE company_id = ", company).await?
            || self.is_there("SELECT 1 FROM svc_sales_documents WHERE company_id = ", company).await?
            || self.is_there("SELECT 1 FROM svc_supplier_documents WHERE company_id = ", company).await?
            || self.is_there("SELECT 1 FROM svc_fixed_assets WHERE company_id = ", company).await?
            || self
                .is_there(
                    "SELECT 1 FROM svc_tax_returns WHERE submitted_at IS NOT NULL AND company_id = ",
                    company,
                )
                .await?)
    }

    async fn uses_base_currency(&self, company: AccountId) -> Result<bool, StoreError> {
        for counted in [
            "SELECT 1 FROM svc_journal_heads WHERE company_id = ",
            "SELECT 1 FROM svc_sales_documents WHERE number IS NOT NULL AND company_id = ",
            "SELECT 1 FROM svc_supplier_documents WHERE register_number IS NOT NULL AND company_id = ",
            // Those that no register counts.
            "SELECT 1 FROM svc_supplier_documents WHERE status = 1 AND due <> 0 AND company_id = ",
        ] {
            if self.is_there(counted, company).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    async fn awaits_signers(&self, company: AccountId) -> Result<bool, StoreError> {
        self.is_there("SELECT 1 FROM svc_envelopes WHERE status = 1 AND company_id = ", company).await
    }

    async fn any(&self) -> Result<bool, StoreError> {
        Ok(!self.rows(self.sql("SELECT id FROM svc_accounts LIMIT 1")).await?.is_empty())
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> AccountStore for SeaStore<C> {
    async fn any_once_alone(&self) -> Result<bool, StoreError> {
        serialise(&self.conn, "svc_accounts.first", &[]).await?;
        self.any().await
    }

    async fn find_locked(
        &self,
        scope: &Scope,
        id: AccountId,
        lock: Lock,
        records: &[(Uuid, Lock)],
    ) -> Result<Option<Account>, StoreError> {
        if !scope.contains(id) {
            return Ok(None);
        }
        lock::company(&self.conn, id, lock, records).await?;
        ResourceReader::find(self, scope, id).await
    }

    async fn move_records(&self, from: AccountId, to: AccountId, now: Timestamp) -> Result<(), StoreError> {
        self.move_company(from, to, now).await
    }
}

impl<C: DeferInsert + Send + Sync> SeaStore<C> {
    /// Active companies that no row of this table has in this column, at most `limit`.
    pub(in crate::business) async fn companies_without(
        &self,
        table: &str,
        column: &str,
        limit: u32,
    ) -> Result<Vec<AccountId>, StoreError> {
        let missing = self.sql(&format!(
            "SELECT id FROM svc_accounts WHERE status = 0 AND NOT EXISTS \
             (SELECT 1 FROM {table} WHERE {table}.{column} = svc_accounts.id) LIMIT "
        ));
        let rows = self.rows(missing.bind(i64::from(limit))).await?;
        rows.iter().map(|row| Cell::take(row, "id")).collect()
    }

    /// Whether a table has a row of a company.
    pub(super) async fn is_there(&self, rows: &str, company: AccountId) -> Result<bool, StoreError> {
        let found = self.sql(rows).bind(company.uuid()).text(" LIMIT 1");
        Ok(!self.rows(found).await?.is_empty())
    }
}
