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

/// The companies that are merged; `None` of one, of all there are, and of records that are reached through others.
pub(super) fn companies<R: Row>(sql: &Sql, scope: &Scope, filter: &R::Filter) -> Option<BTreeSet<Uuid>> {
    let reached =
        Sql::reached(scope, R::companies(filter)).filter(|_| R::IN_COMPANY && R::COMPANY != "id")?;
    let merges = reached.len() > 1 && (sql.is_on_postgres() || reached.len() <= MOST);
    merges.then_some(reached)
}

/// The ids on one page. `of_one` selects `id` and the column of the order of one company, up to the place of that company, and
/// `narrowed` adds the filter.
pub(super) fn page(
    sql: Sql,
    companies: BTreeSet<Uuid>,
    (of_one, narrowed): (&str, impl Fn(Sql) -> Sql),
    order: &[(&str, Direction); 2],
    read: impl Fn(Direction) -> Direction,
    window: Window,
) -> Sql {
    if sql.is_on_postgres() {
        let sql = sql.text("SELECT id FROM ").each_id("reached", companies);
        let sql = sql.text(" AS companies CROSS JOIN LATERAL (").text(of_one).text("reached");
        let sql = ordered(narrowed(sql), "", order, &read).up_to(window).text(") AS found");
        return ordered(sql, "", order, read).window(window);
    }
    let (mut sql, mut separator) = (sql.text("SELECT id FROM ("), "");
    for company in companies {
        sql = narrowed(sql.text(separator).text(of_one).bind(company));
        separator = " UNION ALL ";
    }
    ordered(sql, "", order, read).window(window).text(") AS found")
}
