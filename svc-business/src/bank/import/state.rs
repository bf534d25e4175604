//! What an import is.

use serde::{Deserialize, Serialize};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, BankAccountId, BankMovementImportId};
use svc_core::money::{Amount, Currency};
use svc_core::resource::Version;
use svc_statement::{Format, Warning};
use time::Date;

/// Movements that came to an account together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankMovementImport {
    /// Its id.
    pub id: BankMovementImportId,
    /// The company that has the account.
    pub company: AccountId,
    /// The account.
    pub bank_account: BankAccountId,
    /// How they were written.
    pub format: ImportFormat,
    /// What the file was called, at most 255 characters.
    pub file_name: Option<String>,
    /// SHA-256 of the file, in hexadecimal; none for what was written by hand.
    pub digest: Option<String>,
    /// How far it is.
    pub status: ImportStatus,
    /// The first day that it is about.
    pub from: Option<Date>,
    /// The last day that it is about.
    pub to: Option<Date>,
    /// What the bank says that the account held.
    pub balances: StatementBalances,
    /// How many movements it has.
    pub lines: u32,
    /// How many of them are new; those so far while it is processed.
    pub created: u32,
    /// What a person should know of it.
    pub warnings: Vec<ImportWarning>,
    /// Counts its changes.
    pub version: Version,
    /// When it came.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl BankMovementImport {
    /// How many of its movements the account had already; `None` while it is processed.
    #[must_use]
    pub const fn duplicates(&self) -> Option<u32> {
        match self.status {
            ImportStatus::Processing => None,
            ImportStatus::Completed => Some(self.lines.saturating_sub(self.created)),
        }
    }
}

/// What an account held before the first movement and after the last one, where the statement tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatementBalances {
    /// The currency of the account.
    pub currency: Currency,
    /// Before the first one.
    pub opening: Option<Amount>,
    /// After the last one.
    pub closing: Option<Amount>,
}

/// How movements were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportFormat {
    /// Norma 43 of Spanish banks: `n43`
    N43,
    /// camt.053 of ISO 20022: `camt053`
    Camt053,
    /// A table: `csv`
    Csv,
    /// By hand: `manual`
    Manual,
}

svc_core::wire_names!(ImportFormat { N43 = "n43", Camt053 = "camt053", Csv = "csv", Manual = "manual" });

impl From<Format> for ImportFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::N43 => Self::N43,
            Format::Camt053 => Self::Camt053,
            Format::Csv => Self::Csv,
        }
    }
}

/// How far an import is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportStatus {
    /// Its movements are being added: `processing`
    Processing,
    /// All of them are there: `completed`
    Completed,
}

svc_core::wire_names!(ImportStatus { Processing = "processing", Completed = "completed" });

/// What a person should know of an import that went well.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportWarning {
    /// What it is about.
    pub code: ImportWarningCode,
    /// A sentence.
    pub message: String,
}

impl ImportWarning {
    pub(super) const fn new(code: ImportWarningCode, message: String) -> Self {
        Self { code, message }
    }
}

/// What a warning is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportWarningCode {
    /// The statement begins with another balance than the one before it ended with: `gap`
    Gap,
    /// The file has statements of other accounts too: `other_accounts_left_out`
    OtherAccountsLeftOut,
    /// The file has no record of its end: `no_end_record`
    NoEndRecord,
    /// The file counts one record more or less than it has: `record_count`
    RecordCount,
    /// The bank has not booked some entries yet: `pending_left_out`
    PendingLeftOut,
    /// The file has no balances that its movements could be proven by: `not_proven`
    NotProven,
    /// No date tells day from month: `day_first_assumed`
    DayFirstAssumed,
}

svc_core::wire_names!(ImportWarningCode {
    Gap = "gap",
    OtherAccountsLeftOut = "other_accounts_left_out",
    NoEndRecord = "no_end_record",
    RecordCount = "record_count",
    PendingLeftOut = "pending_left_out",
    NotProven = "not_proven",
    DayFirstAssumed = "day_first_assumed",
});

impl From<&Warning> for ImportWarningCode {
    fn from(warning: &Warning) -> Self {
        match warning {
            Warning::NoEndRecord => Self::NoEndRecord,
            Warning::RecordCount { .. } => Self::RecordCount,
            Warning::PendingLeftOut { .. } => Self::PendingLeftOut,
            Warning::NotProven => Self::NotProven,
            Warning::DayFirstAssumed => Self::DayFirstAssumed,
        }
    }
}
