//! CSV exports: a table of movements, in whatever dialect the bank has.
//!
//! The file is gone through twice. What its dates and amounts have in common says how they are written, and that may
//! show only in the last line; then each line is read in that one way. No cell is guessed by itself.

mod columns;
mod dates;
mod decimals;
mod layout;
mod mapping;
mod movement;
mod order;
mod rows;

use svc_core::money::Currency;

pub use self::mapping::{AmountColumns, Column, CsvMapping, DateOrder, DecimalSeparator};

use self::dates::DateSurvey;
use self::decimals::DecimalSurvey;
use self::layout::{Figures, Table};
use self::movement::Dialect;
use self::rows::{Row, Rows};
use crate::error::{Place, ReadError, Wrong};
use crate::model::{AccountRef, Statement, Warning};
use crate::{MOST_MOVEMENTS, text};

/// How many cells that are wrong are told of.
const MOST_WRONG: usize = 20;

/// Whether bytes look like a table: text, with several lines that have one separator alike.
pub(crate) fn is_plausible(bytes: &[u8]) -> bool {
    let head = text::head(bytes);
    let binary = |letter: char| letter.is_control() && !matches!(letter, '\t' | '\r' | '\n');
    !head.chars().any(binary) && rows::likely_separator(&head).is_some()
}

/// Reads a table of movements.
pub(crate) fn read(
    bytes: &[u8],
    currency: Currency,
    mapping: Option<&CsvMapping>,
) -> Result<Statement, ReadError> {
    let text = text::decoded(bytes);
    let table = match mapping {
        Some(mapping) => layout::by_mapping(&text, mapping)?,
        None => layout::by_names(&text)?,
    };
    if let Some(column) = table.layout.figures().find(|column| table.layout.is_in_another(*column, currency))
    {
        let place = Place::Cell { line: table.header, column: table.layout.title(column) };
        let wrong = Wrong { place, expected: "the currency of the account" };
        return Err(ReadError::Cells { first: vec![wrong], more: 0 });
    }
    let (dialect, warning) = dialect(&text, &table, currency, mapping)?;
    let mut statement = Statement::empty(AccountRef::default());
    statement.currency = table.layout.currency.is_some().then_some(currency);
    statement.warnings.extend(warning);
    let mut wrong = Wrongs::default();
    for row in table.movements(&text) {
        let row = row?;
        if statement.movements.len() == MOST_MOVEMENTS {
            return Err(ReadError::TooManyMovements);
        }
        match movement::read(&row, &table.layout, &dialect) {
            Ok(movement) => statement.movements.push(movement),
            Err(cells) => wrong.add(cells),
        }
    }
    wrong.none()?;
    order::arrange(&mut statement, &table.layout)?;
    statement.period_of_movements();
    Ok(statement)
}

/// How the dates and amounts of the whole file are written.
fn dialect(
    text: &str,
    table: &Table,
    currency: Currency,
    mapping: Option<&CsvMapping>,
) -> Result<(Dialect, Option<Warning>), ReadError> {
    let mut dates = DateSurvey::default();
    let mut decimals = DecimalSurvey::default();
    let mut signed_debits = true;
    for row in table.movements(text) {
        let row = row?;
        for column in table.layout.dates() {
            dates.see(row.cell(column));
        }
        for column in table.layout.figures() {
            decimals.see(row.cell(column));
        }
        if let Figures::Split { debit, .. } = table.layout.amount {
            signed_debits &= !decimals::is_positive(row.cell(debit));
        }
    }
    let order = mapping.map_or(DateOrder::Auto, |mapping| mapping.date_order);
    let (order, assumed) = dates.order(order);
    let decimal = decimals.separator(mapping.map_or(DecimalSeparator::Auto, |mapping| mapping.decimal))?;
    Ok((Dialect { currency, order, decimal, signed_debits }, assumed.then_some(Warning::DayFirstAssumed)))
}

impl Table {
    /// The rows behind the header that are movements. Banks add empty lines and remarks, which have no figures, and
    /// no digit where the date would be.
    fn movements<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Result<Row<'t>, ReadError>> + 't {
        let is_movement = |row: &Row<'t>| {
            let dated = |cell: &str| cell.trim_start().starts_with(|letter: char| letter.is_ascii_digit());
            self.layout.figures().any(|column| !row.cell(column).trim().is_empty())
                || self.layout.dates().any(|column| dated(row.cell(column)))
        };
        Rows::new(text, self.separator)
            .filter(move |row| row.as_ref().map_or(true, |row| row.line > self.header && is_movement(row)))
    }
}

/// The cells that are wrong: the first ones, and how many more.
#[derive(Default)]
struct Wrongs {
    first: Vec<Wrong>,
    more: u32,
}

impl Wrongs {
    fn add(&mut self, cells: Vec<Wrong>) {
        for cell in cells {
            if self.first.len() < MOST_WRONG {
                self.first.push(cell);
            } else {
                self.more = self.more.saturating_add(1);
            }
        }
    }

    fn none(self) -> Result<(), ReadError> {
        if self.first.is_empty() {
            Ok(())
        } else {
            Err(ReadError::Cells { first: self.first, more: self.more })
        }
    }
}
