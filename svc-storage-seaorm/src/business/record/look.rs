//! How a text is looked for: in the records one after the other, or by the index of their texts.
//!
//! The index holds every three letters that follow each other in the key of a record (see `migration::texts`); what
//! it finds is held against the whole text. It is dear for a text that many records have, and there a walk in the
//! order of the list soon has its page. A glance at some records of the company tells which.
//!
//! [`MOST`] records are found at most: nothing that is looked for costs more, however long the table.

use std::collections::BTreeSet;

use sea_orm::QueryResult;
use svc_business::party::search_key;
use svc_core::error::StoreError;
use svc_core::tenant::Scope;

use super::Row;
use crate::error::backend;
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::transaction::DeferInsert;

/// A text is found in so many records at most.
pub(super) const MOST: u64 = 10_000;
/// So many records are looked at before the way is chosen.
const GLANCE: usize = 1_000;
/// So many letters groups of a text are looked up at most: the whole text is compared afterwards.
const GROUPS: usize = 24;

/// A text that is looked for, and the way.
pub(super) struct Look {
    key: String,
    way: Way,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Each record that the other filters leave, in the order of the list.
    Walk,
    /// Those that the index of texts finds.
    Index,
}

impl Look {
    /// The same by a walk.
    pub(super) fn walking(self) -> Self {
        Self { way: Way::Walk, ..self }
    }

    /// Adds the table `R` where it is read for this text, and the predicate of it.
    pub(super) fn from<R: Row>(&self, sql: Sql) -> Sql {
        let table = R::TABLE;
        match (self.way, sql.is_on_postgres()) {
            // An expression that no index has.
            (Way::Walk, true) => {
                like(sql.text(&format!("{table} WHERE (search_key || '')")), &self.key).text(" AND ")
            }
            (Way::Walk, false) => {
                like(sql.text(&format!("{table} WHERE search_key")), &self.key).text(" AND ")
            }
            // `OFFSET 0`: the index of texts is asked first, and alone.
            (Way::Index, true) => {
                let sql = sql.text(&format!("(SELECT * FROM {table} WHERE svc_letters(search_key) @@ "));
                let sql = sql.typed("tsquery", groups_of_postgres(&self.key)).text(" AND search_key");
                like(sql, &self.key).text(&format!(" OFFSET 0) AS {table} WHERE "))
            }
            (Way::Index, false) => {
                let sql = sql.text(&format!(
                    "{table}_text CROSS JOIN {table} ON {table}.row_id = {table}_text.rowid WHERE {table}_text MATCH "
                ));
                like(groups_of_sqlite::<R>(sql, &self.key).text(" AND search_key"), &self.key).text(" AND ")
            }
        }
    }
}

impl<C: DeferInsert + Send + Sync> SeaStore<C> {
    /// How the text of a filter is looked for; `None` when it names none.
    pub(super) async fn look<R: Row>(
        &self,
        scope: &Scope,
        filter: &R::Filter,
    ) -> Result<Option<Look>, StoreError> {
        let Some(key) = R::text(filter).map(search_key) else { return Ok(None) };
        let walk = match companies::<R>(scope, filter) {
            _ if key.chars().nth(1).is_none() => true,
            // A company is a record of its own.
            Some(few) if R::COMPANY == "id" => few <= GLANCE,
            Some(1) => self.is_soon_found::<R>(scope, filter, &key).await?,
            Some(_) | None => false,
        };
        Ok(Some(Look { key, way: if walk { Way::Walk } else { Way::Index } }))
    }

    /// Whether a walk finds it soon: the company has few records, or the text is in many of them.
    async fn is_soon_found<R: Row>(
        &self,
        scope: &Scope,
        filter: &R::Filter,
        key: &str,
    ) -> Result<bool, StoreError> {
        let glance = self.sql("SELECT count(*), count(CASE WHEN search_key");
        let glance = like(glance, key).text(" THEN 1 END) FROM (SELECT search_key FROM ").text(R::TABLE);
        let glance = R::within(glance.text(" WHERE "), scope, R::companies(filter));
        let glance = glance.text(" ORDER BY created_at, id LIMIT ").bind(most(GLANCE)).text(") AS front");
        let rows = self.rows(glance).await?;
        let number = |row: &QueryResult, at| row.try_get_by_index::<i64>(at).map_err(backend);
        let Some(row) = rows.first() else { return Ok(true) };
        let (seen, found) = (number(row, 0)?, number(row, 1)?);
        Ok(seen < most(GLANCE) || found > most(GLANCE / 4))
    }
}

/// How many companies a list is of; `None` for all there are.
fn companies<R: Row>(scope: &Scope, filter: &R::Filter) -> Option<usize> {
    match R::companies(filter) {
        [] => scope.companies().map(BTreeSet::len),
        some => Some(some.iter().filter(|company| scope.contains(**company)).count()),
    }
}

fn most(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// ` LIKE …`: contains this text, its wildcards taken as plain characters.
fn like(sql: Sql, key: &str) -> Sql {
    let key = key.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    sql.text(" LIKE ").bind(format!("%{key}%")).text(" ESCAPE '\\'")
}

/// The groups of three letters of a text, which has two at least; two alone are one group, the beginning of others.
fn groups(key: &str) -> Vec<String> {
    let letters: Vec<char> = key.chars().collect();
    let mut groups: Vec<String> = letters.windows(3).map(|group| group.iter().collect()).collect();
    groups.sort_unstable();
    groups.dedup();
    groups.truncate(GROUPS);
    groups
}

/// A `tsquery` of the manual's section 8.11.2: all the groups.
fn groups_of_postgres(key: &str) -> String {
    let quoted = |group: &str| format!("'{}'", group.replace('\\', "\\\\").replace('\'', "''"));
    match groups(key).as_slice() {
        [] => quoted(key) + ":*",
        groups => groups.iter().map(|group| quoted(group)).collect::<Vec<_>>().join(" & "),
    }
}

/// An expression of FTS5: all the groups, or any that begins with the two letters; `""` finds nothing.
fn groups_of_sqlite<R: Row>(sql: Sql, key: &str) -> Sql {
    let quoted = |group: &str| format!("\"{}\"", group.replace('"', "\"\""));
    match groups(key).as_slice() {
        [] => sql
            .text("(SELECT coalesce(group_concat('\"' || replace(term, '\"', '\"\"') || '\"', ' OR '), '\"\"') FROM ")
            .text(R::TABLE)
            .text("_letters WHERE term >= ")
            .bind(key)
            .text(" AND term < ")
            .bind(format!("{key}{}", char::MAX))
            .text(")"),
        groups => sql.bind(groups.iter().map(|group| quoted(group)).collect::<Vec<_>>().join(" AND ")),
    }
}
