//! Dates, in the order that all of a file have.

use time::Date;

use super::mapping::DateOrder;
use crate::date::{date, full_year, number};

/// The three numbers of a date.
enum Parts {
    /// A year of four digits, month, day.
    Year(u32, u32, u32),
    /// Two numbers of one or two digits, and a third that is a year or, in the order year first, a day.
    Open(u32, u32, u32, Third),
}

/// How the third number is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Third {
    FourDigits,
    TwoDigits,
}

/// What the dates of a file have in common.
#[derive(Default)]
pub(super) struct DateSurvey {
    any: bool,
    not_day_first: bool,
    not_month_first: bool,
}

impl DateSurvey {
    pub(super) fn see(&mut self, cell: &str) {
        if let Some(Parts::Open(first, second, _, _)) = parts(cell) {
            self.any = true;
            self.not_day_first |= second > 12;
            self.not_month_first |= first > 12;
        }
    }

    /// The order, and whether it is an assumption.
    pub(super) fn order(&self, wanted: DateOrder) -> (DateOrder, bool) {
        match wanted {
            DateOrder::Auto if self.not_day_first && !self.not_month_first => (DateOrder::MonthFirst, false),
            DateOrder::Auto => (DateOrder::DayFirst, self.any && !self.not_month_first),
            DateOrder::DayFirst | DateOrder::MonthFirst | DateOrder::YearFirst => (wanted, false),
        }
    }
}

/// Reads a date in an order. A time behind it is passed over.
pub(super) fn read(cell: &str, order: DateOrder) -> Option<Date> {
    let (year, month, day, third) = match parts(cell)? {
        Parts::Year(year, month, day) => return date(i32::try_from(year).ok()?, month, day),
        Parts::Open(first, second, last, third) => match order {
            DateOrder::Auto | DateOrder::DayFirst => (last, second, first, third),
            DateOrder::MonthFirst => (last, first, second, third),
            DateOrder::YearFirst => (first, second, last, Third::TwoDigits),
        },
    };
    let year = match third {
        Third::TwoDigits => full_year(year),
        Third::FourDigits => i32::try_from(year).ok()?,
    };
    date(year, month, day)
}

fn parts(cell: &str) -> Option<Parts> {
    let cell = cell.trim();
    let (day, time) = cell.split_once([' ', 'T']).unwrap_or((cell, ":"));
    if !time.contains(':') {
        return None;
    }
    if day.len() == 8
        && let Some(number) = number(day)
    {
        return Some(Parts::Year(number / 10_000, number / 100 % 100, number % 100));
    }
    let separator = ['/', '-', '.'].into_iter().find(|separator| day.contains(*separator))?;
    let mut texts = day.split(separator);
    let (first, second, third) = (texts.next()?, texts.next()?, texts.next()?);
    if texts.next().is_some() || second.len() > 2 {
        return None;
    }
    let numbers = (number(first)?, number(second)?, number(third)?);
    match (first.len(), third.len()) {
        (4, 1 | 2) => Some(Parts::Year(numbers.0, numbers.1, numbers.2)),
        (1 | 2, 4) => Some(Parts::Open(numbers.0, numbers.1, numbers.2, Third::FourDigits)),
        (1 | 2, 2) => Some(Parts::Open(numbers.0, numbers.1, numbers.2, Third::TwoDigits)),
        _ => None,
    }
}
