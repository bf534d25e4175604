//! Statements written as SQL, where that is clearer than the builder.
//!
//! The text is the same for both engines wherever they agree. Places of values are `$1`, `$2`, … on
//! PostgreSQL and `?` on SQLite: that one understands `$1` too, but as a name, and looks names up one
//! by one, so a statement with many of them takes time that grows with their square.

mod insertion;
mod rows;

use std::collections::BTreeSet;
use std::fmt::{Display, Write as _};

use sea_orm::{ConnectionTrait, DatabaseBackend, QueryResult, Statement, Value};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId};
use svc_core::tenant::Scope;
use uuid::Uuid;

pub(crate) use self::insertion::{Insertion, Published};
use crate::error::backend;
use crate::window::Window;

/// Rows that one statement writes at most: with up to 20 values each they stay below the 32,766
/// values that SQLite takes (PostgreSQL takes 65,535).
pub(crate) const ROWS: usize = 1_000;

/// Values of one statement at most: SQLite takes a few more.
const VALUES: usize = 32_000;

/// A statement and its values.
pub(crate) struct Sql {
    engine: DatabaseBackend,
    text: String,
    values: Vec<Value>,
}

impl Sql {
    /// A statement for this connection that starts with `text`.
    pub(crate) fn new(conn: &impl ConnectionTrait, text: &str) -> Self {
        Self::on(conn.get_database_backend(), text)
    }

    /// A statement for this engine that starts with `text`.
    pub(crate) fn on(engine: DatabaseBackend, text: &str) -> Self {
        Self { engine, text: text.to_owned(), values: Vec::new() }
    }

    /// More text.
    pub(crate) fn text(mut self, text: &str) -> Self {
        self.text.push_str(text);
        self
    }

    /// More text, on PostgreSQL alone: locks that SQLite, with its one writer, does not need, and what that
    /// planner has to be told.
    pub(crate) fn on_postgres(self, text: &str) -> Self {
        if self.is_on_postgres() { self.text(text) } else { self }
    }

    /// Whether it goes to PostgreSQL.
    pub(crate) fn is_on_postgres(&self) -> bool {
        self.engine == DatabaseBackend::Postgres
    }

    /// The place of a value.
    pub(crate) fn bind(mut self, value: impl Into<Value>) -> Self {
        self.values.push(value.into());
        if self.is_on_postgres() {
            let place = format!("${}", self.values.len());
            self.text(&place)
        } else {
            self.text("?")
        }
    }

    /// The place of a value whose type PostgreSQL cannot see from where it stands.
    pub(crate) fn typed(self, kind: &str, value: impl Into<Value>) -> Self {
        self.text("CAST(").bind(value).text(&format!(" AS {kind})"))
    }

    /// ` = …` or ` IN …`: one of these ids, however many. They are one value, so the text of the
    /// statement, and with it the prepared statement, stays the same.
    pub(crate) fn among(self, ids: impl IntoIterator<Item = Uuid>) -> Self {
        if self.is_on_postgres() {
            self.any("uuid", ids)
        } else {
            let ids = ids.into_iter().map(|id| format!("\"{}\"", id.simple()));
            self.each("unhex(value)", ids)
        }
    }

    /// A table of these ids, of one column; an alias has to follow.
    pub(crate) fn each_id(self, column: &str, ids: impl IntoIterator<Item = Uuid>) -> Self {
        if self.is_on_postgres() {
            let ids = format!("{{{}}}", joined(ids));
            let text = self.text("(SELECT unnest(CAST(CAST(").bind(ids);
            text.text(&format!(" AS text) AS uuid[])) AS {column})"))
        } else {
            let ids = ids.into_iter().map(|id| format!("\"{}\"", id.simple()));
            let text = self.text(&format!("(SELECT unhex(value) AS {column} FROM json_each("));
            text.bind(format!("[{}]", joined(ids))).text("))")
        }
    }

    /// The same with numbers.
    pub(crate) fn among_numbers(self, numbers: impl IntoIterator<Item = i64>) -> Self {
        if self.is_on_postgres() { self.any("bigint", numbers) } else { self.each("value", numbers) }
    }

    /// Selected, the array is read once; as a plain value PostgreSQL reads its text again for each row that a small
    /// table is walked by.
    fn any(self, kind: &str, members: impl IntoIterator<Item = impl Display>) -> Self {
        let text =
            self.text(" = ANY(ARRAY(SELECT unnest(CAST(CAST(").bind(format!("{{{}}}", joined(members)));
        text.text(&format!(" AS text) AS {kind}[]))))"))
    }

    fn each(self, member: &str, members: impl IntoIterator<Item = impl Display>) -> Self {
        let text = self.text(&format!(" IN (SELECT {member} FROM json_each("));
        text.bind(format!("[{}]", joined(members))).text("))")
    }

