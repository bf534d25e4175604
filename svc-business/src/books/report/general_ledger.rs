//! The general ledger (*libro mayor*).

use serde::Serialize;
use svc_core::csv::{Cell, Table};
use svc_core::id::{ContactId, JournalEntryId};
use svc_core::money::{Amount, Currency, MoneyError};
use time::Date;

use super::{Period, ReportAccount, wire};
use crate::books::account::AccountCode;
use crate::books::entry::Movement;

/// An account with its posted lines in the days of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountLines {
    /// The account.
    pub account: ReportAccount,
    /// Its balance before the first day: debit minus credit.
    pub opening: Amount,
    /// Its lines, in the order of their entries and then of their positions.
    pub lines: Vec<PostedLine>,
}

/// A line of a posted entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostedLine {
    /// The day on which it counts.
    pub date: Date,
    /// Its entry.
    pub entry: JournalEntryId,
    /// The number of the entry in its year.
    pub entry_number: u64,
    /// What it is about: its own text, or else that of its entry.
    pub description: String,
    /// With whom, on an account that contacts share.
    pub contact: Option<ContactId>,
    /// What it moves.
    pub movement: Movement,
}

/// What moved some accounts, line by line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GeneralLedger {
    /// The first day.
    #[serde(serialize_with = "wire::text")]
    pub from: Date,
    /// The last day.
    #[serde(serialize_with = "wire::text")]
    pub to: Date,
    /// The base currency of the books.
    #[serde(serialize_with = "wire::text")]
    pub currency: Currency,
    /// The accounts in the order of their codes.
    pub accounts: Vec<LedgerAccount>,
}

/// One account of a general ledger; balances are debit minus credit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LedgerAccount {
    /// Its code.
    pub code: AccountCode,
    /// Its name.
    pub name: String,
    /// Its balance before the first day.
    #[serde(serialize_with = "wire::text")]
    pub opening_balance: Amount,
    /// What moved it, by date and number of the entry.
    pub lines: Vec<LedgerLine>,
    /// Its balance when the last day ends.
    #[serde(serialize_with = "wire::text")]
    pub closing_balance: Amount,
}

/// One line of a general ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LedgerLine {
    /// The day on which it counts.
    #[serde(serialize_with = "wire::text")]
    pub date: Date,
    /// Its entry.
    #[serde(serialize_with = "wire::text")]
    pub entry_id: JournalEntryId,
    /// The number of the entry in its year.
    pub entry_number: u64,
    /// What it is about.
    pub description: String,
    /// With whom.
    #[serde(serialize_with = "wire::text_or_null")]
    pub contact_id: Option<ContactId>,
    /// *Debe*
    #[serde(serialize_with = "wire::text")]
    pub debit: Amount,
    /// *Haber*
    #[serde(serialize_with = "wire::text")]
    pub credit: Amount,
    /// The balance after it.
    #[serde(serialize_with = "wire::text")]
    pub balance: Amount,
}

impl GeneralLedger {
    /// The general ledger of these accounts; lines of other days are left out.
    ///
    /// # Errors
    /// [`MoneyError`] when a balance is out of range, or in another currency.
    pub fn of(
        period: Period,
        currency: Currency,
        mut accounts: Vec<AccountLines>,
    ) -> Result<Self, MoneyError> {
        accounts.sort_by_key(|lines| lines.account.code);
        let accounts = accounts.into_iter().map(|lines| LedgerAccount::of(period, lines));
        let accounts = accounts.collect::<Result<_, _>>()?;
        Ok(Self { from: period.from(), to: period.to(), currency, accounts })
    }

    /// The lines as CSV, each with its account and the balance after it; an account that nothing moved has none.
    #[must_use]
    pub fn csv(&self) -> String {
        let header = [
            "accountCode",
            "accountName",
            "date",
            "entryId",
            "entryNumber",
            "description",
            "contactId",
            "debit",
            "credit",
            "balance",
        ];
        let mut table = Table::new(header);
        for LedgerAccount { code, name, lines, .. } in &self.accounts {
            for line in lines {
                let amounts = [line.debit, line.credit, line.balance].map(Cell::plain);
                let cells = [
                    Cell::plain(code),
                    Cell::text(name),
                    Cell::plain(line.date),
                    Cell::plain(line.entry_id),
                    Cell::plain(line.entry_number),
                    Cell::text(&line.description),
                    Cell::plain_or_empty(line.contact_id),
                ];
                table.row(cells.into_iter().chain(amounts));
            }
        }
        table.finish()
    }
}

impl LedgerAccount {
    fn of(
        period: Period,
        AccountLines { account, opening, mut lines }: AccountLines,
    ) -> Result<Self, MoneyError> {
        lines.retain(|line| period.contains(line.date));
        lines.sort_by_key(|line| (line.date, line.entry_number));
        let mut balance = opening;
        let mut shown = Vec::with_capacity(lines.len());
        for PostedLine { date, entry, entry_number, description, contact, movement } in lines {
            balance = balance.plus(movement.signed())?;
            shown.push(LedgerLine {
                date,
                entry_id: entry,
                entry_number,
                description,
                contact_id: contact,
                debit: movement.debited(),
                credit: movement.credited(),
                balance,
            });
        }
        let (code, name) = (account.code, account.name);
        Ok(Self { code, name, opening_balance: opening, lines: shown, closing_balance: balance })
    }
}
