//! How a text is looked for: in the records one after the other, or by the index of their texts.
//!
//! The index holds every three letters that follow each other in the key of a record (see `migration::texts`); what
//! it finds is held against the whole text. It is dear for a text that many records have, and there a walk in the
//! order of the list soon has its page. A glance at some records of the company tells which, and which of the groups
//! of letters are so common that the index is better asked for the others alone.
//!
//! [`MOST`] records are found at most: nothing that is looked for costs more, however long the table.

use std::collections::BTreeSet;

use svc_business::party::search_key;
use svc_core::error::StoreError;
use svc_core::tenant::Scope;

use super::Row;
use crate::business::cell::Cell;
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::transaction::DeferInsert;

/// A text is found in so many records at most.
pub(super) const MOST: u64 = 10_000;
/// So many records are looked at before the way is chosen.
const GLANCE: usize = 1_000;
/// How common the groups of letters are is told by so many of them.
const SAMPLE: usize = 64;
/// So many letters groups of a text are looked up at most: the whole text is compared afterwards.
const GROUPS: usize = 24;

/// A text that is looked for, and the way.
pub(super) struct Look {
    key: String,
    way: Way,
}

enum Way {
    /// Each record that the other filters leave, in the order of the list.
    Walk,
    /// Those that the index of texts finds by these groups of letters.
    Index(Vec<String>),
}

impl Look {
    /// The same by a walk.
    pub(super) fn walking(self) -> Self {
        Self { way: Way::Walk, ..self }
    }

    /// Whether each record is looked at, in the order of the list.
    pub(super) const fn is_walk(&self) -> bool {
        matches!(self.way, Way::Walk)
    }

    /// Adds the predicate of the text: ` LIKE …`.
    pub(super) fn like(&self, sql: Sql) -> Sql {
        like(sql, &self.key)
    }

    /// Adds the table `R` where it is read for this text, and the predicate of it.
    pub(super) fn from<R: Row>(&self, sql: Sql) -> Sql {
        let table = R::TABLE;
        match (&self.way, sql.is_on_postgres()) {
            (Way::Walk, _) => self.like(sql.text(&format!("{table} WHERE search_key"))).text(" AND "),
            // `OFFSET 0`: the index of texts is asked first, and alone.
            (Way::Index(groups), true) => {
                let sql = sql.text(&format!("(SELECT * FROM {table} WHERE svc_letters(search_key) @@ "));
                let sql = sql.typed("tsquery", groups_of_postgres(&self.key, groups));
                self.like(sql.text(" AND search_key")).text(&format!(" OFFSET 0) AS {table} WHERE "))
            }
            (Way::Index(groups), false) => {
                let sql = sql.text(&format!(
                    "{table}_text CROSS JOIN {table} ON {table}.row_id = {table}_text.rowid WHERE {table}_text MATCH "
                ));
                let sql = groups_of_sqlite::<R>(sql, &self.key, groups);
                self.like(sql.text(" AND search_key")).text(" AND ")
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
        let way = match companies::<R>(scope, filter) {
            _ if key.chars().nth(1).is_none() => Way::Walk,
            // A company is a record of its own.
            Some(few) if R::COMPANY == "id" && few <= GLANCE => Way::Walk,
            Some(1) if R::COMPANY != "id" => self.glance::<R>(scope, filter, &key).await?,
            Some(_) | None => Way::Index(groups(&key)),
        };
        Ok(Some(Look { key, way }))
    }

    /// A walk where it finds the text soon: the company has few records, or the text is in many of them.
    async fn glance<R: Row>(&self, scope: &Scope, filter: &R::Filter, key: &str) -> Result<Way, StoreError> {
        let front = |sql: Sql, most| {
            let sql = sql.text(" FROM (SELECT search_key FROM ").text(R::TABLE).text(" WHERE ");
            let sql = R::within(sql, scope, R::companies(filter)).text(" ORDER BY created_at, id LIMIT ");
            sql.bind(number(most)).text(") AS front")
        };
        let glance = self.sql("SELECT count(*) AS seen, count(CASE WHEN search_key");
        let glance = like(glance, key).text(" THEN 1 END) AS found, (SELECT string_agg(search_key, '\n')");
        let glance = front(front(glance, SAMPLE).text(") AS sample"), GLANCE);
        let rows = self.rows(glance).await?;
        let Some(row) = rows.first() else { return Ok(Way::Walk) };
        let (seen, found) = (i64::take(row, "seen")?, i64::take(row, "found")?);
        if seen < number(GLANCE) || found > number(GLANCE / 4) {
            return Ok(Way::Walk);
        }
        let sample: Option<String> = Cell::take(row, "sample")?;
        Ok(Way::Index(rarest(groups(key), &sample.unwrap_or_default())))
    }
}

/// Those groups that are about as rare as the rarest among these keys, one in each line: an index reads all the
/// records of a group that most records have, and is no wiser for it.
fn rarest(groups: Vec<String>, keys: &str) -> Vec<String> {
    let often = |group: &String| keys.lines().filter(|key| key.contains(group.as_str())).count();
    let counted: Vec<(usize, String)> = groups.into_iter().map(|group| (often(&group), group)).collect();
    let rarest = counted.iter().map(|(often, _)| *often).min().unwrap_or(0);
    let most = rarest.saturating_mul(4).saturating_add(2);
    counted.into_iter().filter(|(often, _)| *often <= most).map(|(_, group)| group).collect()
}

/// How many companies a list is of; `None` for all there are.
fn companies<R: Row>(scope: &Scope, filter: &R::Filter) -> Option<usize> {
    match R::companies(filter) {
        [] => scope.companies().map(BTreeSet::len),
        some => Some(some.iter().filter(|company| scope.contains(**company)).count()),
    }
}

fn number(number: usize) -> i64 {
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
fn groups_of_postgres(key: &str, groups: &[String]) -> String {
    let quoted = |group: &str| format!("'{}'", group.replace('\\', "\\\\").replace('\'', "''"));
    match groups {
        [] => quoted(key) + ":*",
        groups => groups.iter().map(|group| quoted(group)).collect::<Vec<_>>().join(" & "),
    }
}

/// An expression of FTS5: all the groups, or any that begins with the two letters; `""` finds nothing.
fn groups_of_sqlite<R: Row>(sql: Sql, key: &str, groups: &[String]) -> Sql {
    let quoted = |group: &str| format!("\"{}\"", group.replace('"', "\"\""));
    match groups {
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
