//! Pages of a list: skipping reads an index, whole rows are read for the page alone.

use svc_core::page::{Direction, Sort};
use svc_core::tenant::Scope;

use super::Row;
use super::look::{Look, MOST};
use crate::statement::Sql;
use crate::window::Window;

/// Counts the records that match, within the scope; those with a text up to [`MOST`].
pub(super) fn counted<R: Row>(sql: Sql, scope: &Scope, filter: &R::Filter, look: Option<&Look>) -> Sql {
    if R::is_counted(filter) {
        let sql = sql.text(&format!(
            "SELECT CAST(coalesce(sum(number), 0) AS bigint) FROM {}_counts WHERE ",
            R::TABLE
        ));
        return R::filtered(R::within(sql, scope, R::companies(filter)), filter);
    }
    if look.is_none() {
        return matching::<R>(sql.text("SELECT count(*) FROM "), scope, filter, look);
    }
    let some = matching::<R>(sql.text("SELECT count(*) FROM (SELECT 1 FROM "), scope, filter, look);
    some.text(" LIMIT ").bind(i64::try_from(MOST).unwrap_or(i64::MAX)).text(") AS found")
}

/// One page of them, of which there are `total`.
pub(super) fn selected<R: Row>(
    sql: Sql,
    scope: &Scope,
    filter: &R::Filter,
    look: Option<&Look>,
    sort: &Sort<R::SortKey>,
    (window, total): (Window, u64),
) -> Sql {
    let order = order_of::<R>(sort);
    let read = |direction: Direction| if window.backwards { reversed(direction) } else { direction };
    let sql = sql.text(&format!("SELECT {} FROM {} WHERE id", R::COLUMNS.join(", "), R::TABLE));
    let is_narrow = look.is_none() && R::is_narrow(filter, total);
    let page = sql.selected(|sql| {
        let ids = sql.text("SELECT id FROM ");
        if is_narrow {
            found_first::<R>(ids, scope, filter, &order, read).window(window)
        } else {
            ordered(matching::<R>(ids, scope, filter, look), "", &order, read).window(window)
        }
    });
    ordered(page, "", &order, |direction| direction)
}

/// Few records, in an order that another index has than the one that finds them. Without statistics both planners
/// take the index of the order, and walk the company. SQLite leaves an index alone whose column has a sign, and
/// PostgreSQL sorts what a subquery with an offset has found.
fn found_first<R: Row>(
    sql: Sql,
    scope: &Scope,
    filter: &R::Filter,
    order: &[(&str, Direction)],
    read: impl Fn(Direction) -> Direction,
) -> Sql {
    if sql.is_on_postgres() {
        let found = matching::<R>(sql.text("(SELECT * FROM "), scope, filter, None);
        ordered(found.text(" OFFSET 0) AS found"), "", order, read)
    } else {
        ordered(matching::<R>(sql, scope, filter, None), "+", order, read)
    }
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
