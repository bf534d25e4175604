//! The journal (*libro diario*).

use serde::Serialize;
use svc_core::csv::{Cell, Table};
use svc_core::id::JournalEntryId;
use svc_core::money::{Amount, Currency, MoneyError};
use time::Date;

use super::{AccountNames, Period, wire};
use crate::books::account::AccountCode;
use crate::books::entry::{Entry, EntryKind, Line};

/// The posted entries of some days, by their dates and then by their numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Journal {
    /// The first day.
    #[serde(serialize_with = "wire::text")]
    pub from: Date,
    /// The last day.
    #[serde(serialize_with = "wire::text")]
    pub to: Date,
    /// The base currency of the books.
    #[serde(serialize_with = "wire::text")]
    pub currency: Currency,
    /// The entries.
    pub entries: Vec<JournalEntry>,
}

/// One entry of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JournalEntry {
    /// Its id.
    #[serde(serialize_with = "wire::text")]
    pub id: JournalEntryId,
    /// Its number in its year.
    pub number: u64,
    /// The day on which it counts.
    #[serde(serialize_with = "wire::text")]
    pub date: Date,
    /// Why it is there.
    pub kind: EntryKind,
    /// What it is about.
    pub description: String,
    /// The number of a paper that it refers to.
    pub reference: Option<String>,
    /// Its lines.
    pub lines: Vec<JournalLine>,
    /// What its debits add up to, and its credits as well.
    #[serde(serialize_with = "wire::text")]
    pub total: Amount,
}

/// One line of an entry of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JournalLine {
    /// The code of its account.
    pub account_code: AccountCode,
    /// The name of its account; empty when it is not known.
    pub account_name: String,
    /// What it is about.
    pub description: Option<String>,
    /// *Debe*
    #[serde(serialize_with = "wire::text")]
    pub debit: Amount,
    /// *Haber*
    #[serde(serialize_with = "wire::text")]
    pub credit: Amount,
}

impl Journal {
    /// The journal of these days; drafts and entries of other days are left out.
    ///
    /// # Errors
    /// [`MoneyError`] when a sum is out of range, or in another currency.
    pub fn of(
        period: Period,
        currency: Currency,
        entries: &[Entry],
        names: &AccountNames,
    ) -> Result<Self, MoneyError> {
        let mut shown = Vec::new();
        for entry in entries.iter().filter(|entry| period.contains(entry.date)) {
            if let Some(posting) = entry.status.posting() {
                shown.push(JournalEntry {
                    id: entry.id,
                    number: posting.number,
                    date: entry.date,
                    kind: entry.kind,
                    description: entry.description.clone(),
                    reference: entry.reference.clone(),
                    lines: entry.lines.iter().map(|line| JournalLine::of(line, names)).collect(),
                    total: entry.totals()?.debit,
                });
            }
        }
        shown.sort_by_key(|entry| (entry.date, entry.number));
        Ok(Self { from: period.from(), to: period.to(), currency, entries: shown })
    }

    /// The lines as CSV, each with its entry.
    #[must_use]
    pub fn csv(&self) -> String {
        let header = [
            "entryId",
            "entryNumber",
            "date",
            "kind",
            "description",
            "reference",
            "accountCode",
            "accountName",
            "lineDescription",
            "debit",
            "credit",
        ];
        let mut table = Table::new(header);
        for entry in &self.entries {
            for line in &entry.lines {
                table.row([
                    Cell::plain(entry.id),
                    Cell::plain(entry.number),
                    Cell::plain(entry.date),
                    Cell::plain(entry.kind),
                    Cell::text(&entry.description),
                    Cell::text(entry.reference.as_deref().unwrap_or_default()),
                    Cell::plain(line.account_code),
                    Cell::text(&line.account_name),
                    Cell::text(line.description.as_deref().unwrap_or_default()),
                    Cell::plain(line.debit),
                    Cell::plain(line.credit),
                ]);
            }
        }
        table.finish()
    }
}

impl JournalLine {
    fn of(line: &Line, names: &AccountNames) -> Self {
        Self {
            account_code: line.account,
            account_name: names.get(&line.account).cloned().unwrap_or_default(),
            description: line.description.clone(),
            debit: line.movement.debited(),
            credit: line.movement.credited(),
        }
    }
}
