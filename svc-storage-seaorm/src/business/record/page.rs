//! Pages of a list: skipping reads an index, whole rows are read for the page alone.

use svc_core::page::{Direction, Sort};
use svc_core::tenant::Scope;

use super::Row;
use super::look::{Look, MOST};
use crate::statement::Sql;
use crate::window::Window;

/// Counts the records that match, within the scope; those with a text up to [`MOST`].
pub(super) fn counted<R: Row>(sql: Sql, scope: &Scope, filter: &R::Filter, look: Option<&Look>) -> Sql {
    if look.is_none() {
        return matching::<R>(sql.text("SELECT count(*) FROM "), scope, filter, look);
    }
    let some = matching::<R>(sql.text("SELECT count(*) FROM (SELECT 1 FROM "), scope, filter, look);
    some.text(" LIMIT ").bind(i64::try_from(MOST).unwrap_or(i64::MAX)).text(") AS found")
}

/// One page of them.
pub(super) fn selected<R: Row>(
    sql: Sql,
    scope: &Scope,
    filter: &R::Filter,
    look: Option<&Look>,
    sort: &Sort<R::SortKey>,
    window: Window,
) -> Sql {
    let order = order_of::<R>(sort);
    let read = |direction: Direction| if window.backwards { reversed(direction) } else { direction };
    let sql = sql.text(&format!("SELECT {} FROM {} WHERE id", R::COLUMNS.join(", "), R::TABLE));
    // Without statistics SQLite takes the index of the order, and walks the company for a few records. It
    // leaves an index alone whose column has a sign.
    let sign = if R::is_narrow(filter) && !sql.is_on_postgres() { "+" } else { "" };
    let page = sql.selected(|sql| {
        let ids = matching::<R>(sql.text("SELECT id FROM "), scope, filter, look);
        ordered(ids, sign, &order, read).window(window)
    });
    ordered(page, "", &order, |direction| direction)
}

fn matching<R: Row>(sql: Sql, scope: &Scope, filter: &R::Filter, look: Option<&Look>) -> Sql {
    let sql = match look {
        Some(look) => look.from::<R>(sql),
        None => sql.text(R::TABLE).text(" WHERE "),
    };
    R::filtered(R::within(sql, scope, R::companies(filter)), filter)
}

fn ordered(
    mut sql: Sql,
    sign: &str,
    order: &[(&str, Direction)],
    read: impl Fn(Direction) -> Direction,
) -> Sql {
    let mut separator = " ORDER BY ";
    for (column, direction) in order {
        sql = sql.text(separator).text(sign).text(column);
        if read(*direction) == Direction::Descending {
            sql = sql.text(" DESC");
        }
        separator = ", ";
    }
    sql
}

fn order_of<R: Row>(sort: &Sort<R::SortKey>) -> [(&'static str, Direction); 2] {
    let (column, direction) = sort
        .0
        .map_or(("created_at", Direction::Ascending), |(key, direction)| (R::sort_column(key), direction));
    [(column, direction), ("id", direction)]
}

const fn reversed(direction: Direction) -> Direction {
    match direction {
        Direction::Ascending => Direction::Descending,
        Direction::Descending => Direction::Ascending,
    }
}
