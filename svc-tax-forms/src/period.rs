//! Periods of returns, and the dates that they are of.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use time::{Date, Month};

/// A period within a year, as the AEAT writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Period {
    /// A month: `01` to `12`.
    Month(Month),
    /// A quarter: `1T` to `4T`.
    Quarter(Quarter),
    /// The year: `0A`.
    Year,
}

/// A quarter of the calendar year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quarter {
    /// January to March.
    First,
    /// April to June.
    Second,
    /// July to September.
    Third,
    /// October to December.
    Fourth,
}

impl Quarter {
    /// Every quarter.
    pub const ALL: [Self; 4] = [Self::First, Self::Second, Self::Third, Self::Fourth];

    /// The quarter of a date.
    #[must_use]
    pub fn of(date: Date) -> Self {
        match u8::from(date.month()) {
            1..=3 => Self::First,
            4..=6 => Self::Second,
            7..=9 => Self::Third,
            _ => Self::Fourth,
        }
    }

    /// From 1 to 4.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::First => 1,
            Self::Second => 2,
            Self::Third => 3,
            Self::Fourth => 4,
        }
    }

    fn months(self) -> (Month, Month) {
        match self {
            Self::First => (Month::January, Month::March),
            Self::Second => (Month::April, Month::June),
            Self::Third => (Month::July, Month::September),
            Self::Fourth => (Month::October, Month::December),
        }
    }
}

/// Not a period of a return.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum PeriodError {
    /// Not one of the codes.
    #[error("expected a period: 01 to 12, 1T to 4T, or 0A")]
    Code,
    /// Before 1900 or after 2999.
    #[error("expected a year from 1900 to 2999")]
    Year,
    /// It ends before it begins, or lasts longer than a year.
    #[error("expected a tax year of twelve months at most")]
    Range,
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Month(month) => write!(f, "{:02}", u8::from(*month)),
            Self::Quarter(quarter) => write!(f, "{}T", quarter.number()),
            Self::Year => f.write_str("0A"),
        }
    }
}

impl FromStr for Period {
    type Err = PeriodError;

    fn from_str(text: &str) -> Result<Self, PeriodError> {
        let months = (1..=12).filter_map(|number| Month::try_from(number).ok()).map(Self::Month);
        let quarters = Quarter::ALL.into_iter().map(Self::Quarter);
        let mut known = months.chain(quarters).chain([Self::Year]);
        known.find(|period| period.to_string() == text).ok_or(PeriodError::Code)
    }
}

impl Period {
    /// Whether no later period of the same length is in the year.
    #[must_use]
    pub fn is_last(self) -> bool {
        match self {
            Self::Month(month) => month == Month::December,
            Self::Quarter(quarter) => quarter == Quarter::Fourth,
            Self::Year => true,
        }
    }
}

/// A period of one year, with its dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaxPeriod {
    to: Date,
    from: Date,
    year: i32,
    period: Period,
}

impl TaxPeriod {
    /// The period of a calendar year.
    ///
    /// # Errors
    /// [`PeriodError::Year`].
    pub fn new(year: i32, period: Period) -> Result<Self, PeriodError> {
        if !(1900..=2999).contains(&year) {
            return Err(PeriodError::Year);
        }
        let (first, last) = match period {
            Period::Month(month) => (month, month),
            Period::Quarter(quarter) => quarter.months(),
            Period::Year => (Month::January, Month::December),
        };
        let from = Date::from_calendar_date(year, first, 1).map_err(|_| PeriodError::Year)?;
        let to = Date::from_calendar_date(year, last, last.length(year)).map_err(|_| PeriodError::Year)?;
        Ok(Self { to, from, year, period })
    }

    /// A tax year that need not be the calendar one, for corporate tax. Its year is the one in which it begins.
    ///
    /// # Errors
    /// [`PeriodError::Range`], [`PeriodError::Year`].
    pub fn tax_year(from: Date, to: Date) -> Result<Self, PeriodError> {
        if !(1900..=2999).contains(&from.year()) {
            return Err(PeriodError::Year);
        }
        let next = from.year().saturating_add(1);
        // A year from 29 February ends on 28 February.
        let after = from.replace_year(next).or_else(|_| Date::from_calendar_date(next, Month::March, 1));
        if to < from || after.is_ok_and(|after| to >= after) {
            return Err(PeriodError::Range);
        }
        Ok(Self { to, from, year: from.year(), period: Period::Year })
    }

    /// The year.
    #[must_use]
    pub fn year(&self) -> i32 {
        self.year
    }

    /// Its code within the year.
    #[must_use]
    pub fn period(&self) -> Period {
        self.period
    }

    /// The first day.
    #[must_use]
    pub fn from(&self) -> Date {
        self.from
    }

    /// The last day.
    #[must_use]
    pub fn to(&self) -> Date {
        self.to
    }

    /// Whether a date is in it.
    #[must_use]
    pub fn contains(&self, date: Date) -> bool {
        (self.from..=self.to).contains(&date)
    }

    /// The period of the same length that a date is in; `None` where the year has none.
    pub(crate) fn alike(&self, date: Date) -> Option<Self> {
        let period = match self.period {
            Period::Month(_) => Period::Month(date.month()),
            Period::Quarter(_) => Period::Quarter(Quarter::of(date)),
            Period::Year => Period::Year,
        };
        Self::new(date.year(), period).ok()
    }
}
