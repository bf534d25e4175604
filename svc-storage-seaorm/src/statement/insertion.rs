//! Rows on their way into a table.

use std::collections::HashMap;

use sea_orm::{ConnectionTrait, DatabaseBackend, DbErr, QueryResult, Value};
use svc_core::event::Event;
use svc_core::id::TypedId;
use uuid::Uuid;

use super::{ROWS, Sql, VALUES};

/// Events that were added to the outbox, with their positions.
pub(crate) type Published = Vec<(i64, Event)>;

/// An insertion whose caller needs no answer.
#[derive(Clone, Debug)]
pub(crate) struct Insertion {
    /// `INSERT INTO`, the table and its columns.
    into: String,
    rows: Vec<Vec<Value>>,
    /// The events that its rows put into the outbox.
    events: Vec<Event>,
}

impl Insertion {
    /// Rows for `into`, the part of an insertion before its values.
    pub(crate) fn new<const N: usize>(
        into: impl Into<String>,
        rows: impl IntoIterator<Item = [Value; N]>,
    ) -> Self {
        Self { into: into.into(), rows: rows.into_iter().map(Vec::from).collect(), events: Vec::new() }
    }

    /// Rows of a table whose columns are known when the program runs.
    pub(crate) fn of_rows(into: String, rows: Vec<Vec<Value>>) -> Self {
        Self { into, rows, events: Vec::new() }
    }

    /// The same, of rows of the outbox: these are their events.
    pub(crate) fn publishing(mut self, events: &[Event]) -> Self {
        self.events.extend_from_slice(events);
        self
    }

    /// The event that all of them together put into the outbox, if it is one.
    pub(crate) fn only_event(insertions: &[Self]) -> Option<&Event> {
        let mut events = insertions.iter().flat_map(|one| &one.events);
        events.next().filter(|_| events.next().is_none())
    }

    /// One statement of SQLite takes [`VALUES`].
    fn has_room_for(&self, more: usize) -> bool {
        let (rows, columns) = (self.len() + more, self.rows.first().map_or(0, Vec::len));
        rows <= ROWS && rows * columns <= VALUES
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Adds its rows behind those for the same columns; gives it back when one statement cannot hold
    /// them all.
    pub(crate) fn join(self, waiting: &mut Vec<Self>) -> Option<Self> {
        match waiting.iter_mut().find(|one| one.into == self.into) {
            Some(same) if !same.has_room_for(self.len()) => return Some(self),
            Some(same) => {
                same.rows.extend(self.rows);
                same.events.extend(self.events);
            }
            None => waiting.push(self),
        }
        None
    }

    fn write(self, sql: Sql) -> Sql {
        sql.text(&self.into).rows(self.rows)
    }

    /// Adds its rows; answers the events that are in the outbox now.
    pub(crate) async fn run(mut self, conn: &impl ConnectionTrait) -> Result<Published, DbErr> {
        let events = std::mem::take(&mut self.events);
        let sql = self.write(Sql::on(conn.get_database_backend(), ""));
        run(sql, events, conn).await
    }

    /// Adds the rows of all of them, on PostgreSQL; answers the events that are in the outbox now.
    pub(crate) async fn run_together(
        mut insertions: Vec<Self>,
        conn: &impl ConnectionTrait,
    ) -> Result<Published, DbErr> {
        // The last one of the statement can answer: the one for the outbox, of which there is one at most.
        insertions.sort_by_key(|one| !one.events.is_empty());
        debug_assert!(insertions.iter().filter(|one| !one.events.is_empty()).count() <= 1);
        let events = insertions.last_mut().map(|last| std::mem::take(&mut last.events)).unwrap_or_default();
        match Self::together(insertions) {
            Some(together) => run(together, events, conn).await,
            None => Ok(Vec::new()),
        }
    }

    /// All of them as one statement of PostgreSQL, which takes effect as a whole; `None` for none. Its
    /// parts do not see each other's rows.
    fn together(insertions: Vec<Self>) -> Option<Sql> {
        let last = insertions.len().checked_sub(1)?;
        let mut sql = Sql::on(DatabaseBackend::Postgres, if last == 0 { "" } else { "WITH " });
        for (number, insertion) in insertions.into_iter().enumerate() {
            sql = if number == last {
                insertion.write(sql)
            } else {
                let sql = sql.text(&format!("part{number} AS ("));
                insertion.write(sql).text(if number + 1 == last { ") " } else { "), " })
            };
        }
        Some(sql)
    }
}

/// Runs an insertion; if it puts events into the outbox, it is told where they are.
async fn run(sql: Sql, events: Vec<Event>, conn: &impl ConnectionTrait) -> Result<Published, DbErr> {
    if events.is_empty() {
        return conn.execute_raw(sql.statement()).await.map(|_| Vec::new());
    }
    let rows = conn.query_all_raw(sql.text(" RETURNING event_id, position").statement()).await?;
    let position = |row: &QueryResult| Ok((row.try_get_by_index::<Uuid>(0)?, row.try_get_by_index(1)?));
    let positions = rows.iter().map(position).collect::<Result<HashMap<_, i64>, DbErr>>()?;
    let with_place = |event: Event| {
        let position = *positions.get(&event.id.uuid())?;
        Some((position, event))
    };
    Ok(events.into_iter().filter_map(with_place).collect())
}

#[cfg(test)]
mod tests {
    use sea_orm::sea_query::Values;

