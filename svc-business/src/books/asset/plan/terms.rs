//! What a plan is made of.

use svc_core::money::{Amount, MoneyError};
use time::{Date, Month};

use super::{Frequency, Life, Pattern, Proration};

/// What a plan is made of; judged by [`Terms::judge`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// What the asset cost, more than zero.
    pub cost: Amount,
    /// What it will be worth in the end, from zero to the cost.
    pub residual: Amount,
    /// What it had lost before the books began, at most the cost without the residual value.
    pub opening_accumulated: Amount,
    /// When it is put to use.
    pub in_service: Date,
    /// How it loses value; `None` for what loses none, such as land.
    pub schedule: Option<Schedule>,
}

impl Terms {
    /// What the asset loses in all: its cost without the residual value.
    ///
    /// # Errors
    /// [`MoneyError`], which amounts that were judged do not meet.
    pub fn depreciable(&self) -> Result<Amount, MoneyError> {
        self.cost.minus(self.residual)
    }
}

/// How an asset loses value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// How it is spread.
    pub pattern: Pattern,
    /// How long the asset is of use.
    pub life: Life,
    /// How often an instalment is due.
    pub frequency: Frequency,
    /// How its first month counts.
    pub proration: Proration,
    /// The month with which fiscal years begin: quarters and years of the plan are theirs.
    pub year_start: Month,
}
