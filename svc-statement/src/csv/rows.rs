//! Lines and cells (RFC 4180, with any separator and any end of line).
//!
//! The common readers of CSV take a quotation mark that is never closed as one cell up to the end of the file, which would
//! lose movements without a word; here it is refused.

use std::borrow::Cow;

use crate::error::{Place, ReadError};

/// What may stand between cells. The comma comes last: it may be one of decimals.
pub(super) const SEPARATORS: [char; 4] = [';', '\t', '|', ','];
/// The most cells of a row.
const MOST_CELLS: usize = 256;
/// How many rows are looked at to find the separator.
const SAMPLE: usize = 40;

/// The cells of a line, or of several when a quoted cell has line breaks.
pub(super) struct Row<'t> {
    /// The line that it begins in, from 1.
    pub(super) line: u32,
    pub(super) cells: Vec<Cow<'t, str>>,
}

impl Row<'_> {
    /// A cell by its place from 0; empty when the row is shorter.
    pub(super) fn cell(&self, column: usize) -> &str {
        self.cells.get(column).map_or("", AsRef::as_ref)
    }

    /// Whether there is nothing in it.
    pub(super) fn is_blank(&self) -> bool {
        self.cells.iter().all(|cell| cell.trim().is_empty())
    }
}

/// The rows of a text.
pub(super) struct Rows<'t> {
    rest: &'t str,
    separator: char,
    line: u32,
}

impl<'t> Rows<'t> {
    pub(super) fn new(text: &'t str, separator: char) -> Self {
        Self { rest: text, separator, line: 1 }
    }

    /// Takes one cell off the rest, up to what ends it.
    fn cell(&mut self) -> Result<Cow<'t, str>, ReadError> {
        let ends = [self.separator, '\n', '\r'];
        let Some(quoted) = self.rest.strip_prefix('"') else {
            let (cell, rest) = self.rest.split_at(self.rest.find(ends).unwrap_or(self.rest.len()));
            self.rest = rest;
            return Ok(Cow::Borrowed(cell));
        };
        let mut cell = String::new();
        let mut rest = quoted;
        loop {
            let Some((inside, behind)) = rest.split_once('"') else {
                return Err(ReadError::malformed(Place::Line(self.line), "a closing quotation mark"));
            };
            cell.push_str(inside);
            if let Some(behind) = behind.strip_prefix('"') {
                cell.push('"');
                rest = behind;
            } else {
                rest = behind;
                break;
            }
        }
        let breaks = cell.matches('\n').count();
        self.line = self.line.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX));
        let (tail, rest) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
        cell.push_str(tail);
        self.rest = rest;
        Ok(Cow::Owned(cell))
    }

    fn row(&mut self) -> Result<Row<'t>, ReadError> {
        let line = self.line;
        let mut cells = Vec::new();
        loop {
            if cells.len() == MOST_CELLS {
                return Err(ReadError::malformed(Place::Line(line), "at most 256 columns"));
            }
            cells.push(self.cell()?);
            let Some(rest) = self.rest.strip_prefix(self.separator) else { break };
            self.rest = rest;
        }
        self.rest = self
            .rest
            .strip_prefix("\r\n")
            .or_else(|| self.rest.strip_prefix(['\n', '\r']))
            .unwrap_or(self.rest);
        self.line = self.line.saturating_add(1);
        Ok(Row { line, cells })
    }
}

impl<'t> Iterator for Rows<'t> {
    type Item = Result<Row<'t>, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let row = self.row();
        if row.is_err() {
            // What follows would begin in the middle of a cell.
            self.rest = "";
        }
        Some(row)
    }
}

/// The separator that gives most rows the same number of cells, two at least; `None` if none does in two rows.
pub(super) fn likely_separator(text: &str) -> Option<char> {
    let mut best = None;
    let mut most = 1;
    for separator in SEPARATORS {
        let mut widths: Vec<usize> = Vec::new();
        for row in Rows::new(text, separator).take(SAMPLE) {
            match row {
                Ok(row) if row.is_blank() || row.cells.len() < 2 => {}
                Ok(row) => widths.push(row.cells.len()),
                // A row that cannot be read is taken for one like that before, so that reading says what is wrong.
                Err(_) => widths.extend(widths.last().copied()),
            }
        }
        widths.sort_unstable();
        let alike = widths.chunk_by(|left, right| left == right).map(<[usize]>::len).max().unwrap_or(0);
        if alike > most {
            most = alike;
            best = Some(separator);
        }
    }
    best
}
