//! Reports on the books: functions from what accounts moved to tables that people and programs read.
//!
//! A store sums what was posted into [`Movement`]s, one per account and span of days; everything else is computed
//! here, in the base currency of the books. What closes a year is kept apart in them, so that a report of a closed
//! year can still show its result ([`Closing::Excluded`]).
//!
//! Every report is a plain structure that serialises with the names of the wire, amounts as decimal strings, and
//! writes itself as CSV.

mod aged;
mod balance_sheet;
mod buckets;
mod general_ledger;
mod journal;
mod layout;
mod movement;
mod period;
mod profit_and_loss;
mod reading;
mod statement;
#[cfg(test)]
mod tests;
mod trial_balance;
mod vat_register;
mod wire;

pub use self::aged::{AgedContact, AgedItems, AgedSide, Ages, BucketDays, OpenItem};
pub use self::balance_sheet::BalanceSheet;
pub use self::buckets::{Buckets, BucketsError};
pub use self::general_ledger::{AccountLines, GeneralLedger, LedgerAccount, LedgerLine, PostedLine};
pub use self::journal::{Journal, JournalEntry, JournalLine};
pub use self::layout::Language;
pub use self::movement::{AccountNames, Closing, Movement, ReportAccount, Sides};
pub use self::period::{Period, PeriodError};
pub use self::profit_and_loss::{ComparedResults, ProfitAndLoss, Results};
pub(crate) use self::reading::contacts_of;
pub use self::reading::{
    Counted, CountedIn, DueQuery, DueSum, LedgerQuery, MOST_LINES, OpenBalance, ReceivedDocument,
    ReportError, TaggedEntry, aged_items, flows, general_ledger, journal, movements, vat_documents,
};
pub use self::statement::{Column, Section};
pub use self::trial_balance::{Figures, Level, LevelError, TrialBalance, TrialBalanceQuery, TrialBalanceRow};
pub use self::vat_register::{RateTotals, VatDocument, VatFigures, VatRegister, VatRow, VatSide};
