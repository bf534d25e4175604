//! Reading the log.

use sea_orm::{ConnectionTrait, QueryResult};
use svc_core::audit::{Filter, Head, Record, Unreadable};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId};
use svc_core::page::{Page, PageRequest};
use svc_core::tenant::Scope;

use super::row::{self, COLUMNS, stored_number};
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::window::Window;

impl<C: ConnectionTrait + Send + Sync> SeaStore<C> {
    pub(crate) async fn audit_page(
        &self,
        scope: &Scope,
        filter: &Filter,
        request: PageRequest,
    ) -> Result<Page<Record>, StoreError> {
        let total =
            matching(Sql::new(&self.conn, "SELECT count(*)"), scope, filter).count(&self.conn).await?;
        let Some(window) = Window::of(request, total) else {
            return Ok(Page { items: Vec::new(), total, request });
        };
        let mut rows = page(Sql::new(&self.conn, ""), scope, filter, window).all(&self.conn).await?;
        if window.backwards {
            rows.reverse();
        }
        let items: Result<_, _> = rows.iter().map(row::read).collect();
        Ok(Page { items: items.map_err(StoreError::backend)?, total, request })
    }

    pub(crate) async fn audit_records(
        &self,
        account: AccountId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<Result<Record, Unreadable>>, StoreError> {
        let select = format!("SELECT {COLUMNS} FROM svc_audit_records WHERE account_id = ");
        let after = (after > 0).then(|| stored_number(after));
        let rows = Sql::new(&self.conn, &select)
            .bind(account.uuid())
            .and(" AND number > ", after)
            .text(" ORDER BY number LIMIT ")
            .bind(i64::from(limit))
            .all(&self.conn)
            .await?;
        Ok(rows.iter().map(row::read).collect())
    }

    /// The companies of records and heads, and with `accounts` those of that table.
    pub(crate) async fn audited_companies(
        &self,
        accounts: bool,
    ) -> Result<Vec<Result<AccountId, Unreadable>>, StoreError> {
        let mut select =
            "SELECT account_id FROM svc_audit_heads UNION SELECT account_id FROM svc_audit_records"
                .to_owned();
        if accounts {
            select.push_str(" UNION SELECT id FROM svc_accounts");
        }
        let rows = Sql::new(&self.conn, &format!("{select} ORDER BY 1")).all(&self.conn).await?;
        let unreadable = Unreadable { number: None, column: "svc_audit_records.account_id" };
        let company =
            |row: &QueryResult| row.try_get_by_index(0).map(AccountId::from_uuid).map_err(|_| unreadable);
        Ok(rows.iter().map(company).collect())
    }

    pub(crate) async fn audit_head(
        &self,
        account: AccountId,
    ) -> Result<Option<Result<Head, Unreadable>>, StoreError> {
        let select = "SELECT number, seal_key, seal FROM svc_audit_heads WHERE account_id = ";
        let row = Sql::new(&self.conn, select).bind(account.uuid()).one(&self.conn).await?;
        Ok(row.as_ref().map(row::read_head))
    }
}

/// Whole rows of one page: which ones, and in which order, is read from the index alone.
pub(crate) fn page(sql: Sql, scope: &Scope, filter: &Filter, window: Window) -> Sql {
    let order = if window.backwards {
        " ORDER BY occurred_at, account_id, number"
    } else {
        " ORDER BY occurred_at DESC, account_id DESC, number DESC"
    };
    let sql = sql.text(&format!("SELECT {COLUMNS} FROM svc_audit_records WHERE (account_id, number) IN ("));
    let several = Sql::reached(scope, &[]).filter(|several| several.len() > 1 && sql.is_on_postgres());
    let chosen = match several {
        Some(several) => {
            // PostgreSQL would read and sort all of several companies.
            let of_one = sql
                .text("SELECT account_id, number FROM ")
                .each_id("reached", several)
                .text(" AS companies CROSS JOIN LATERAL (SELECT account_id, number, occurred_at")
                .text(" FROM svc_audit_records WHERE account_id = reached");
            narrowed(of_one, filter).text(order).up_to(window).text(") AS found")
        }
        None => matching(sql.text("SELECT account_id, number"), scope, filter),
    };
    chosen.text(order).window(window).text(")").text(order)
}

fn matching(sql: Sql, scope: &Scope, filter: &Filter) -> Sql {
    narrowed(sql.text(" FROM svc_audit_records WHERE account_id").within(scope), filter)
}

fn narrowed(mut sql: Sql, filter: &Filter) -> Sql {
    let Filter { action, subject, from, until } = filter;
    if let Some(action) = action {
        sql = sql.text(" AND action = ").bind(action.name());
    }
    if let Some(subject) = subject {
        sql = sql.text(" AND subject = ").bind(subject.as_str());
    }
    if let Some(from) = from {
        sql = sql.text(" AND occurred_at >= ").bind(from.unix_micros());
    }
    if let Some(until) = until {
        sql = sql.text(" AND occurred_at < ").bind(until.unix_micros());
    }
    sql
}
