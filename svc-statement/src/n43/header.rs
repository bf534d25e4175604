//! Record 11: whose account, which days, how much there was.

use svc_core::money::{Amount, Currency};
use time::Date;

use super::record::Record;
use crate::error::ReadError;
use crate::iban::{of_spanish_account, spanish_account};
use crate::model::{AccountRef, Statement};
use crate::text;

/// What record 11 says.
pub(super) struct Header {
    pub(super) bank: String,
    pub(super) office: String,
    pub(super) account: String,
    pub(super) currency: Currency,
    from: Date,
    to: Date,
    opening: Amount,
    holder: Option<String>,
}

impl Header {
    pub(super) fn read(record: &Record) -> Result<Self, ReadError> {
        let bank = record.digits(3, 6, "bank")?;
        let office = record.digits(7, 10, "office")?;
        let account = record.digits(11, 20, "account")?;
        let from = record.date(21, "first day")?;
        let to = record.date(27, "last day")?;
        if to < from {
            return Err(ReadError::malformed(record.place("last day"), "a day not before the first"));
        }
        let side = record.side(33, "sign of the opening balance")?;
        let currency = record.currency(48, 50, "currency")?;
        let opening = record.amount(side, 34, currency, "opening balance")?;
        record.digits_or_blank(51, 51, "mode")?;
        let holder = text::short(&record.text(52, 77));
        Ok(Self { bank, office, account, currency, from, to, opening, holder })
    }

    /// The statement that begins with it. The file has no check digits, so the IBAN is made anew.
    pub(super) fn statement(&self) -> Statement {
        let number = spanish_account(&self.bank, &self.office, &self.account);
        let account = AccountRef { iban: Some(of_spanish_account(&number)), other: Some(number) };
        Statement {
            currency: Some(self.currency),
            from: Some(self.from),
            to: Some(self.to),
            opening: Some(self.opening),
            holder: self.holder.clone(),
            ..Statement::empty(account)
        }
    }
}
