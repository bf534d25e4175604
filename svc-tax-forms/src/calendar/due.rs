//! The last days of returns.

use time::{Date, Duration, Month};

use super::Holidays;
use crate::model::Model;
use crate::period::{Period, TaxPeriod};

/// The last day on which the return of a period can be filed in time, which is a working day.
///
/// A bank that pays it by direct debit is told some days before.
#[must_use]
pub fn due(model: Model, period: &TaxPeriod, holidays: &Holidays) -> Date {
    holidays.next_working_day(term(model, period))
}

/// The day that the order of the model names.
fn term(model: Model, period: &TaxPeriod) -> Date {
    let (year, month) = month_after(period.to());
    match model {
        // RD 1624/1992 art. 71.4.
        Model::M303 => match period.period() {
            Period::Month(_) => day(year, month, 30),
            Period::Quarter(_) | Period::Year => {
                day(year, month, if period.period().is_last() { 30 } else { 20 })
            }
        },
        // RD 439/2007 art. 111.
        Model::M130 => day(year, month, if period.period().is_last() { 30 } else { 20 }),
        // RD 439/2007 art. 108.
        Model::M111 | Model::M115 => day(year, month, 20),
        // Orden EHA/769/2010: July can wait for August to pass.
        Model::M349 => match period.period() {
            Period::Month(Month::July) => day(year, Month::September, 20),
            Period::Month(_) | Period::Quarter(_) | Period::Year if period.period().is_last() => {
                day(year, month, 30)
            }
            Period::Month(_) | Period::Quarter(_) | Period::Year => day(year, month, 20),
        },
        // Orden EHA/3111/2009, in the term of the last 303.
        Model::M390 => day(year, month, 30),
        // RD 439/2007 art. 108.2.
        Model::M180 | Model::M190 => day(year, month, 31),
        // Orden EHA/3012/2008: February.
        Model::M347 => day(year, Month::February, 31),
        // Ley 27/2014 art. 124.1: 25 natural days after six months from the end of the tax year.
        Model::M200 => six_months_after(period.to()).saturating_add(Duration::days(25)),
    }
}

fn month_after(date: Date) -> (i32, Month) {
    let next = date.month().next();
    let year = if next == Month::January { date.year().saturating_add(1) } else { date.year() };
    (year, next)
}

/// A day of a month, and its last one when it has fewer.
fn day(year: i32, month: Month, day: u8) -> Date {
    Date::from_calendar_date(year, month, day.min(month.length(year))).unwrap_or(Date::MAX)
}

/// The last day of a month is followed by the last day of the other (Código Civil art. 5.1).
fn six_months_after(date: Date) -> Date {
    let (mut year, mut month) = (date.year(), date.month());
    for _ in 0..6 {
        month = month.next();
        if month == Month::January {
            year = year.saturating_add(1);
        }
    }
    let last = date.day() == date.month().length(date.year());
    day(year, month, if last { 31 } else { date.day() })
}