    /// ` = …` or ` IN …`: one of these ids, of which there is mostly one. That one is an equality: the planner
    /// expects of it what there is, and an index on (id, …) also gives the order.
    pub(crate) fn one_or_among(self, ids: impl IntoIterator<Item = Uuid>) -> Self {
        let mut ids = ids.into_iter();
        match (ids.next(), ids.next()) {
            (Some(only), None) => self.text(" = ").bind(only),
            (first, second) => self.among(first.into_iter().chain(second).chain(ids)),
        }
    }

    /// The predicate of a column that holds a company: within the scope.
    pub(crate) fn within(self, scope: &Scope) -> Self {
        self.companies(scope, &[])
    }

    /// The same: within the scope, and among `subset` where that names any company. None at all matches nothing.
    pub(crate) fn companies(self, scope: &Scope, subset: &[AccountId]) -> Self {
        match Self::reached(scope, subset) {
            Some(companies) => self.one_or_among(companies),
            None => self.text(" IS NOT NULL"),
        }
    }

    /// The companies within the scope, or those of `subset` that are; `None` of a scope of all there are.
    pub(crate) fn reached(scope: &Scope, subset: &[AccountId]) -> Option<BTreeSet<Uuid>> {
        match subset {
            [] => Some(scope.companies()?.iter().map(|company| company.uuid()).collect()),
            some => {
                let reached = some.iter().filter(|company| scope.contains(**company));
                Some(reached.map(|company| company.uuid()).collect())
            }
        }
    }

    /// A predicate before the place of its value, where there is a value: ` AND status = `.
    pub(crate) fn and(self, predicate: &str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.text(predicate).bind(value),
            None => self,
        }
    }

    /// A predicate that has no value, where there is one.
    pub(crate) fn and_that(self, predicate: Option<&str>) -> Self {
        match predicate {
            Some(predicate) => self.text(" AND ").text(predicate),
            None => self,
        }
    }

    /// ` LIMIT … OFFSET …`.
    pub(crate) fn window(self, window: Window) -> Self {
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        self.text(" LIMIT ").bind(number(window.limit.get())).text(" OFFSET ").bind(number(window.offset))
    }

    /// ` LIMIT …`: as many rows as a window reaches.
    pub(crate) fn up_to(self, window: Window) -> Self {
        let most = window.offset.saturating_add(window.limit.get());
        self.text(" LIMIT ").bind(i64::try_from(most).unwrap_or(i64::MAX))
    }

    /// ` IN (…)`: one of a few values, each a value of the statement; none at all matches nothing.
    pub(crate) fn listed<V: Into<Value>>(mut self, values: impl IntoIterator<Item = V>) -> Self {
        self = self.text(" IN (NULL");
        for value in values {
            self = self.text(", ").bind(value);
        }
        self.text(")")
    }

    /// ` = …` or ` IN …`: what this subquery selects. PostgreSQL runs an array once and looks its members
    /// up; given the subquery it may choose to read the whole table instead.
    pub(crate) fn selected(self, subquery: impl FnOnce(Self) -> Self) -> Self {
        if self.is_on_postgres() {
            subquery(self.text(" = ANY(ARRAY(")).text("))")
        } else {
            subquery(self.text(" IN (")).text(")")
        }
    }

    /// Runs it; answers how many rows it changed.
    pub(crate) async fn execute(self, conn: &impl ConnectionTrait) -> Result<u64, StoreError> {
        Ok(conn.execute_raw(self.statement()).await.map_err(backend)?.rows_affected())
    }

    /// Its rows.
    pub(crate) async fn all(self, conn: &impl ConnectionTrait) -> Result<Vec<QueryResult>, StoreError> {
        conn.query_all_raw(self.statement()).await.map_err(backend)
    }

    /// Its first row.
    pub(crate) async fn one(self, conn: &impl ConnectionTrait) -> Result<Option<QueryResult>, StoreError> {
        conn.query_one_raw(self.statement()).await.map_err(backend)
    }

    /// The count that it selects.
    pub(crate) async fn count(self, conn: &impl ConnectionTrait) -> Result<u64, StoreError> {
        let row = self.one(conn).await?;
        let count: i64 = row.map_or(Ok(0), |row| row.try_get_by_index(0)).map_err(backend)?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    /// The first column of its rows.
    pub(crate) async fn ids(self, conn: &impl ConnectionTrait) -> Result<Vec<Uuid>, StoreError> {
        let rows = self.all(conn).await?;
        rows.iter().map(|row| row.try_get_by_index(0).map_err(backend)).collect()
    }

    /// The statement, for those who run it otherwise.
    pub(crate) fn statement(self) -> Statement {
        Statement::from_sql_and_values(self.engine, self.text, self.values)
    }
}

fn joined(members: impl IntoIterator<Item = impl Display>) -> String {
    let mut text = String::new();
    for member in members {
        if !text.is_empty() {
            text.push(',');
        }
        write!(text, "{member}").expect("a text can be written to");
    }
    text
}
