//! What an asset will have lost on a day to come.

use svc_core::money::MoneyError;
use time::Date;

use super::curve::Curve;
use super::periods::period_end;
use super::ratio::Ratio;
use super::time_line::TimeLine;
use super::{Schedule, Terms};

/// What an asset will have lost on a day to come, in minor units.
pub(super) struct Future {
    schedule: Schedule,
    line: TimeLine,
    curve: Curve,
    basis: Basis,
}

/// What the sums of a future start from.
enum Basis {
    /// The plan of the terms from its beginning. What was lost before the books began takes the place of what the
    /// plan says for those days.
    Whole {
        /// What was lost before.
        opening: i64,
    },
    /// What is left, spread in proportion to what is left of the plan.
    Rest {
        /// What is lost so far.
        lost: i64,
        /// What is left to lose.
        rest: i64,
        /// What the plan says for so far.
        planned: Ratio,
        /// What is left of the plan; more than zero.
        left: Ratio,
    },
    /// What is left falls due at once, because the life is over.
    Due {
        /// All that is lost then.
        all: i64,
    },
}

/// A period without what is lost in it.
#[derive(Clone, Copy)]
pub(super) struct Period {
    pub(super) number: u32,
    pub(super) from: Date,
    pub(super) to: Date,
}

impl Future {
    /// The plan of the terms from its beginning; `None` past the end of the calendar.
    pub(super) fn whole(terms: &Terms, schedule: Schedule) -> Result<Option<Self>, MoneyError> {
        let Some(line) = TimeLine::of(terms.in_service, schedule) else { return Ok(None) };
        let curve = Curve::of(terms, schedule.pattern, schedule.life)?;
        let basis = Basis::Whole { opening: terms.opening_accumulated.minor() };
        Ok(Some(Self { schedule, line, curve, basis }))
    }

    /// What is left to lose when so much is lost up to the end of this day.
    pub(super) fn after(self, lost: i64, rest: i64, through: Date) -> Result<Self, MoneyError> {
        let planned = self.planned(through)?;
        let left = self.planned(self.line.end())?.minus(planned)?;
        let all = lost.checked_add(rest).ok_or(MoneyError::Range)?;
        let basis =
            if left.is_zero() { Basis::Due { all } } else { Basis::Rest { lost, rest, planned, left } };
        Ok(Self { basis, ..self })
    }

    /// What will be lost when this day ends.
    pub(super) fn lost(&self, date: Date) -> Result<i64, MoneyError> {
        match self.basis {
            Basis::Whole { opening } => Ok(self.planned(date)?.rounded()?.max(opening)),
            Basis::Rest { lost, rest, planned, left } => {
                let part = self.planned(date)?.minus(planned)?.over(left)?;
                let more = Ratio::whole(rest).times(part)?.rounded()?;
                lost.checked_add(more).ok_or(MoneyError::Range)
            }
            Basis::Due { all } => Ok(all),
        }
    }

    /// The periods from this day on, this number first; `None` past the end of the calendar.
    pub(super) fn periods(&self, from: Date, number: u32) -> Option<Vec<Period>> {
        let first_end = period_end(self.schedule, from)?;
        let last = match self.basis {
            Basis::Whole { .. } | Basis::Rest { .. } => self.line.end(),
            Basis::Due { .. } => first_end,
        };
        let mut periods = Vec::new();
        let (mut from, mut number) = (from, number);
        while from <= last {
            let to = period_end(self.schedule, from)?.min(last);
            periods.push(Period { number, from, to });
            from = to.next_day()?;
            number = number.checked_add(1)?;
        }
        Some(periods)
    }

    fn planned(&self, date: Date) -> Result<Ratio, MoneyError> {
        self.curve.lost(self.line.elapsed(date)?)
    }
}
