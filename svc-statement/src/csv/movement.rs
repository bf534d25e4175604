//! One row, one movement.

use svc_core::money::{Amount, Currency};

use super::layout::{Figures, Layout};
use super::mapping::DateOrder;
use super::rows::Row;
use super::{dates, decimals};
use crate::amount::NoAmount;
use crate::error::{Place, Wrong};
use crate::model::Movement;
use crate::{iban, text};

/// How all rows of a file are written.
pub(super) struct Dialect {
    pub(super) currency: Currency,
    pub(super) order: DateOrder,
    pub(super) decimal: char,
    /// Whether debits have the sign of what was lost.
    pub(super) signed_debits: bool,
}

/// Reads a row, or says which of its cells are wrong.
pub(super) fn read(row: &Row<'_>, layout: &Layout, dialect: &Dialect) -> Result<Movement, Vec<Wrong>> {
    let mut cells = Cells { row, layout, dialect, wrong: Vec::new() };
    let booked = cells.date(layout.booking_date);
    let value = match layout.value_date.filter(|column| !row.cell(*column).trim().is_empty()) {
        Some(column) => cells.date(column),
        None => booked,
    };
    let amount = cells.figure();
    let balance = layout.balance.and_then(|column| cells.amount(column));
    cells.currency();
    let (Some(booked), Some(value), Some(amount), true) = (booked, value, amount, cells.wrong.is_empty())
    else {
        return Err(cells.wrong);
    };
    let mut movement = Movement::new(row.line, booked, value, amount);
    movement.balance_after = balance;
    let texts: Vec<&str> = layout.description.iter().map(|column| row.cell(*column)).collect();
    movement.description = text::description(&texts.join(" "));
    movement.counterparty_name = layout.counterparty.iter().find_map(|column| text::short(row.cell(*column)));
    for column in &layout.references {
        text::add_reference(&mut movement.references, row.cell(*column));
    }
    if let Some(column) = layout.iban {
        movement.counterparty_iban = iban::verified(row.cell(column));
        if movement.counterparty_iban.is_none() {
            text::add_reference(&mut movement.references, row.cell(column));
        }
    }
    Ok(movement)
}

struct Cells<'c> {
    row: &'c Row<'c>,
    layout: &'c Layout,
    dialect: &'c Dialect,
    wrong: Vec<Wrong>,
}

impl Cells<'_> {
    fn refuse(&mut self, column: usize, expected: &'static str) {
        let place = Place::Cell { line: self.row.line, column: self.layout.title(column) };
        self.wrong.push(Wrong { place, expected });
    }

    fn date(&mut self, column: usize) -> Option<time::Date> {
        let date = dates::read(self.row.cell(column), self.dialect.order);
        if date.is_none() {
            self.refuse(column, "a date such as 31/12/2026 or 2026-12-31");
        }
        date
    }

    /// An amount; `None` for an empty cell, and for one that was refused.
    fn amount(&mut self, column: usize) -> Option<Amount> {
        let cell = self.row.cell(column).trim();
        if cell.is_empty() {
            return None;
        }
        match decimals::read(cell, self.dialect.decimal, self.dialect.currency) {
            Ok(amount) => Some(amount),
            Err(error) => {
                self.refuse(
                    column,
                    match (error, self.dialect.decimal) {
                        (NoAmount::Range, _) => "an amount below 9,000,000,000,000.00",
                        (NoAmount::Currency, _) => "an amount in the currency of the account",
                        (NoAmount::Form, ',') => "an amount such as 1.234,56",
                        (NoAmount::Form, _) => "an amount such as 1,234.56",
                    },
                );
                None
            }
        }
    }

    fn figure(&mut self) -> Option<Amount> {
        match self.layout.amount {
            Figures::Signed(column) => {
                if self.row.cell(column).trim().is_empty() {
                    self.refuse(column, "an amount");
                }
                self.amount(column)
            }
            Figures::Split { debit, credit } => {
                let before = self.wrong.len();
                let (lost, gained) = (self.amount(debit), self.amount(credit));
                if self.wrong.len() > before {
                    return None;
                }
                let some = |amount: Option<Amount>| amount.filter(|amount| amount.minor() != 0);
                match (some(lost), some(gained)) {
                    // Some banks write what was lost with a sign, others without, and then a sign is of what came back.
                    (Some(lost), None) if self.dialect.signed_debits => Some(lost),
                    (Some(lost), None) => Some(lost.negated()),
                    (None, Some(gained)) => Some(gained),
                    (None, None) if lost.or(gained).is_some() => Some(Amount::zero(self.dialect.currency)),
                    (None, None) | (Some(_), Some(_)) => {
                        self.refuse(debit, "an amount here or in the column of credits, not in both");
                        None
                    }
                }
            }
        }
    }

    fn currency(&mut self) {
        let Some(column) = self.layout.currency else { return };
        let cell = self.row.cell(column).trim();
        let known = self.dialect.currency.code();
        let is_euro = known == "EUR"
            && (cell == "€" || cell.eq_ignore_ascii_case("euro") || cell.eq_ignore_ascii_case("euros"));
        if !cell.is_empty() && !cell.eq_ignore_ascii_case(known) && !is_euro {
            self.refuse(column, "the currency of the account");
        }
    }
}
