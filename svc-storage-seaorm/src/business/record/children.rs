//! Children of records: rows of a table of their own, each with its position.

use std::collections::{BTreeSet, HashMap};

use sea_orm::{ConnectionTrait, DbErr, QueryResult, Value};
use svc_core::error::StoreError;
use svc_core::id::TypedId;
use uuid::Uuid;

use super::{Reference, Row};
use crate::error::backend;
use crate::statement::{Insertion, Sql};

/// Adds the child of a row to a record.
pub(crate) type AddChild<R> = fn(&mut R, &QueryResult) -> Result<(), StoreError>;

/// A table of children of the record `R`, with the columns `position` and `company_id` (the company of the
/// record, where it is one of a company).
pub(crate) struct Child<R: 'static> {
    /// Its name.
    pub(crate) table: &'static str,
    /// The column of the record's id.
    pub(crate) owner: &'static str,
    /// Whether it has the column `company_id`.
    pub(crate) of_company: bool,
    /// Its own columns.
    pub(crate) columns: &'static [&'static str],
    /// Those among them that refer to other records of the same company.
    pub(crate) references: &'static [Reference],
    /// The children of a record, in their order: the values of the own columns.
    pub(crate) rows: fn(&R) -> Vec<Vec<Value>>,
    /// Adds the child of a row behind those that the record has; `None` for rows that repeat what the record has itself, so
    /// that an index finds it by them: they are not read.
    pub(crate) add: Option<AddChild<R>>,
}

/// Reads the children of these records, all those of a table at once.
pub(super) async fn load<R: Row>(conn: &impl ConnectionTrait, records: &mut [R]) -> Result<(), StoreError> {
    let read = R::CHILDREN.iter().filter_map(|child| Some((child, child.add?))).collect::<Vec<_>>();
    if records.is_empty() || read.is_empty() {
        return Ok(());
    }
    let places: HashMap<Uuid, usize> =
        records.iter().enumerate().map(|(at, record)| (record.id().uuid(), at)).collect();
    for (child, add) in read {
        let Child { table, owner, .. } = child;
        let text = format!("SELECT {owner}, {} FROM {table} WHERE ", child.columns.join(", "));
        let mut found = Sql::new(conn, &text);
        if child.of_company {
            let companies: BTreeSet<Uuid> = records.iter().map(|record| record.company().uuid()).collect();
            found = found.text("company_id").one_or_among(companies).text(" AND ");
        }
        let ids = records.iter().map(|record| record.id().uuid());
        let found = found.text(owner).one_or_among(ids);
        for row in found.text(&format!(" ORDER BY {owner}, position")).all(conn).await? {
            let of: Uuid = row.try_get("", owner).map_err(backend)?;
            if let Some(record) = places.get(&of).and_then(|at| records.get_mut(*at)) {
                add(record, &row)?;
            }
        }
    }
    Ok(())
}

/// The rows of the children of a new record.
pub(super) fn insertions<R: Row>(record: &R) -> Vec<Insertion> {
    let all = |child: &'static Child<R>| {
        let rows = (child.rows)(record).into_iter().enumerate().collect::<Vec<_>>();
        (!rows.is_empty()).then(|| insertion(child, record, rows))
    };
    R::CHILDREN.iter().filter_map(all).collect()
}

/// Makes the children of `before` those of `after`: rows that are as they were are not touched, except those that refer to
/// a record once. A merge of what they refer to may have left gaps between their positions, so they are written anew.
pub(super) async fn replace<R: Row>(conn: &impl ConnectionTrait, before: &R, after: &R) -> Result<(), DbErr> {
    for child in R::CHILDREN {
        let (old, new) = ((child.rows)(before), (child.rows)(after));
        let changed = |at: &usize| old.get(*at) != new.get(*at);
        let changed: Vec<usize> = (0..old.len().max(new.len())).filter(changed).collect();
        if changed.is_empty() {
            continue;
        }
        if child.references.iter().any(|reference| !reference.repeats) {
            conn.execute_raw(of(conn, child, after).statement()).await?;
            if !new.is_empty() {
                insertion(child, after, new.into_iter().enumerate().collect()).run(conn).await?;
            }
            continue;
        }
        let gone: Vec<i64> =
            changed.iter().filter(|at| **at < old.len()).filter_map(|at| i64::try_from(*at).ok()).collect();
        if !gone.is_empty() {
            let delete = of(conn, child, after).text(" AND position").among_numbers(gone);
            conn.execute_raw(delete.statement()).await?;
        }
        let mut new = new.into_iter().enumerate().collect::<Vec<_>>();
        new.retain(|(at, _)| changed.contains(at));
        if !new.is_empty() {
            insertion(child, after, new).run(conn).await?;
        }
    }
    Ok(())
}

/// Erases the children of a record.
pub(super) async fn erase<R: Row>(conn: &impl ConnectionTrait, record: &R) -> Result<(), DbErr> {
    for child in R::CHILDREN {
        conn.execute_raw(of(conn, child, record).statement()).await?;
    }
    Ok(())
}

/// The deletion of the children of a record.
fn of<R: Row>(conn: &impl ConnectionTrait, child: &Child<R>, record: &R) -> Sql {
    let delete = Sql::new(conn, &format!("DELETE FROM {} WHERE ", child.table));
    let delete = if child.of_company {
        delete.text("company_id = ").bind(record.company().uuid()).text(" AND ")
    } else {
        delete
    };
    delete.text(child.owner).text(" = ").bind(record.id().uuid())
}

fn insertion<R: Row>(child: &Child<R>, record: &R, rows: Vec<(usize, Vec<Value>)>) -> Insertion {
    let company = if child.of_company { "company_id, " } else { "" };
    let columns = child.columns.join(", ");
    let into = format!("INSERT INTO {} ({company}{}, position, {columns})", child.table, child.owner);
    let rows = rows.into_iter().map(|(at, own)| {
        let mut row = Vec::with_capacity(own.len() + 3);
        if child.of_company {
            row.push(record.company().uuid().into());
        }
        row.extend([record.id().uuid().into(), i32::try_from(at).unwrap_or(i32::MAX).into()]);
        row.extend(own);
        row
    });
    Insertion::of_rows(into, rows.collect())
}
