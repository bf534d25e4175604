//! Which column holds what.

use svc_core::money::Currency;

use super::columns::{self, Role, role};
use super::mapping::{AmountColumns, Column, CsvMapping};
use super::rows::{Row, Rows, SEPARATORS, likely_separator};
use crate::error::ReadError;
use crate::text;

/// How many rows are looked at to find the titles.
const MOST_BEFORE: usize = 21;
/// How many columns an error lists.
const MOST_SEEN: usize = 40;

/// A table in a text.
pub(super) struct Table {
    pub(super) separator: char,
    /// The line of the titles; 0 for none.
    pub(super) header: u32,
    pub(super) layout: Layout,
}

/// Columns by their places, from 0.
#[derive(Default)]
pub(super) struct Layout {
    titles: Vec<String>,
    pub(super) booking_date: usize,
    pub(super) value_date: Option<usize>,
    pub(super) amount: Figures,
    pub(super) description: Vec<usize>,
    pub(super) counterparty: Vec<usize>,
    pub(super) iban: Option<usize>,
    pub(super) references: Vec<usize>,
    pub(super) balance: Option<usize>,
    pub(super) currency: Option<usize>,
}

/// Where the amount stands.
#[derive(Clone, Copy)]
pub(super) enum Figures {
    Signed(usize),
    Split { debit: usize, credit: usize },
}

impl Default for Figures {
    fn default() -> Self {
        Self::Signed(0)
    }
}

impl Layout {
    /// The columns with dates.
    pub(super) fn dates(&self) -> impl Iterator<Item = usize> + use<> {
        [Some(self.booking_date), self.value_date].into_iter().flatten()
    }

    /// The columns with amounts.
    pub(super) fn figures(&self) -> impl Iterator<Item = usize> + use<> {
        let (first, second) = match self.amount {
            Figures::Signed(amount) => (amount, None),
            Figures::Split { debit, credit } => (debit, Some(credit)),
        };
        [Some(first), second, self.balance].into_iter().flatten()
    }

    /// Whether the title of a column names another currency than this one.
    pub(super) fn is_in_another(&self, column: usize, currency: Currency) -> bool {
        let title = self.titles.get(column).and_then(|title| columns::currency(title));
        title.is_some_and(|named| named != currency)
    }

    /// What a person calls a column.
    pub(super) fn title(&self, column: usize) -> String {
        let title = self.titles.get(column).filter(|title| !title.is_empty()).cloned();
        title.unwrap_or_else(|| column.saturating_add(1).to_string())
    }
}

/// Finds the titles by what banks call them.
pub(super) fn by_names(text: &str) -> Result<Table, ReadError> {
    let mut best: Option<(usize, Table)> = None;
    let mut closest: Option<(usize, ReadError)> = None;
    for separator in SEPARATORS {
        for row in Rows::new(text, separator).flatten().filter(|row| !row.is_blank()).take(MOST_BEFORE) {
            let roles: Vec<Option<Role>> = row.cells.iter().map(|cell| role(cell)).collect();
            let known = roles.iter().flatten().count();
            match of_roles(&row, &roles) {
                Ok(layout) if best.as_ref().is_none_or(|(most, _)| known > *most) => {
                    best = Some((known, Table { separator, header: row.line, layout }));
                }
                Err(error) if known > 0 && closest.as_ref().is_none_or(|(most, _)| known > *most) => {
                    closest = Some((known, error));
                }
                Ok(_) | Err(_) => {}
            }
        }
    }
    if let Some((_, table)) = best {
        return Ok(table);
    }
    Err(closest.map_or_else(|| nothing_known(text), |(_, error)| error))
}

fn of_roles(row: &Row<'_>, roles: &[Option<Role>]) -> Result<Layout, ReadError> {
    let all = |wanted: Role| -> Vec<usize> {
        let places = roles.iter().enumerate();
        places.filter(|(_, role)| **role == Some(wanted)).map(|(place, _)| place).collect()
    };
    let first = |wanted: Role| roles.iter().position(|role| *role == Some(wanted));
    let booked = first(Role::BookingDate);
    let value_date = first(Role::ValueDate);
    let figures = match (first(Role::Amount), first(Role::Debit), first(Role::Credit)) {
        (Some(amount), _, _) => Some(Figures::Signed(amount)),
        (None, Some(debit), Some(credit)) => Some(Figures::Split { debit, credit }),
        (None, _, _) => None,
    };
    match (booked.or(value_date), figures) {
        (Some(booking_date), Some(amount)) => Ok(Layout {
            titles: seen(row),
            booking_date,
            value_date: booked.and(value_date),
            amount,
            description: all(Role::Description),
            counterparty: all(Role::Counterparty),
            iban: first(Role::Iban),
            references: all(Role::Reference),
            balance: first(Role::Balance),
            currency: first(Role::Currency),
        }),
        (date, figures) => {
            let mut missing = Vec::new();
            if date.is_none() {
                missing.push("the booking date (fecha, date)".to_owned());
            }
            if figures.is_none() {
                missing.push("the amount (importe, amount, or cargo and abono)".to_owned());
            }
            Err(ReadError::ColumnMissing { missing, seen: seen(row) })
        }
    }
}

