//! Many rows as values of one statement.
//!
//! PostgreSQL reads and plans a statement anew for each number of rows that it
//! has not met, and 500 rows of 15 columns are 7,500 places to read. So there
//! more than one row is written as one array for each column: the text of the
//! statement stays the same however many rows there are, and so does the
//! prepared statement. An array is bound as a text, in the form of the manual's
//! section 8.15.2, because that form alone can hold NULL among its members here.
//!
//! SQLite has no such arrays. What it keeps of a prepared statement grows with the
//! rows, and of a writer that meets every number up to some hundred that was three
//! quarters of the memory. So there rows are filled up to a power of two with
//! NULLs, of which a limit lets none through: a table needs few texts.

use std::fmt::{Display, Write as _};

use sea_orm::Value;

use super::{Sql, VALUES};

impl Sql {
    /// ` VALUES (…), (…)`, or a selection of the same rows; a statement takes [`super::ROWS`] of them at most.
    pub(crate) fn rows<R: IntoIterator<Item = Value>>(self, rows: impl IntoIterator<Item = R>) -> Self {
        let mut rows = rows.into_iter().peekable();
        let Some(first) = rows.next() else { return self.text(" VALUES ()") };
        match (rows.peek().is_some(), self.is_on_postgres()) {
            (true, true) => self.unnested(first, rows),
            (true, false) => self.filled_up(first, rows),
            (false, _) => self.text(" VALUES ").row(first),
        }
    }

    /// A row in brackets.
    fn row<R: IntoIterator<Item = Value>>(mut self, row: R) -> Self {
        let mut separator = "(";
        for value in row {
            self = self.text(separator).bind(value);
            separator = ", ";
        }
        self.text(")")
    }

    /// Rows, and as many of NULLs as fill them up.
    fn filled_up<R: IntoIterator<Item = Value>>(self, first: R, rest: impl Iterator<Item = R>) -> Self {
        let before = self.values.len();
        let mut sql = self.text(" SELECT * FROM (VALUES ").row(first);
        let (width, mut number) = (sql.values.len() - before, 1_usize);
        for row in rest {
            sql = sql.text(", ").row(row);
            number += 1;
        }
        // As many as fit, where the next power of two has more values than a statement takes.
        let full = number.next_power_of_two().min(VALUES.checked_div(width).unwrap_or(number));
        for _ in number..full {
            sql = sql.text(", ").row(vec![Value::BigInt(None); width]);
        }
        sql.text(") LIMIT ").bind(i64::try_from(number).unwrap_or(i64::MAX))
    }

    fn unnested<R: IntoIterator<Item = Value>>(mut self, first: R, rest: impl Iterator<Item = R>) -> Self {
        let mut columns: Vec<Column> = first.into_iter().map(Column::starting_with).collect();
        for row in rest {
            for (column, value) in columns.iter_mut().zip(row) {
                column.push(value);
            }
        }
        let mut separator = " SELECT * FROM unnest(";
        for column in columns {
            let kind = column.kind;
            self = self.text(separator).text("CAST(CAST(").bind(column.ended());
            self = self.text(" AS text) AS ").text(kind).text("[])");
            separator = ", ";
        }
        self.text(")")
    }
}

/// An array in the making.
struct Column {
    /// The type of its members.
    kind: &'static str,
    text: String,
}

impl Column {
    fn starting_with(value: Value) -> Self {
        let mut text = String::from("{");
        Self { kind: member(&mut text, value), text }
    }

    fn push(&mut self, value: Value) {
        self.text.push(',');
        member(&mut self.text, value);
    }

    fn ended(mut self) -> String {
        self.text.push('}');
        self.text
    }
}

