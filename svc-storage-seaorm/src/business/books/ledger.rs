//! Accounts of ledgers as rows.

use async_trait::async_trait;
use svc_business::books::account::{AccountCode, AccountType, TaxRole};
use svc_business::books::fiscal_year::{Balance, Span};
use svc_business::books::ledger::{LedgerAccount, LedgerFilter, LedgerSort, LedgerStatus, Sum, Sums};
use svc_business::books::{LedgerReader, LedgerStore};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId};
use svc_core::money::{Amount, Currency};
use time::Date;

use super::{prefixed, sums};
use crate::business::cell::{Cell, Stored, displayed, named, numbered};
use crate::business::everything;
use crate::business::record::{Count, Row, columns};
use crate::business::search::search_keys;
use crate::error::backend;
use crate::statement::{Insertion, Sql};
use crate::store::SeaStore;
use crate::transaction::DeferInsert;

/// So many accounts of a chart are one insertion.
const AT_ONCE: usize = 250;

impl Row for LedgerAccount {
    const TABLE: &'static str = "svc_ledger_accounts";

    columns! {
        {
        id: "id",
        company: "company_id",
        code: "code",
        name: "name",
        account_type: "type",
        postable: "postable",
        reconcilable: "reconcilable",
        tax_role: "tax_role",
        status: "status",
        extension: "external_id" | "metadata",
        version: "version",
        created_at: "created_at",
        updated_at: "updated_at",
        }
        children {  }
        derived { "search_key" = searched }
    }

    fn companies(filter: &LedgerFilter) -> &[AccountId] {
        &filter.companies
    }

    fn filtered(sql: Sql, filter: &LedgerFilter) -> Sql {
        let sql = prefixed(sql, "code", filter.prefix)
            .and(" AND status = ", filter.status.map(|status| status.to_sql()))
            .and(" AND type = ", filter.account_type.map(AccountType::name))
            .and(" AND postable = ", filter.postable)
            .and(" AND external_id = ", filter.external_id.as_deref())
            .and(" AND updated_at >= ", filter.updated_since.map(Timestamp::unix_micros));
        match &filter.codes {
            Some(codes) => sql.text(" AND code").listed(codes.iter().map(Stored::to_sql)),
            None => sql,
        }
    }

    fn count(filter: &LedgerFilter) -> Count<'_, LedgerFilter> {
        let LedgerFilter { companies, status, account_type, postable, updated_since, .. } = filter.clone();
        let plain = LedgerFilter { companies, status, ..LedgerFilter::default() };
        let kinds = LedgerFilter { account_type, postable, ..plain.clone() };
        let changed = LedgerFilter { updated_since, ..plain.clone() };
        Count::of(filter, plain, [&kinds, &kinds, &changed], (None, updated_since))
    }

    fn is_narrow(filter: &LedgerFilter, _total: u64) -> bool {
        filter.external_id.is_some()
    }

    fn text(filter: &LedgerFilter) -> Option<&str> {
        filter.text.as_deref()
    }

    fn sort_column(key: LedgerSort) -> &'static str {
        match key {
            LedgerSort::Code => "code",
            LedgerSort::UpdatedAt => "updated_at",
        }
    }
}

fn searched(account: &LedgerAccount) -> String {
    search_keys([account.code.as_str(), account.name.as_str()])
}

impl<C: DeferInsert + Send + Sync> SeaStore<C> {
    async fn accounts_where(
        &self,
        company: AccountId,
        condition: impl FnOnce(Sql) -> Sql,
    ) -> Result<Vec<LedgerAccount>, StoreError> {
        let text = format!(
            "SELECT {} FROM svc_ledger_accounts WHERE company_id = ",
            LedgerAccount::COLUMNS.join(", ")
        );
        let rows = self.rows(condition(self.sql(&text).bind(company.uuid()))).await?;
        self.with_children(&everything(), &rows).await
    }