fn nothing_known(text: &str) -> ReadError {
    let separator = likely_separator(text).unwrap_or(';');
    let widest = Rows::new(text, separator).flatten().take(MOST_BEFORE).max_by_key(|row| row.cells.len());
    let missing = ["the booking date (fecha, date)", "the amount (importe, amount, or cargo and abono)"];
    let missing = missing.map(str::to_owned).to_vec();
    ReadError::ColumnMissing { missing, seen: widest.as_ref().map(seen).unwrap_or_default() }
}

/// Finds the titles that a mapping names.
pub(super) fn by_mapping(text: &str, mapping: &CsvMapping) -> Result<Table, ReadError> {
    let separators = match mapping.separator {
        Some(separator) => vec![separator],
        None => likely_separator(text).into_iter().chain(SEPARATORS).collect(),
    };
    let mut closest: Option<(usize, ReadError)> = None;
    for separator in separators {
        for row in Rows::new(text, separator).flatten().filter(|row| !row.is_blank()).take(MOST_BEFORE) {
            let mut search = Search { titles: &row, has_header: mapping.has_header, missing: Vec::new() };
            let layout = search.layout(mapping);
            let missing = search.missing;
            if missing.is_empty() {
                let header = if mapping.has_header { row.line } else { 0 };
                return Ok(Table { separator, header, layout });
            }
            if closest.as_ref().is_none_or(|(least, _)| missing.len() < *least) {
                let error = ReadError::ColumnMissing { missing: missing.clone(), seen: seen(&row) };
                closest = Some((missing.len(), error));
            }
        }
    }
    Err(closest.map_or_else(|| nothing_known(text), |(_, error)| error))
}

/// The search for the columns of a mapping in one row.
struct Search<'s> {
    titles: &'s Row<'s>,
    has_header: bool,
    missing: Vec<String>,
}

impl Search<'_> {
    fn layout(&mut self, mapping: &CsvMapping) -> Layout {
        Layout {
            titles: if self.has_header { seen(self.titles) } else { Vec::new() },
            booking_date: self.place(&mapping.booking_date),
            value_date: self.optional(mapping.value_date.as_ref()),
            amount: match &mapping.amount {
                AmountColumns::Signed(amount) => Figures::Signed(self.place(amount)),
                AmountColumns::Split { debit, credit } => {
                    Figures::Split { debit: self.place(debit), credit: self.place(credit) }
                }
            },
            description: mapping.description.iter().map(|column| self.place(column)).collect(),
            counterparty: self.optional(mapping.counterparty_name.as_ref()).into_iter().collect(),
            iban: self.optional(mapping.counterparty_iban.as_ref()),
            references: self.optional(mapping.reference.as_ref()).into_iter().collect(),
            balance: self.optional(mapping.balance.as_ref()),
            currency: None,
        }
    }

    fn optional(&mut self, column: Option<&Column>) -> Option<usize> {
        column.map(|column| self.place(column))
    }

    fn place(&mut self, column: &Column) -> usize {
        let cells = &self.titles.cells;
        let place = match column {
            Column::Name(name) => {
                let wanted = text::folded(name);
                let place = cells.iter().position(|cell| text::folded(cell) == wanted);
                place.filter(|_| self.has_header)
            }
            Column::Number(number) => {
                usize::from(*number).checked_sub(1).filter(|place| *place < cells.len())
            }
        };
        place.unwrap_or_else(|| {
            self.missing.push(match column {
                Column::Name(name) => text::short(name).unwrap_or_default(),
                Column::Number(number) => number.to_string(),
            });
            0
        })
    }
}

/// The titles of a row, as an error lists them.
fn seen(row: &Row<'_>) -> Vec<String> {
    row.cells.iter().take(MOST_SEEN).map(|cell| text::short(cell).unwrap_or_default()).collect()
}
