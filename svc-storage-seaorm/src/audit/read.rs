//! Reading the log.

use async_trait::async_trait;
use sea_orm::{ConnectionTrait, FromQueryResult, QueryResult};
use svc_core::audit::{AuditReader, Filter, Head, Record};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId};
use svc_core::page::{Page, PageRequest};
use svc_core::tenant::Scope;

use super::row::{self, COLUMNS, Row, stored_number};
use crate::error::backend;
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::window::Window;

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> AuditReader for SeaStore<C> {
    async fn page(
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
        Ok(Page { items: read(&rows)?, total, request })
    }

    async fn records(&self, account: AccountId, after: u64, limit: u32) -> Result<Vec<Record>, StoreError> {
        let rows =
            Sql::new(&self.conn, &format!("SELECT {COLUMNS} FROM svc_audit_records WHERE account_id = "))
                .bind(account.uuid())
                .text(" AND number > ")
                .bind(stored_number(after))
                .text(" ORDER BY number LIMIT ")
                .bind(i64::from(limit))
                .all(&self.conn)
                .await?;
        read(&rows)
    }

    async fn heads(&self) -> Result<Vec<(AccountId, Head)>, StoreError> {
        let select = "SELECT account_id, number, seal_key, seal FROM svc_audit_heads ORDER BY account_id";
        let rows = Sql::new(&self.conn, select).all(&self.conn).await?;
        let head = |row: &QueryResult| {
            let account = AccountId::from_uuid(row.try_get_by_index(0).map_err(backend)?);
            let (key, code) = (row.try_get_by_index(2), row.try_get_by_index(3));
            let number = row.try_get_by_index(1).map_err(backend)?;
            Ok((account, row::head(number, key.map_err(backend)?, code.map_err(backend)?)?))
        };
        rows.iter().map(head).collect()
    }
}

/// Whole rows of one page: which ones, and in which order, is read from the index alone.
pub(crate) fn page(sql: Sql, scope: &Scope, filter: &Filter, window: Window) -> Sql {
    let order = if window.backwards {
        " ORDER BY occurred_at, account_id, number"
    } else {
        " ORDER BY occurred_at DESC, account_id DESC, number DESC"
    };
    let rows = format!("SELECT {COLUMNS} FROM svc_audit_records WHERE (account_id, number) IN (");
    matching(sql.text(&rows).text("SELECT account_id, number"), scope, filter)
        .text(order)
        .window(window)
        .text(")")
        .text(order)
}

fn matching(sql: Sql, scope: &Scope, filter: &Filter) -> Sql {
    let Filter { action, subject, from, until } = filter;
    let mut sql = sql.text(" FROM svc_audit_records WHERE account_id").within(scope);
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

fn read(rows: &[QueryResult]) -> Result<Vec<Record>, StoreError> {
    let record = |row| row::read(Row::from_query_result(row, "").map_err(backend)?);
    rows.iter().map(record).collect()
}
