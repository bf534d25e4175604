//! Records 33 and 88: what must agree with the records before them.

use svc_core::money::Amount;

use super::header::Header;
use super::record::{Record, Side};
use crate::amount::shown;
use crate::error::ReadError;
use crate::model::Warning;

/// What the movements of an account come to.
#[derive(Default)]
pub(super) struct Sums {
    debits: u32,
    debited: i128,
    credits: u32,
    credited: i128,
}

impl Sums {
    /// Counts a movement.
    pub(super) fn add(&mut self, side: Side, amount: Amount) {
        let minor = i128::from(amount.minor().unsigned_abs());
        match side {
            Side::Debit => {
                self.debits = self.debits.saturating_add(1);
                self.debited = self.debited.saturating_add(minor);
            }
            Side::Credit => {
                self.credits = self.credits.saturating_add(1);
                self.credited = self.credited.saturating_add(minor);
            }
        }
    }
}

/// Checks record 33 but for the closing balance, which is the answer.
pub(super) fn check(record: &Record, header: &Header, sums: &Sums) -> Result<Amount, ReadError> {
    let of = [
        (3, 6, "bank", &header.bank),
        (7, 10, "office", &header.office),
        (11, 20, "account", &header.account),
    ];
    for (from, to, field, opened) in of {
        let stated = record.digits(from, to, field)?;
        if stated != *opened {
            return Err(differs(record, field, stated, opened.clone()));
        }
    }
    let currency = record.currency(74, 76, "currency")?;
    if currency != header.currency {
        let (stated, opened) = (currency.to_string(), header.currency.to_string());
        return Err(differs(record, "currency", stated, opened));
    }
    for (from, to, field, computed) in
        [(21, 25, "number of debits", sums.debits), (40, 44, "number of credits", sums.credits)]
    {
        let stated = record.count(from, to, field)?;
        // Five digits: what is beyond begins at zero again.
        if stated != computed % 100_000 {
            return Err(differs(record, field, stated.to_string(), computed.to_string()));
        }
    }
    for (from, field, computed) in
        [(26, "sum of debits", sums.debited), (45, "sum of credits", sums.credited)]
    {
        let stated = i128::from(record.minor(from, currency, field)?);
        if stated != computed {
            return Err(differs(record, field, shown(stated, currency), shown(computed, currency)));
        }
    }
    let side = record.side(59, "sign of the closing balance")?;
    record.amount(side, 60, currency, "closing balance")
}

/// How a file ended.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum End {
    /// Not yet.
    #[default]
    Missing,
    /// With the count of its records.
    Counted,
    /// With one record more or less.
    Differs { stated: u32, counted: u32 },
}

impl End {
    /// What a person should know of it.
    pub(super) fn warning(self) -> Option<Warning> {
        match self {
            Self::Missing => Some(Warning::NoEndRecord),
            Self::Counted => None,
            Self::Differs { stated, counted } => Some(Warning::RecordCount { stated, counted }),
        }
    }
}

/// Checks record 88. Some banks count it and some do not, so one more or less is only worth a warning.
pub(super) fn count(record: &Record, counted: u32) -> Result<End, ReadError> {
    let field = "number of records";
    let stated = record.count(21, 26, field)?;
    match stated.abs_diff(counted) {
        0 => Ok(End::Counted),
        1 => Ok(End::Differs { stated, counted }),
        _ => Err(differs(record, field, stated.to_string(), counted.to_string())),
    }
}

fn differs(record: &Record, figure: &'static str, stated: String, computed: String) -> ReadError {
    ReadError::Inconsistent { place: record.place(figure), figure, stated, computed }
}
