//! One record, and its fields by their columns.

use svc_core::money::{Amount, Currency};
use time::Date;

use crate::date::{number, six_digits};
use crate::error::{Place, ReadError};

/// How long a record is, in characters.
const LENGTH: usize = 80;
/// What some programs put at the end of a file.
const END_OF_FILE: char = '\u{1a}';

/// A record of 80 characters, padded with spaces where the sender cut them off.
pub(super) struct Record {
    number: u32,
    letters: [char; LENGTH],
}

/// Which way money goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Debit,
    Credit,
}

/// The records of a file. Lines that are empty are none.
pub(super) fn records(text: &str) -> impl Iterator<Item = Result<Record, ReadError>> + '_ {
    let lines = text.split(['\n', '\r', END_OF_FILE]).map(str::trim_end).filter(|line| !line.is_empty());
    (1_u32..).zip(lines).map(|(number, line)| Record::of(number, line))
}

impl Record {
    fn of(number: u32, line: &str) -> Result<Self, ReadError> {
        let mut letters = [' '; LENGTH];
        let mut rest = line.chars();
        for (place, letter) in letters.iter_mut().zip(rest.by_ref()) {
            *place = letter;
        }
        if rest.next().is_some() {
            return Err(ReadError::malformed(
                Place::Record { number, field: "length" },
                "at most 80 characters",
            ));
        }
        Ok(Self { number, letters })
    }

    /// Which record of the file, from 1.
    pub(super) fn number(&self) -> u32 {
        self.number
    }

    /// Which kind.
    pub(super) fn code(&self) -> String {
        self.text(1, 2)
    }

    /// A field of it.
    pub(super) fn place(&self, field: &'static str) -> Place {
        Place::Record { number: self.number, field }
    }

    /// The characters of columns, from 1, both included.
    pub(super) fn text(&self, from: usize, to: usize) -> String {
        self.letters.get(from.saturating_sub(1)..to).unwrap_or_default().iter().collect()
    }

    /// Columns that are digits and nothing else.
    pub(super) fn digits(&self, from: usize, to: usize, field: &'static str) -> Result<String, ReadError> {
        let text = self.text(from, to);
        if text.bytes().all(|byte| byte.is_ascii_digit()) {
            Ok(text)
        } else {
            Err(ReadError::malformed(self.place(field), format!("digits in columns {from} to {to}")))
        }
    }

    /// Columns that are digits, or left out.
    pub(super) fn digits_or_blank(
        &self,
        from: usize,
        to: usize,
        field: &'static str,
    ) -> Result<Option<String>, ReadError> {
        if self.text(from, to).trim().is_empty() { Ok(None) } else { self.digits(from, to, field).map(Some) }
    }

    /// A number of at most nine digits.
    pub(super) fn count(&self, from: usize, to: usize, field: &'static str) -> Result<u32, ReadError> {
        Ok(number(&self.digits(from, to, field)?).unwrap_or(u32::MAX))
    }

    /// `YYMMDD`.
    pub(super) fn date(&self, from: usize, field: &'static str) -> Result<Date, ReadError> {
        let to = from.saturating_add(5);
        six_digits(&self.text(from, to)).ok_or_else(|| {
            ReadError::malformed(self.place(field), format!("a date YYMMDD in columns {from} to {to}"))
        })
    }

    /// 1 for debit, 2 for credit.
    pub(super) fn side(&self, at: usize, field: &'static str) -> Result<Side, ReadError> {
        match self.text(at, at).as_str() {
            "1" => Ok(Side::Debit),
            "2" => Ok(Side::Credit),
            _ => Err(ReadError::malformed(
                self.place(field),
                format!("1 for debit or 2 for credit in column {at}"),
            )),
        }
    }

    /// Fourteen digits, of which two are decimals whatever the currency, as minor units of it.
    pub(super) fn minor(
        &self,
        from: usize,
        currency: Currency,
        field: &'static str,
    ) -> Result<i64, ReadError> {
        let digits = self.digits(from, from.saturating_add(13), field)?;
        let beyond = || ReadError::OutOfRange { place: self.place(field) };
        let hundredths: i64 = digits.parse().map_err(|_| beyond())?;
        let (more, fewer) = (currency.digits().saturating_sub(2), 2_u32.saturating_sub(currency.digits()));
        let steps = 10_i64.pow(fewer);
        if hundredths.checked_rem(steps) != Some(0) {
            let expected = format!("an amount with at most {} decimals", currency.digits());
            return Err(ReadError::malformed(self.place(field), expected));
        }
        let whole = hundredths.checked_div(steps);
        whole.and_then(|whole| whole.checked_mul(10_i64.checked_pow(more)?)).ok_or_else(beyond)
    }

    /// Such digits with the sign of their side.
    pub(super) fn amount(
        &self,
        side: Side,
        from: usize,
        currency: Currency,
        field: &'static str,
    ) -> Result<Amount, ReadError> {
        let minor = self.minor(from, currency, field)?;
        let signed = match side {
            Side::Debit => minor.saturating_neg(),
            Side::Credit => minor,
        };
        let amount = Amount::from_minor(signed, currency).and_then(Amount::stated);
        amount.map_err(|_| ReadError::OutOfRange { place: self.place(field) })
    }

    /// A numeric code of ISO 4217.
    pub(super) fn currency(
        &self,
        from: usize,
        to: usize,
        field: &'static str,
    ) -> Result<Currency, ReadError> {
        let code = self.text(from, to).parse().ok().and_then(Currency::from_numeric);
        code.ok_or_else(|| {
            let expected = format!("a numeric currency code such as 978 in columns {from} to {to}");
            ReadError::malformed(self.place(field), expected)
        })
    }
}
