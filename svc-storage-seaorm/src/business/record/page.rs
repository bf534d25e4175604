//! Pages of a list: skipping reads an index, whole rows are read for the page alone.

use svc_core::clock::Timestamp;
use svc_core::page::{Direction, Sort};
use svc_core::tenant::Scope;

use super::look::{Look, MOST};
use super::{Count, LOOKED_UP, Row, Tags, merged, with_ids};
use crate::statement::Sql;
use crate::window::Window;

/// What a list is ordered by when no key is asked for.
const CREATED: &str = "created_at";
/// So many records of a tag, or that have not come to rest, are sorted: more of them are soon found along the order of
/// the list.
const RARE: u64 = 2_000;
/// So many changes are counted from either end of their index before all of them are.
const EDGE: i64 = 2_000;

/// Counts the records that match, within the scope; those with a text up to [`MOST`].
pub(super) fn counted<R: Row>(
    sql: Sql,
    scope: &Scope,
    filter: &R::Filter,
    count: &Count<'_, R::Filter>,
    look: Option<&Look>,
) -> Sql {
    match (count, R::TAGS) {
        (Count::Kept, _) => kept::<R>(sql, scope, filter),
        (Count::OfTag(tag, rest), Some(Tags { table, .. })) => {
            let sql = sql.text(&format!("SELECT {KEPT} FROM {table}_counts WHERE "));
            tagged::<R>(sql, scope, rest, tag)
        }
        (Count::Since(at, rest), _) => since::<R>(sql, scope, rest, *at),
        (Count::OfTag(..) | Count::Each, _) if look.is_none() => {
            matching::<R>(sql.text("SELECT count(*) FROM "), scope, filter, look)
        }
        (Count::OfTag(..) | Count::Each, _) => {
            let some = sql.text("SELECT count(*) FROM (SELECT 1 FROM ");
            let some = match look {
                Some(look) if look.is_walk() => {
                    let order = order_of::<R>(&Sort::default());
                    walked::<R>(some, scope, filter, look, &order, |direction| direction)
                }
                _ => matching::<R>(some, scope, filter, look),
            };
            some.text(" LIMIT ").bind(i64::try_from(MOST).unwrap_or(i64::MAX)).text(") AS found")
        }
    }
}

const KEPT: &str = "CAST(coalesce(sum(number), 0) AS bigint)";

fn kept<R: Row>(sql: Sql, scope: &Scope, filter: &R::Filter) -> Sql {
    let sql = sql.text(&format!("SELECT {KEPT} FROM {}_counts WHERE ", R::TABLE));
    R::filtered(R::within(sql, scope, R::companies(filter)), filter)
}

/// The predicate of a tag, for the tables that have it as a column.
fn tagged<R: Row>(sql: Sql, scope: &Scope, rest: &R::Filter, tag: &str) -> Sql {
    with_tag::<R>(R::within(sql, scope, R::companies(rest)), rest, tag)
}

/// The same without the companies.
fn with_tag<R: Row>(sql: Sql, rest: &R::Filter, tag: &str) -> Sql {
    R::filtered(sql.text(" AND tag = ").bind(tag), rest)
}

/// A client that keeps up asks for a few late changes, and one that begins for nearly all there are: both are near an
/// end of the index. What is between is counted one by one.
fn since<R: Row>(sql: Sql, scope: &Scope, rest: &R::Filter, at: Timestamp) -> Sql {
    let part = |sql: Sql, condition: &str| {
        let sql = R::within(sql.text(R::TABLE).text(" WHERE "), scope, R::companies(rest));
        R::filtered(sql.text(" AND updated_at ").text(condition).bind(at.unix_micros()), rest)
    };
    let edge = |sql: Sql, condition: &str| {
        let sql = sql.text("(SELECT nullif(count(*), ").bind(EDGE).text(") FROM (SELECT 1 FROM ");
        part(sql, condition).text(" LIMIT ").bind(EDGE).text(") AS edge)")
    };
    let sql = edge(sql.text("SELECT coalesce("), ">= ").text(", (");
    let sql = edge(kept::<R>(sql, scope, rest).text(") - "), "< ");
    part(sql.text(", (SELECT count(*) FROM "), ">= ").text("))")
}

