//! Statements: trees of lines that add up what accounts hold.

use std::collections::BTreeMap;

use serde::Serialize;
use svc_core::csv::{Cell, Table};
use svc_core::money::{Amount, Currency, MoneyError};

use super::layout::{Language, Layout, Line};
use super::{Movement, Period, wire};
use crate::books::account::NormalBalance;

/// What accounts moved in the days of one column of a statement.
#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    /// The days.
    pub period: Period,
    /// The movements of all accounts in them.
    pub movements: &'a [Movement],
}

/// A line of a statement with those that it adds up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Section {
    /// What programs call it by: `trade_receivables`.
    pub key: &'static str,
    /// What people call it.
    pub label: &'static str,
    /// Its amount, with all below it.
    #[serde(serialize_with = "wire::text")]
    pub amount: Amount,
    /// The same of the days that it is compared with.
    #[serde(serialize_with = "wire::text_or_null")]
    pub comparative: Option<Amount>,
    /// What it adds up beside its own accounts.
    pub children: Vec<Self>,
}

/// What the lines of a layout count of their own: debit minus credit.
pub(super) type Counted = BTreeMap<&'static str, Vec<Amount>>;

/// Sorts balances into the lines of a layout.
pub(super) fn counted(
    layout: &Layout,
    column: &Column<'_>,
    balance: impl Fn(&Movement) -> Result<Amount, MoneyError>,
) -> Result<Counted, MoneyError> {
    let mut counted = Counted::new();
    for movement in column.movements {
        let balance = balance(movement)?;
        if let Some(line) = layout.line_of(&movement.account, balance) {
            counted.entry(line).or_default().push(balance);
        }
    }
    Ok(counted)
}

/// The lines of a layout that belong to no other, with all below them.
pub(super) fn sections(
    layout: &Layout,
    language: Language,
    currency: Currency,
    current: &Counted,
    comparative: Option<&Counted>,
) -> Result<Vec<Section>, MoneyError> {
    let tree = Tree { layout, language, currency };
    layout.below(None).map(|line| tree.section(line, current, comparative)).collect()
}

/// The amount of the line with this key, zero where there is none.
pub(super) fn amount_of(sections: &[Section], key: &str, currency: Currency) -> Amount {
    let found = sections.iter().find(|section| section.key == key);
    found.map_or(Amount::zero(currency), |section| section.amount)
}

struct Tree<'a> {
    layout: &'a Layout,
    language: Language,
    currency: Currency,
}

impl Tree<'_> {
    fn section(
        &self,
        line: &Line,
        current: &Counted,
        comparative: Option<&Counted>,
    ) -> Result<Section, MoneyError> {
        let below = self.layout.below(Some(line.key));
        let children =
            below.map(|child| self.section(child, current, comparative)).collect::<Result<Vec<_>, _>>()?;
        let amount = self.sum(line, current, children.iter().map(|child| child.amount))?;
        let compared = children.iter().filter_map(|child| child.comparative);
        let comparative = comparative.map(|counted| self.sum(line, counted, compared)).transpose()?;
        let label = line.label(self.language);
        Ok(Section { key: line.key, label, amount, comparative, children })
    }

    /// What a line counts itself and what is below it, on the side on which it grows.
    fn sum(
        &self,
        line: &Line,
        counted: &Counted,
        below: impl Iterator<Item = Amount>,
    ) -> Result<Amount, MoneyError> {
        let own = counted.get(line.key).map(Vec::as_slice).unwrap_or_default();
        let own = own.iter().map(|balance| match line.side {
            NormalBalance::Debit => *balance,
            NormalBalance::Credit => balance.negated(),
        });
        Amount::sum(own.chain(below), self.currency)
    }
}

/// Sections as CSV: each line after the one that it belongs to.
pub(super) fn csv(sections: &[Section]) -> String {
    let mut table = Table::new(["key", "parent", "label", "amount", "comparative"]);
    write(&mut table, "", sections);
    table.finish()
}

fn write(table: &mut Table, parent: &str, sections: &[Section]) {
    for section in sections {
        let comparative = Cell::plain_or_empty(section.comparative);
        let (key, label) = (Cell::plain(section.key), Cell::text(section.label));
        table.row([key, Cell::plain(parent), label, Cell::plain(section.amount), comparative]);
        write(table, section.key, &section.children);
    }
}
