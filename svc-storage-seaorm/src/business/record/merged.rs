//! Lists over several companies: an index gives the records of each in the order of the list, and no more of each are read than
//! the page may need. Looked for together, all of them would be read and sorted.

use std::collections::BTreeSet;

use svc_core::page::Direction;
use svc_core::tenant::Scope;
use uuid::Uuid;

use super::Row;
use super::page::ordered;
use crate::statement::Sql;
use crate::window::Window;

/// So many companies SQLite merges, each of which makes the statement longer.
const MOST: usize = 64;

/// The companies that are merged; `None` of one, of all there are, and where a record is a company itself.
pub(super) fn companies<R: Row>(sql: &Sql, scope: &Scope, filter: &R::Filter) -> Option<BTreeSet<Uuid>> {
    let reached = Sql::reached(scope, R::companies(filter)).filter(|_| R::COMPANY != "id")?;
    let merges = reached.len() > 1 && (sql.is_on_postgres() || reached.len() <= MOST);
    merges.then_some(reached)
}

/// The ids on one page.
pub(super) fn page<R: Row>(
    sql: Sql,
    companies: BTreeSet<Uuid>,
    filter: &R::Filter,
    order: &[(&'static str, Direction); 2],
    read: impl Fn(Direction) -> Direction,
    window: Window,
) -> Sql {
    let of_one = format!("SELECT id, {} FROM {} WHERE {} = ", order[0].0, R::TABLE, R::COMPANY);
    if sql.is_on_postgres() {
        let most = window.offset.saturating_add(window.limit.get());
        let sql = sql.text("SELECT id FROM ").each_id("reached", companies);
        let sql = sql.text(&format!(" AS companies CROSS JOIN LATERAL ({of_one}reached"));
        let sql = ordered(R::filtered(sql, filter), "", order, &read).text(" LIMIT ");
        let sql = sql.bind(i64::try_from(most).unwrap_or(i64::MAX)).text(") AS found");
        return ordered(sql, "", order, read).window(window);
    }
    let (mut sql, mut separator) = (sql.text("SELECT id FROM ("), "");
    for company in companies {
        sql = R::filtered(sql.text(separator).text(&of_one).bind(company), filter);
        separator = " UNION ALL ";
    }
    ordered(sql, "", order, read).window(window).text(") AS found")
}
