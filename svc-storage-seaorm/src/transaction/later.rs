//! Statements that can wait for one another.

use std::fmt::Write as _;

use async_trait::async_trait;
use sea_orm::sea_query::Values;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr, Statement};

/// A connection that may put statements off.
#[async_trait]
pub(crate) trait Later: ConnectionTrait {
    /// Runs an insertion, now or together with what comes: before the next statement that is not put
    /// off too, and before the commit.
    ///
    /// It fails as late as that. So it is for an insertion that is not expected to fail and whose answer
    /// nobody needs. What is put off together is one statement in the end, whose parts do not see each
    /// other's rows and have no order among themselves.
    async fn later(&self, insertion: Statement) -> Result<(), DbErr> {
        self.execute_raw(insertion).await.map(drop)
    }
}

impl Later for DatabaseConnection {}

/// All of them as one statement of PostgreSQL, which takes effect as a whole; `None` for none.
pub(super) fn together(statements: Vec<Statement>) -> Option<Statement> {
    let mut statements = statements.into_iter();
    let first = statements.next()?;
    if statements.len() == 0 {
        return Some(first);
    }
    let engine = first.db_backend;
    let (mut sql, mut values) = (String::from("WITH "), Vec::new());
    let mut parts = std::iter::once(first).chain(statements).enumerate().peekable();
    while let Some((number, part)) = parts.next() {
        if parts.peek().is_some() {
            let comma = if number == 0 { "" } else { ", " };
            write!(sql, "{comma}part{number} AS (").expect("a text can be written to");
            push_after(&mut sql, &part.sql, values.len());
            sql.push(')');
        } else {
            sql.push(' ');
            push_after(&mut sql, &part.sql, values.len());
        }
        values.extend(part.values.map(|values| values.0).unwrap_or_default());
    }
    Some(Statement { sql, values: Some(Values(values)), db_backend: engine })
}

/// The text with its places `$1`, `$2`, … moved behind the first `taken`; what is quoted stays.
fn push_after(to: &mut String, sql: &str, taken: usize) {
    let mut quote = None;
    let mut rest = sql.chars().peekable();
    while let Some(sign) = rest.next() {
        to.push(sign);
        match (quote, sign) {
            (None, '\'' | '"') => quote = Some(sign),
            (Some(open), _) if open == sign => quote = None,
            (None, '$') => {
                let mut place = 0_usize;
                while let Some(digit) = rest.peek().and_then(|sign| sign.to_digit(10)) {
                    place = place * 10 + digit as usize;
                    rest.next();
                }
                write!(to, "{}", place + taken).expect("a text can be written to");
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use sea_orm::{DatabaseBackend, Value};

    use super::*;

    fn statement(sql: &str, values: impl IntoIterator<Item = i64>) -> Statement {
        Statement::from_sql_and_values(DatabaseBackend::Postgres, sql, values.into_iter().map(Value::from))
    }

    #[test]
    fn one_alone_stays_as_it_is() {
        let one = statement("INSERT INTO a VALUES ($1)", [1]);
        assert_eq!(together(vec![one.clone()]), Some(one));
        assert_eq!(together(Vec::new()), None);
    }

    #[test]
    fn several_become_one_with_the_values_of_each_in_its_places() {
        let parts = vec![
            statement("INSERT INTO \"$1\" VALUES ($2, $1, '$1')", [1, 2]),
            statement("INSERT INTO b VALUES ($1)", [3]),
            statement("INSERT INTO c VALUES ($1)", [4]),
        ];
        let one = together(parts).expect("a statement");
        assert_eq!(
            one.sql,
            "WITH part0 AS (INSERT INTO \"$1\" VALUES ($2, $1, '$1')), part1 AS (INSERT INTO b VALUES ($3)) \
             INSERT INTO c VALUES ($4)"
        );
        assert_eq!(one.values, Some(Values([1_i64, 2, 3, 4].map(Value::from).to_vec())));
    }
}
