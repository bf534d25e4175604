//! The life of an asset on the calendar.

use svc_core::money::MoneyError;
use time::Date;

use super::ratio::Ratio;
use super::{Proration, Schedule};
use crate::books::calendar::{anniversary, month_end};

/// The life of an asset on the calendar.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeLine {
    start: Date,
    end: Date,
    life: u16,
    proration: Proration,
}

impl TimeLine {
    /// The life of an asset that is put to use on this day; `None` past the end of the calendar.
    pub(super) fn of(start: Date, schedule: Schedule) -> Option<Self> {
        let Schedule { life, proration, .. } = schedule;
        let months = u32::from(life.months());
        let end = match proration {
            Proration::Daily => anniversary(start, months)?.previous_day()?,
            Proration::FullMonth => month_end(start, months.checked_sub(1)?)?,
        };
        Some(Self { start, end, life: life.months(), proration })
    }

    /// The last day of its life.
    pub(super) const fn end(self) -> Date {
        self.end
    }

    /// How many months of its life have gone when this day ends.
    pub(super) fn elapsed(self, date: Date) -> Result<Ratio, MoneyError> {
        let life = Ratio::whole(i64::from(self.life));
        if date >= self.end {
            return Ok(life);
        }
        if date < self.start {
            return Ok(Ratio::whole(0));
        }
        let gone = match self.proration {
            Proration::Daily => {
                part_gone(date)?.plus(months_between(self.start, date)?)?.minus(before(self.start)?)?
            }
            // A month counts once its last day has come.
            Proration::FullMonth => {
                let is_last = date.day() == date.month().length(date.year());
                months_between(self.start, date)?.plus(Ratio::whole(i64::from(is_last)))?
            }
        };
        // A short month at the end can make the days add up to a little more.
        Ok(if gone.reaches(life)? { life } else { gone })
    }
}

/// The part of its month that has gone when this day ends.
fn part_gone(date: Date) -> Result<Ratio, MoneyError> {
    Ratio::new(i128::from(date.day()), i128::from(date.month().length(date.year())))
}

/// The part of its month that has gone when this day begins.
fn before(date: Date) -> Result<Ratio, MoneyError> {
    let passed = i128::from(date.day().saturating_sub(1));
    Ratio::new(passed, i128::from(date.month().length(date.year())))
}

/// Months from the first day's month to that of the second.
fn months_between(first: Date, second: Date) -> Result<Ratio, MoneyError> {
    let number = |date: Date| {
        let years = i64::from(date.year()).checked_mul(12)?;
        years.checked_add(i64::from(u8::from(date.month())))
    };
    let months = number(second).zip(number(first)).and_then(|(second, first)| second.checked_sub(first));
    Ok(Ratio::whole(months.ok_or(MoneyError::Range)?))
}
