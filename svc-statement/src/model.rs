//! What a statement says, whatever its format.

use std::fmt;

use svc_core::money::{Amount, Currency};
use time::Date;

/// The movements of one account in one period.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statement {
    /// Whose movements these are.
    pub account: AccountRef,
    /// The currency that the file states. CSV files state none unless they have a column for it.
    pub currency: Option<Currency>,
    /// The first day: as stated, or the first booking date when the file states none.
    pub from: Option<Date>,
    /// The last day: as stated, or the last booking date when the file states none.
    pub to: Option<Date>,
    /// The balance before the first movement.
    pub opening: Option<Amount>,
    /// The balance after the last movement.
    pub closing: Option<Amount>,
    /// The holder of the account.
    pub holder: Option<String>,
    /// In the order of the file; those of a CSV file that begins with the newest are turned round.
    pub movements: Vec<Movement>,
    /// What a person should know, though the statement was read.
    pub warnings: Vec<Warning>,
}

impl Statement {
    /// A statement of an account, with nothing in it.
    #[must_use]
    pub fn empty(account: AccountRef) -> Self {
        Self {
            account,
            currency: None,
            from: None,
            to: None,
            opening: None,
            closing: None,
            holder: None,
            movements: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Takes the period of the movements for what the file did not state.
    pub(crate) fn period_of_movements(&mut self) {
        let dates = || self.movements.iter().map(|movement| movement.booking_date);
        let (first, last) = (dates().min(), dates().max());
        self.from = self.from.or(first);
        self.to = self.to.or(last);
    }
}

/// Which account a statement is of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccountRef {
    /// The IBAN without spaces; in N43 made of bank, office and account. CSV files have none.
    pub iban: Option<String>,
    /// Another number: in N43 the twenty digits of the account (CCC), in camt.053 `Othr/Id`.
    pub other: Option<String>,
}

/// One movement of money.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Movement {
    /// Where it stands in the file, from 1: the record of N43, the `Ntry` of camt.053, the line of CSV.
    ///
    /// The movements of a batch that was split have the same.
    pub position: u32,
    /// When the bank booked it.
    pub booking_date: Date,
    /// From when it counts for interest; the booking date when the file does not say.
    pub value_date: Date,
    /// What the account gained, or lost when negative.
    pub amount: Amount,
    /// The balance after it, where the file states one.
    pub balance_after: Option<Amount>,
    /// The text for people, in one line; may be empty.
    pub description: String,
    /// Who paid, or was paid.
    pub counterparty_name: Option<String>,
    /// The account of the other side, its check digits verified.
    pub counterparty_iban: Option<String>,
    /// Numbers that bank and payer gave, without repetitions.
    pub references: Vec<String>,
    /// What kind of movement the bank says it is: `04-123` (common and own concept) of N43, `PMNT-RCDT-ESCT` (ISO) or
    /// the bank's own code in camt.053.
    pub bank_code: Option<String>,
}

impl Movement {
    /// A movement that says no more than when and how much.
    #[must_use]
    pub fn new(position: u32, booking_date: Date, value_date: Date, amount: Amount) -> Self {
        Self {
            position,
            booking_date,
            value_date,
            amount,
            balance_after: None,
            description: String::new(),
            counterparty_name: None,
            counterparty_iban: None,
            references: Vec::new(),
            bank_code: None,
        }
    }
}

/// What a person should know of a statement that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// The file has no record 88, so it may have been cut off after a statement.
    NoEndRecord,
    /// Record 88 counts one record more or less than there are; banks differ in what they count.
    RecordCount {
        /// What it says.
        stated: u32,
        /// The records before it.
        counted: u32,
    },
    /// Entries that the bank has not booked yet were left out.
    PendingLeftOut {
        /// How many.
        entries: u32,
    },
    /// The file lacks balances, so nothing proves that all its movements are there.
    NotProven,
    /// No date of the file tells day from month; the day was taken to come first.
    DayFirstAssumed,
}

impl Warning {
    /// Its stable name.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoEndRecord => "no_end_record",
            Self::RecordCount { .. } => "record_count",
            Self::PendingLeftOut { .. } => "pending_left_out",
            Self::NotProven => "not_proven",
            Self::DayFirstAssumed => "day_first_assumed",
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoEndRecord => f.write_str("the file has no record 88: it may have been cut off"),
            Self::RecordCount { stated, counted } => {
                write!(f, "record 88 counts {stated} records, there are {counted}")
            }
            Self::PendingLeftOut { entries } => {
                write!(f, "{entries} entries that the bank has not booked yet were left out")
            }
            Self::NotProven => {
                f.write_str("the file lacks balances: nothing proves that all movements are there")
            }
            Self::DayFirstAssumed => {
                f.write_str("no date tells day from month: the day was taken to come first")
            }
        }
    }
}