/// Writes a member of an array; answers its type.
#[expect(clippy::wildcard_enum_match_arm, reason = "features that a service chooses add variants")]
fn member(text: &mut String, value: Value) -> &'static str {
    match value {
        Value::Bool(value) => plain(text, "boolean", value),
        Value::SmallInt(value) => plain(text, "smallint", value),
        Value::Int(value) => plain(text, "integer", value),
        Value::BigInt(value) => plain(text, "bigint", value),
        Value::Uuid(value) => plain(text, "uuid", value),
        Value::String(Some(value)) => quote(text, &value),
        Value::String(None) => plain(text, "text", None::<&str>),
        Value::Bytes(Some(value)) => hex(text, &value),
        Value::Bytes(None) => plain(text, "bytea", None::<&str>),
        other => unreachable!("no table has a column for {other:?}"),
    }
}

fn plain(text: &mut String, kind: &'static str, value: Option<impl Display>) -> &'static str {
    match value {
        Some(value) => write!(text, "{value}").expect("a text can be written to"),
        None => text.push_str("NULL"),
    }
    kind
}

fn quote(text: &mut String, value: &str) -> &'static str {
    text.push('"');
    for sign in value.chars() {
        if matches!(sign, '"' | '\\') {
            text.push('\\');
        }
        text.push(sign);
    }
    text.push('"');
    "text"
}

fn hex(text: &mut String, value: &[u8]) -> &'static str {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| char::from(DIGITS.get(usize::from(nibble)).copied().unwrap_or_default());
    text.push_str("\"\\\\x");
    for byte in value {
        text.push(digit(byte >> 4));
        text.push(digit(byte & 15));
    }
    text.push('"');
    "bytea"
}

#[cfg(test)]
mod tests {
    use sea_orm::DatabaseBackend;
    use sea_orm::sea_query::Values;

    use super::*;

    #[test]
    fn rows_for_sqlite_are_filled_up_and_a_limit_lets_none_of_that_through() {
        let written = |number: usize, width: usize| {
            let rows = (0..number).map(|_| vec![Value::from(7_i64); width]);
            let statement = Sql::on(DatabaseBackend::Sqlite, "").rows(rows).statement();
            (statement.sql, statement.values.map(|Values(values)| values).unwrap_or_default())
        };
        let [some, none] = [Value::from(7_i64), Value::BigInt(None)];
        assert_eq!(written(1, 2), (" VALUES (?, ?)".to_owned(), vec![some.clone(); 2]));
        let of_three = " SELECT * FROM (VALUES (?), (?), (?), (?)) LIMIT ?".to_owned();
        let three = [some.clone(), some.clone(), some.clone(), none, Value::from(3_i64)];
        assert_eq!(written(3, 1), (of_three.clone(), three.to_vec()));
        assert_eq!(written(4, 1).0, of_three, "the same text");
        let wide = written(600, 40).1;
        assert_eq!(
            (wide.len(), wide.last()),
            (VALUES + 1, Some(&Value::from(600_i64))),
            "1,024 rows do not fit"
        );
    }

    fn array(values: impl IntoIterator<Item = Value>) -> (String, &'static str) {
        let mut values = values.into_iter();
        let mut column = Column::starting_with(values.next().expect("one"));
        values.for_each(|value| column.push(value));
        let kind = column.kind;
        (column.ended(), kind)
    }

    #[test]
    fn members_are_written_as_the_manual_says() {
        let texts = ["a,b", "{}", "NULL", "", "\"\\"].map(Value::from);
        assert_eq!(array(texts), (r#"{"a,b","{}","NULL","","\"\\"}"#.to_owned(), "text"));
        let bytes = [Value::from(vec![0_u8, 255]), Value::Bytes(None)];
        assert_eq!(array(bytes), (r#"{"\\x00ff",NULL}"#.to_owned(), "bytea"));
        assert_eq!(
            array([Value::from(None::<i64>), Value::from(-7_i64)]),
            ("{NULL,-7}".to_owned(), "bigint")
        );
        assert_eq!(array([Value::from(true), Value::from(false)]), ("{true,false}".to_owned(), "boolean"));
    }
}
