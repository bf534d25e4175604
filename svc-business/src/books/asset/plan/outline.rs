//! The plan of some terms, with what the journal has of it.

use svc_core::money::{Amount, MoneyError};
use thiserror::Error;
use time::Date;

use super::future::{Future, Period};
use super::{Instalment, InstalmentStatus, PostedInstalment, Terms};

/// What an asset loses, period by period.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The instalments in the order of their periods, posted ones first.
    pub instalments: Vec<Instalment>,
}

/// Why there is no plan.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum PlanError {
    /// More is posted than the asset is to lose in all: `out_of_range`, on `residualValue`.
    #[error("{accumulated} is lost already, and with this residual value the asset is to lose {depreciable}")]
    Exceeded {
        /// What is lost so far.
        accumulated: Amount,
        /// What the terms let it lose.
        depreciable: Amount,
    },
    /// The life would end after the year 9999.
    #[error("the life of the asset ends after the year 9999")]
    Calendar,
    /// A sum is out of range.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

impl Plan {
    /// The plan of these terms, of which the journal has `posted`, in the order of their periods.
    ///
    /// Posted instalments that are those of the terms change nothing. Others were posted under other terms: they stay,
    /// and what is left is spread over the life that is left.
    ///
    /// # Errors
    /// [`PlanError`].
    pub fn of(terms: &Terms, posted: &[PostedInstalment]) -> Result<Self, PlanError> {
        Outline::of(terms)?.plan(posted, None)
    }

    /// The plan up to the end of this day, in a last period that ends with it: what is to be posted before the asset
    /// leaves the books on that day.
    ///
    /// # Errors
    /// [`PlanError`].
    pub fn until(terms: &Terms, posted: &[PostedInstalment], date: Date) -> Result<Self, PlanError> {
        Outline::of(terms)?.plan(posted, Some(date))
    }

    /// The instalments that are planned and whose period ends on this day or before.
    pub fn due(&self, through: Date) -> impl Iterator<Item = &Instalment> {
        self.instalments.iter().filter(move |instalment| {
            instalment.status == InstalmentStatus::Planned && instalment.to <= through
        })
    }

    /// Up to which day the asset's loss is posted: `depreciatedThrough`.
    #[must_use]
    pub fn depreciated_through(&self) -> Option<Date> {
        let posted = |instalment: &&Instalment| instalment.status != InstalmentStatus::Planned;
        self.instalments.iter().rev().find(posted).map(|instalment| instalment.to)
    }
}

/// The terms of a plan, and what they let an asset lose in all.
struct Outline<'a> {
    terms: &'a Terms,
    depreciable: Amount,
}

impl<'a> Outline<'a> {
    fn of(terms: &'a Terms) -> Result<Self, PlanError> {
        Ok(Self { terms, depreciable: terms.depreciable()? })
    }

    fn plan(&self, posted: &[PostedInstalment], until: Option<Date>) -> Result<Plan, PlanError> {
        let mut instalments = Vec::new();
        let mut accumulated = self.terms.opening_accumulated;
        for done in posted {
            accumulated = accumulated.plus(done.amount)?;
            let period = Period { number: done.period, from: done.from, to: done.to };
            let status = InstalmentStatus::Posted { entry: done.entry };
            instalments.push(self.instalment(period, done.amount, accumulated, status)?);
        }
        if accumulated.minor() > self.depreciable.minor() {
            return Err(PlanError::Exceeded { accumulated, depreciable: self.depreciable });
        }
        if let Some((future, mut periods)) = self.future(posted, accumulated)? {
            if let Some(date) = until {
                periods.retain(|period| period.from <= date);
                for period in &mut periods {
                    period.to = period.to.min(date);
                }
            }
            instalments.extend(self.planned(&future, &periods, accumulated)?);
        }
        Ok(Plan { instalments })
    }

    /// What is to come after what is posted; `None` for an asset that loses no value.
    fn future(
        &self,
        posted: &[PostedInstalment],
        accumulated: Amount,
    ) -> Result<Option<(Future, Vec<Period>)>, PlanError> {
        let Some(schedule) = self.terms.schedule else { return Ok(None) };
        let whole = Future::whole(self.terms, schedule)?.ok_or(PlanError::Calendar)?;
        let mut periods = whole.periods(self.terms.in_service, 1).ok_or(PlanError::Calendar)?;
        let Some(last) = posted.last() else { return Ok(Some((whole, periods))) };
        let planned = self.planned(&whole, &periods, self.terms.opening_accumulated)?;
        if posted.len() <= planned.len() && posted.iter().zip(&planned).all(|(done, plan)| is_of(done, plan))
        {
            periods.retain(|period| period.from > last.to);
            return Ok(Some((whole, periods)));
        }
        let rest = self.depreciable.minus(accumulated)?;
        let future = whole.after(accumulated.minor(), rest.minor(), last.to)?;
        let next = last.to.next_day().zip(last.period.checked_add(1));
        let periods = next.and_then(|(from, number)| future.periods(from, number));
        Ok(Some((future, periods.ok_or(PlanError::Calendar)?)))
    }

    /// The instalments of these periods; none where nothing is lost.
    fn planned(
        &self,
        future: &Future,
        periods: &[Period],
        accumulated: Amount,
    ) -> Result<Vec<Instalment>, PlanError> {
        let mut instalments = Vec::new();
        let mut before = accumulated;
        for period in periods {
            let lost = Amount::from_minor(future.lost(period.to)?, before.currency())?;
            let amount = lost.minus(before)?;
            if amount.minor() != 0 {
                instalments.push(self.instalment(*period, amount, lost, InstalmentStatus::Planned)?);
                before = lost;
            }
        }
        Ok(instalments)
    }

    fn instalment(
        &self,
        period: Period,
        amount: Amount,
        accumulated: Amount,
        status: InstalmentStatus,
    ) -> Result<Instalment, PlanError> {
        let carrying = self.terms.cost.minus(accumulated)?;
        let Period { number, from, to } = period;
        Ok(Instalment { period: number, from, to, amount, accumulated, carrying, status })
    }
}

/// Whether what was posted is what is planned.
fn is_of(posted: &PostedInstalment, planned: &Instalment) -> bool {
    (posted.period, posted.from, posted.to, posted.amount)
        == (planned.period, planned.from, planned.to, planned.amount)
}