    use super::*;

    fn rows(into: &str, of: impl IntoIterator<Item = [i64; 2]>) -> Insertion {
        Insertion::new(into, of.into_iter().map(|row| row.map(Value::from)))
    }

    fn written(sql: Option<Sql>) -> (String, Vec<Value>) {
        let statement = sql.expect("a statement").statement();
        (statement.sql, statement.values.map(|Values(values)| values).unwrap_or_default())
    }

    #[test]
    fn none_is_no_statement_and_one_stands_alone() {
        assert!(Insertion::together(Vec::new()).is_none());
        let (sql, values) = written(Insertion::together(vec![rows("INSERT INTO a (b, c)", [[1, 2]])]));
        assert_eq!(sql, "INSERT INTO a (b, c) VALUES ($1, $2)");
        assert_eq!(values, [1_i64, 2].map(Value::from));
    }

    #[test]
    fn several_are_one_statement_with_the_values_of_each_in_its_places() {
        let parts = ["INSERT INTO a (b, c)", "INSERT INTO d (e, f)", "INSERT INTO g (h, i)"];
        let parts = parts.into_iter().zip(1..).map(|(into, number)| rows(into, [[number, -number]]));
        let (sql, values) = written(Insertion::together(parts.collect()));
        assert_eq!(
            sql,
            "WITH part0 AS (INSERT INTO a (b, c) VALUES ($1, $2)), \
             part1 AS (INSERT INTO d (e, f) VALUES ($3, $4)) INSERT INTO g (h, i) VALUES ($5, $6)"
        );
        assert_eq!(values, [1_i64, -1, 2, -2, 3, -3].map(Value::from));
    }

    #[test]
    fn rows_for_the_same_columns_come_behind_each_other() {
        let mut waiting = Vec::new();
        assert!(rows("INSERT INTO a (b, c)", [[1, 2]]).join(&mut waiting).is_none());
        assert!(rows("INSERT INTO a (c, b)", [[7, 8]]).join(&mut waiting).is_none(), "other columns");
        assert!(rows("INSERT INTO a (b, c)", [[3, 4], [5, 6]]).join(&mut waiting).is_none());
        let [first, second] = waiting.as_slice() else { panic!("{waiting:?}") };
        assert_eq!(first.rows.concat(), [1_i64, 2, 3, 4, 5, 6].map(Value::from));
        assert_eq!(second.rows.concat(), [7_i64, 8].map(Value::from));
        let rest = rows("INSERT INTO a (b, c)", vec![[0, 0]; ROWS - 2]);
        assert_eq!(
            rest.join(&mut waiting).map(|rest| rest.len()),
            Some(ROWS - 2),
            "more than a statement takes"
        );
    }
}