    async fn insert_accounts(&self, accounts: &[LedgerAccount]) -> Result<(), StoreError> {
        for some in accounts.chunks(AT_ONCE) {
            let into = format!("INSERT INTO svc_ledger_accounts ({})", LedgerAccount::COLUMNS.join(", "));
            let rows = Insertion::of_rows(into, some.iter().map(Row::values).collect());
            self.conn.defer(rows).await.map_err(backend)?;
        }
        Ok(())
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> LedgerReader for SeaStore<C> {
    async fn with_codes(
        &self,
        company: AccountId,
        codes: &[AccountCode],
    ) -> Result<Vec<LedgerAccount>, StoreError> {
        if codes.is_empty() {
            return Ok(Vec::new());
        }
        let codes = codes.iter().map(Stored::to_sql);
        self.accounts_where(company, |sql| sql.text(" AND code").listed(codes)).await
    }

    async fn all(&self, company: AccountId) -> Result<Vec<LedgerAccount>, StoreError> {
        self.accounts_where(company, |sql| sql.text(" ORDER BY code")).await
    }

    async fn has_lines(&self, company: AccountId, code: AccountCode) -> Result<bool, StoreError> {
        let found = self.sql("SELECT 1 FROM svc_journal_lines WHERE company_id = ").bind(company.uuid());
        let found = found.text(" AND account_code = ").bind(code.as_str()).text(" LIMIT 1");
        Ok(!self.rows(found).await?.is_empty())
    }

    async fn counts_money(&self, company: AccountId, code: AccountCode) -> Result<bool, StoreError> {
        let found = self.sql("SELECT 1 FROM svc_bank_accounts WHERE company_id = ").bind(company.uuid());
        let found = found.text(" AND account_code = ").bind(code.as_str());
        Ok(!self.rows(found).await?.is_empty())
    }

    async fn sums(
        &self,
        company: AccountId,
        currency: Currency,
        asked: &Sums,
    ) -> Result<Vec<Sum>, StoreError> {
        let rows = self.rows(sums::through(self.sql(""), company, asked)).await?;
        rows.iter().map(|row| sums::sum(row, currency)).collect()
    }

    async fn daily(
        &self,
        company: AccountId,
        currency: Currency,
        accounts: &[AccountCode],
        (first, last): (Date, Date),
    ) -> Result<Vec<(Date, Amount)>, StoreError> {
        if accounts.is_empty() {
            return Ok(Vec::new());
        }
        let before = |day: Date| day.previous_day().unwrap_or(day);
        let closings = (before(first), before(last));
        let mut moved = Vec::new();
        for (which, days) in [("NOT closes_year", (first, last)), ("closes_year", closings)] {
            let rows = self.rows(sums::daily(self.sql(""), (company, which), accounts, days)).await?;
            for row in &rows {
                let day: Date = Cell::take(row, "date")?;
                let counts = if which == "closes_year" { day.next_day().unwrap_or(day) } else { day };
                moved.push((counts, sums::amount(row, "moved", currency)?));
            }
        }
        Ok(moved)
    }

    async fn balances(
        &self,
        company: AccountId,
        currency: Currency,
        span: Span,
    ) -> Result<Vec<Balance>, StoreError> {
        let rows = self.rows(sums::within(self.sql(""), company, span)).await?;
        rows.iter().map(|row| sums::balance(row, currency)).collect()
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> LedgerStore for SeaStore<C> {
    async fn insert_all(&self, accounts: &[LedgerAccount]) -> Result<(), StoreError> {
        self.insert_accounts(accounts).await
    }

    async fn replace_all(&self, company: AccountId, accounts: &[LedgerAccount]) -> Result<(), StoreError> {
        let all = self.sql("DELETE FROM svc_ledger_accounts WHERE company_id = ").bind(company.uuid());
        self.conn.execute_raw(all.statement()).await.map_err(backend)?;
        self.insert_accounts(accounts).await
    }
}

named!(AccountType: name, TaxRole: name);
displayed!(AccountCode);

numbered!(LedgerStatus { Active = 0, Archived = 1 });
