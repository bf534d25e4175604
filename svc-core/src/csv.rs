//! Tables as CSV (RFC 4180): UTF-8, a header, commas, lines that end with CR LF.

use std::fmt::Display;

/// A table that is written row by row.
#[derive(Clone, Debug)]
pub struct Table(String);

/// One cell.
#[derive(Clone, Debug)]
pub enum Cell {
    /// What has a form of its own: an amount, a date, a code, an id.
    Plain(String),
    /// What people wrote.
    Text(String),
}

impl Cell {
    /// A cell of what has a form of its own.
    #[must_use]
    pub fn plain(value: impl Display) -> Self {
        Self::Plain(value.to_string())
    }

    /// The same, empty for none.
    #[must_use]
    pub fn plain_or_empty(value: Option<impl Display>) -> Self {
        Self::Plain(value.map_or_else(String::new, |value| value.to_string()))
    }

    /// A cell of what people wrote; a spreadsheet does not compute it.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    /// The text of the cell, quoted where it has to be.
    fn written(&self) -> String {
        let text = match self {
            Self::Text(text) if is_formula(text) => format!("'{text}"),
            Self::Plain(text) | Self::Text(text) => text.clone(),
        };
        if text.contains(['"', ',', '\r', '\n']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text
        }
    }
}

impl Table {
    /// A table with this header.
    #[must_use]
    pub fn new<'a>(header: impl IntoIterator<Item = &'a str>) -> Self {
        let mut table = Self(String::new());
        table.row(header.into_iter().map(Cell::plain));
        table
    }

    /// Writes a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let cells: Vec<String> = cells.into_iter().map(|cell| cell.written()).collect();
        self.0.push_str(&cells.join(","));
        self.0.push_str("\r\n");
    }

    /// The text.
    #[must_use]
    pub fn finish(self) -> String {
        self.0
    }
}

/// Whether a spreadsheet would compute the text in place of showing it. An apostrophe in front keeps it a text
/// (OWASP, *CSV injection*).
fn is_formula(text: &str) -> bool {
    let first = text.trim_start().chars().next();
    first.is_some_and(|first| "=+-@＝＋－＠".contains(first)) || text.starts_with(['\t', '\r', '\n'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> String {
        let mut table = Table::new(["name", "amount"]);
        table.row([Cell::text(text), Cell::plain("-1.50")]);
        table.finish()
    }

    #[test]
    fn cells_are_quoted_where_they_have_to_be() {
        assert_eq!(table("Ana"), "name,amount\r\nAna,-1.50\r\n");
        assert_eq!(table("a, b"), "name,amount\r\n\"a, b\",-1.50\r\n");
        assert_eq!(table("the \"best\""), "name,amount\r\n\"the \"\"best\"\"\",-1.50\r\n");
        assert_eq!(table("two\nlines"), "name,amount\r\n\"two\nlines\",-1.50\r\n");
    }

    #[test]
    fn no_text_is_computed_by_a_spreadsheet() {
        for text in ["=1+1", "+34", "-1", "@SUM(A1)", " =1", "\t=1", "＝1"] {
            let written = table(text);
            let cell = written.lines().nth(1).expect("a row");
            assert!(cell.starts_with('\''), "{cell}");
        }
        assert!(table("\r=1").contains("\"'\r=1\""));
        assert!(table("a=1").contains("\r\na=1,"));
    }
}
