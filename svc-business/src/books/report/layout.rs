//! How a statement is laid out: its lines, and which accounts each of them counts.
//!
//! A layout is data: a tree of lines with the beginnings of the codes that each line counts. The longest beginning
//! that fits decides, so an account that a company added by hand lands where its neighbours do; what no line names
//! lands in the line that the file states for its type, so that nothing is lost. Some accounts are on either side of
//! a balance sheet, by the sign of their balance.

mod place;
mod read;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use svc_core::money::Amount;

use self::place::Place;
use crate::books::account::{AccountType, NormalBalance};
use crate::books::report::ReportAccount;

/// The language of the labels of a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// `es`, as the decree names its lines
    #[default]
    Es,
    /// `en`
    En,
}

svc_core::wire_names!(Language { Es = "es", En = "en" });

/// A layout: lines in the order in which they are shown, each after the one that it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    lines: Vec<Line>,
    places: Vec<Place>,
}

/// One line of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// What programs call it by.
    pub(super) key: &'static str,
    /// The line that it belongs to.
    parent: Option<&'static str>,
    /// The side on which its amount is more than zero.
    pub(super) side: NormalBalance,
    es: &'static str,
    en: &'static str,
}

impl Layout {
    /// The balance sheet of small and medium companies in Spain.
    pub(super) fn es_pymes_balance_sheet() -> &'static Self {
        &ES_PYMES_BALANCE_SHEET
    }

    /// Their profit and loss account.
    pub(super) fn es_pymes_profit_and_loss() -> &'static Self {
        &ES_PYMES_PROFIT_AND_LOSS
    }

    /// The lines that belong to this one, or to none.
    pub(super) fn below(&self, parent: Option<&str>) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(move |line| line.parent == parent)
    }

    /// The key of the line that counts an account with this balance.
    ///
    /// Every account of a balance sheet has a line in that layout, and every one of groups 6 and 7 in the other; the
    /// rest has none there.
    pub(super) fn line_of(&self, account: &ReportAccount, balance: Amount) -> Option<&'static str> {
        let holds = |place: &&Place| place.holds(account.code, balance);
        let named = self.places.iter().filter(holds).max_by_key(|place| place.digits().len());
        let place = named.or_else(|| self.places.iter().find(|place| place.rests(account.account_type)));
        place.map(Place::line)
    }
}

impl Line {
    /// What people call it.
    pub(super) const fn label(&self, language: Language) -> &'static str {
        match language {
            Language::Es => self.es,
            Language::En => self.en,
        }
    }
}

static ES_PYMES_BALANCE_SHEET: LazyLock<Layout> =
    LazyLock::new(|| shipped(include_str!("layout/es_pymes_balance_sheet.csv")));

static ES_PYMES_PROFIT_AND_LOSS: LazyLock<Layout> =
    LazyLock::new(|| shipped(include_str!("layout/es_pymes_profit_and_loss.csv")));

fn shipped(file: &'static str) -> Layout {
    read::read(file).expect("a shipped layout is well formed")
}