/// One page of them, of which there are `total`.
pub(super) fn selected<R: Row>(
    sql: Sql,
    scope: &Scope,
    (filter, count): (&R::Filter, &Count<'_, R::Filter>),
    look: Option<&Look>,
    sort: &Sort<R::SortKey>,
    (window, total): (Window, u64),
) -> Sql {
    let order = order_of::<R>(sort);
    let read = |direction: Direction| if window.backwards { reversed(direction) } else { direction };
    let is_counted = matches!(count, Count::Kept) && look.is_none();
    let apart = R::apart(filter).filter(|_| is_counted && total <= RARE);
    let sql = sql.text(&format!("SELECT {} FROM {} WHERE id", R::COLUMNS.join(", "), R::TABLE));
    let page = sql.selected(|sql| {
        match (count, R::TAGS) {
            // The rows of a tag have the order of creation themselves.
            (Count::OfTag(tag, rest), Some(Tags { table, owner })) if order[0].0 == CREATED => {
                let narrowed = |sql| with_tag::<R>(sql, rest, tag);
                if let Some(several) = merged::companies::<R>(&sql, scope, filter) {
                    let of_one = format!("SELECT {owner} AS id, {CREATED} FROM {table} WHERE company_id = ");
                    return merged::page(sql, several, (&of_one, narrowed), &order, read, window);
                }
                let ids = sql.text(&format!("SELECT {owner} FROM {table} WHERE "));
                let ids = tagged::<R>(ids, scope, rest, tag);
                ordered(ids, "", &[order[0], (owner, order[1].1)], read)
            }
            (Count::OfTag(tag, rest), Some(Tags { table, owner })) if total <= RARE => {
                let ids = |sql: Sql| {
                    tagged::<R>(sql.text(&format!("SELECT {owner} FROM {table} WHERE ")), scope, rest, tag)
                };
                found_first(sql.text("SELECT id FROM "), &order, read, |sql| {
                    let sql = R::within(sql.text(R::TABLE).text(" WHERE "), scope, R::companies(filter));
                    with_ids(sql, ids)
                })
            }
            _ if look.is_none() && R::is_narrow(filter, total) => {
                found_first(sql.text("SELECT id FROM "), &order, read, |sql| {
                    matching::<R>(sql, scope, filter, None)
                })
            }
            (Count::Kept, _) if apart.is_some() && order[0].0 != CREATED => {
                found_first(sql.text("SELECT id FROM "), &order, read, |sql| {
                    let sql = matching::<R>(sql, scope, filter, None);
                    sql.text(LOOKED_UP).and_that(apart)
                })
            }
            _ => match look {
                Some(look) if look.is_walk() => {
                    walked::<R>(sql.text("SELECT id FROM "), scope, filter, look, &order, read)
                }
                Some(look) => ordered(
                    matching::<R>(sql.text("SELECT id FROM "), scope, filter, Some(look)),
                    "",
                    &order,
                    read,
                ),
                None => {
                    if let Some(several) = merged::companies::<R>(&sql, scope, filter) {
                        let (table, company) = (R::TABLE, R::COMPANY);
                        let of_one = format!("SELECT id, {} FROM {table} WHERE {company} = ", order[0].0);
                        let narrowed = |sql| R::filtered(sql, filter).and_that(apart);
                        return merged::page(sql, several, (&of_one, narrowed), &order, read, window);
                    }
                    let ids = matching::<R>(sql.text("SELECT id FROM "), scope, filter, None);
                    ordered(ids.and_that(apart), "", &order, read)
                }
            },
        }
        .window(window)
    });
    ordered(page, "", &order, |direction| direction)
}

/// Few records, in an order that another index has than the one that finds them. Without statistics both planners
/// take the index of the order, and walk the company. SQLite leaves an index alone whose column has a sign, and
/// PostgreSQL sorts what a subquery with an offset has found.
fn found_first(
    sql: Sql,
    order: &[(&str, Direction)],
    read: impl Fn(Direction) -> Direction,
    matching: impl FnOnce(Sql) -> Sql,
) -> Sql {
    if sql.is_on_postgres() {
        let found = matching(sql.text("(SELECT * FROM "));
        ordered(found.text(" OFFSET 0) AS found"), "", order, read)
    } else {
        ordered(matching(sql), "+", order, read)
    }
}

/// The ids of the first records that have a text, [`MOST`] at most.
pub(super) fn found<R: Row>(sql: Sql, scope: &Scope, filter: &R::Filter, look: Option<&Look>) -> Sql {
    let ids = sql.text("SELECT id FROM ");
    let ids = match look {
        Some(look) if look.is_walk() => {
            let order = order_of::<R>(&Sort::default());
            walked::<R>(ids, scope, filter, look, &order, |direction| direction)
        }
        _ => matching::<R>(ids, scope, filter, look),
    };
    ids.text(" LIMIT ").bind(i64::try_from(MOST).unwrap_or(i64::MAX))
}

/// Records in their order, each held against the text. PostgreSQL takes any text to be rare and would rather sort all
/// that have it: a subquery with an offset gives them in its order, and no more than are asked for.
fn walked<R: Row>(
    sql: Sql,
    scope: &Scope,
    filter: &R::Filter,
    look: &Look,
    order: &[(&str, Direction)],
    read: impl Fn(Direction) -> Direction,
) -> Sql {
    if sql.is_on_postgres() {
        let all = matching::<R>(sql.text("(SELECT * FROM "), scope, filter, None);
        let all = ordered(all, "", order, read).text(" OFFSET 0) AS walked WHERE search_key");
        look.like(all)
    } else {
        ordered(matching::<R>(sql, scope, filter, Some(look)), "", order, read)
    }
}

fn matching<R: Row>(sql: Sql, scope: &Scope, filter: &R::Filter, look: Option<&Look>) -> Sql {
    let sql = match look {
        Some(look) => look.from::<R>(sql),
        None => sql.text(R::TABLE).text(" WHERE "),
    };
    R::filtered(R::within(sql, scope, R::companies(filter)), filter)
}

pub(super) fn ordered(
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
    let (column, direction) =
        sort.0.map_or((CREATED, Direction::Ascending), |(key, direction)| (R::sort_column(key), direction));
    [(column, direction), ("id", direction)]
}

const fn reversed(direction: Direction) -> Direction {
    match direction {
        Direction::Ascending => Direction::Descending,
        Direction::Descending => Direction::Ascending,
    }
}
