//! Dates up to which books do not change.
//!
//! Three dates lock books. The *lock date* is the company's own and moves both ways. The *hard lock date* is for
//! periods that are done with and only moves forward. Up to the later of the two nothing may add, alter or remove a
//! posted effect. The *tax lock date* moves forward with each return that is submitted and locks only tax tags: bank
//! movements of March can still be reconciled after the return of the first quarter has gone out, while its boxes
//! cannot change any more.

#[cfg(test)]
mod tests;

use thiserror::Error;
use time::Date;

/// The dates that lock some books; each date is locked itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Locks {
    /// `lockDate`: moves both ways.
    pub lock: Option<Date>,
    /// `taxLockDate`: the end of the last period whose return was submitted.
    pub tax: Option<Date>,
    /// `hardLockDate`: only moves forward.
    pub hard: Option<Date>,
}

/// The date lies in a locked period: `period_locked`, a conflict.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the books are locked up to {through}, and {date} is not after that")]
pub struct PeriodLocked {
    /// The date that was to change.
    pub date: Date,
    /// The last locked date.
    pub through: Date,
}

/// The tax tag lies in a period whose return was submitted: `tax_period_submitted`, a conflict.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the returns up to {through} are submitted, and {date} is not after that")]
pub struct TaxPeriodSubmitted {
    /// The date of the tag.
    pub date: Date,
    /// The last date that a submitted return covers.
    pub through: Date,
}

/// A hard lock never moves back and never goes away.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("hardLockDate is {present} and can only move forward")]
pub struct HardLockMovesForward {
    /// The present date.
    pub present: Date,
}

impl Locks {
    /// The last locked date: the later of `lockDate` and `hardLockDate`.
    #[must_use]
    pub fn effective(&self) -> Option<Date> {
        self.lock.max(self.hard)
    }

    /// Judges whether a posted effect of this date may be added, altered or removed.
    ///
    /// # Errors
    /// [`PeriodLocked`].
    pub fn judge(&self, date: Date) -> Result<(), PeriodLocked> {
        match self.effective() {
            Some(through) if date <= through => Err(PeriodLocked { date, through }),
            Some(_) | None => Ok(()),
        }
    }

    /// Judges whether a tax tag of this date may be added or removed.
    ///
    /// # Errors
    /// [`TaxPeriodSubmitted`].
    pub fn judge_tax(&self, date: Date) -> Result<(), TaxPeriodSubmitted> {
        match self.tax {
            Some(through) if date <= through => Err(TaxPeriodSubmitted { date, through }),
            Some(_) | None => Ok(()),
        }
    }

    /// The locks with another `lockDate`.
    #[must_use]
    pub fn locked_to(self, date: Option<Date>) -> Self {
        Self { lock: date, ..self }
    }

    /// The locks with another `hardLockDate`.
    ///
    /// # Errors
    /// [`HardLockMovesForward`] when it would move back or go away.
    pub fn hard_locked_to(self, date: Option<Date>) -> Result<Self, HardLockMovesForward> {
        match self.hard {
            Some(present) if date < Some(present) => Err(HardLockMovesForward { present }),
            Some(_) | None => Ok(Self { hard: date, ..self }),
        }
    }

    /// The locks after the return of a period that ends on this date was submitted. The return of an earlier period
    /// that goes out late moves nothing.
    #[must_use]
    pub fn submitted(self, period_end: Date) -> Self {
        Self { tax: self.tax.max(Some(period_end)), ..self }
    }
}
