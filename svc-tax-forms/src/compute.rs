//! Computing a return: facts into boxes, boxes into a result.
//!
//! Every figure is an integer of cents from the first to the last, and one that leaves the range is an error. Nothing
//! depends on the order of the facts but the order of references. A fact that the form is about is counted by a box, or
//! it stands in [`Computed::outside`] with the reason, so none is lost without notice.

mod boxes;
mod manual;
mod parties;
mod previous;
mod rectified;
mod result;
mod sort;
mod warning;

use std::collections::BTreeMap;

use svc_core::money::{Amount, MoneyError};
use thiserror::Error;

pub use self::boxes::ComputedBox;
pub use self::manual::Manual;
pub use self::parties::PartyRow;
pub use self::previous::{Previous, PreviousReturn};
pub use self::result::{ResultKind, TaxResult};
pub use self::warning::{Outside, OutsideReason, Warning};
use crate::fact::{LedgerFact, Reference, TaxFact};
use crate::form::{Form, Origin, Unit};
use crate::model::Model;
use crate::period::TaxPeriod;
use crate::value::BoxValue;

/// What a return is computed from. Those of other dates and of other taxes may be among them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts<'a> {
    /// What documents mean for taxes.
    pub tax: &'a [TaxFact],
    /// Balances over the dates of [`Form::reads`].
    pub ledger: &'a [LedgerFact],
}

/// Why a return cannot be computed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ComputeError {
    /// The form is of other years, or has no such period.
    #[error("model {model} has no period {period} of {year} on this form")]
    Period {
        /// Of the form.
        model: Model,
        /// The period.
        period: crate::Period,
        /// Its year.
        year: i32,
    },
    /// A person says a box that the form does not have.
    #[error("there is no box {code}")]
    NoBox {
        /// The box.
        code: String,
    },
    /// A person says a box that is computed.
    #[error("box {code} is computed")]
    NotManual {
        /// The box.
        code: String,
    },
    /// A person says a box that the period does not have.
    #[error("box {code} is not of this period")]
    NotOfPeriod {
        /// The box.
        code: String,
    },
    /// A person says a box in another unit, in another currency or with more than two decimals.
    #[error("box {code} is {unit} with two decimals at most, in euros")]
    Unit {
        /// The box.
        code: String,
        /// What it counts in.
        unit: Unit,
    },
    /// A person says a value that the box cannot have.
    #[error("box {code} is from {min} to {max}")]
    OutOfRange {
        /// The box.
        code: String,
        /// The least value, or `any`.
        min: String,
        /// The greatest value, or `any`.
        max: String,
    },
    /// A figure is larger than any of a company.
    #[error("box {code} is out of range")]
    TooLarge {
        /// The box, or the row of a party.
        code: String,
    },
    /// A fact is in another currency.
    #[error("the fact {} is not in euros", reference.0)]
    Currency {
        /// Which.
        reference: Reference,
    },
}

impl ComputeError {
    pub(crate) fn range(code: &str) -> impl Fn(MoneyError) -> Self + use<> {
        let code = code.to_owned();
        move |_| Self::TooLarge { code: code.clone() }
    }
}

/// A computed return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Computed {
    /// The model.
    pub model: Model,
    /// The period.
    pub period: TaxPeriod,
    /// Every box, in the order of the form.
    pub boxes: Vec<ComputedBox>,
    /// What follows from it.
    pub result: TaxResult,
    /// The rows of a declaration of parties, by party, key and mark.
    pub parties: Vec<PartyRow>,
    /// Facts that the form is about and no box counts.
    pub outside: Vec<Outside>,
    /// What a person should know.
    pub warnings: Vec<Warning>,
}

impl Computed {
    /// A return that was computed before, as its caller kept it: boxes by their codes, without what they were computed from.
    /// Boxes that the form does not have are left out.
    #[must_use]
    pub fn kept<'a>(
        form: &Form,
        period: TaxPeriod,
        boxes: impl IntoIterator<Item = (&'a str, BoxValue, Origin)>,
        result: TaxResult,
        parties: Vec<PartyRow>,
    ) -> Self {
        let kept = |(code, value, origin)| Some(ComputedBox::kept(form.box_of(code)?, value, origin));
        Self {
            model: form.model(),
            period,
            boxes: boxes.into_iter().filter_map(kept).collect(),
            result,
            parties,
            outside: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// What a box holds; `None` when the form has no such box.
    #[must_use]
    pub fn value(&self, code: &str) -> Option<BoxValue> {
        self.boxes.iter().find(|one| one.code == code).map(|one| one.value)
    }

    /// The amount of a box; `None` when the form has no such box, or it is no amount.
    #[must_use]
    pub fn amount(&self, code: &str) -> Option<Amount> {
        self.value(code).and_then(BoxValue::amount)
    }

    /// The facts behind a box: those that it counts, and for a formula those of the boxes that it reads. Sorted, each
    /// once.
    #[must_use]
    pub fn sources(&self, code: &str) -> Vec<&Reference> {
        let boxes: BTreeMap<&str, &ComputedBox> =
            self.boxes.iter().map(|one| (one.code.as_str(), one)).collect();
        let mut sources = Vec::new();
        let mut waiting = vec![code];
        let mut seen = Vec::new();
        while let Some(next) = waiting.pop() {
            if seen.contains(&next) {
                continue;
            }
            seen.push(next);
            if let Some(one) = boxes.get(next) {
                sources.extend(&one.references);
                waiting.extend(one.reads.iter().map(String::as_str));
            }
        }
        sources.sort_unstable();
        sources.dedup();
        sources
    }
}

impl Form {
    /// Computes the return of a period.
    ///
    /// # Errors
    /// [`ComputeError`] names the box that a person said wrongly, or the fact that is not in euros.
    pub fn compute(
        &self,
        period: &TaxPeriod,
        facts: &Facts<'_>,
        manual: &Manual,
        previous: &Previous,
    ) -> Result<Computed, ComputeError> {
        if !self.is_for(period) {
            let (model, year) = (self.model(), period.year());
            return Err(ComputeError::Period { model, period: period.period(), year });
        }
        manual.judge(self, period)?;
        sort::in_euros(facts)?;
        let sorted = sort::sort(self, period, facts.tax);
        let grouped = parties::rows(self, period, &sorted.counted, previous)?;
        let mut outside = sorted.outside;
        outside.extend(grouped.outside);
        outside.sort_unstable();
        let boxes =
            boxes::compute(self, period, &sorted.counted, facts.ledger, &grouped.rows, manual, previous)?;
        let result = result::of(self, period, &boxes, manual);
        let mut warnings = warning::of_outside(&outside);
        warnings.extend(warning::of_rows(self, &grouped.rows));
        warnings.extend(grouped.warnings);
        warnings.extend(warning::of_previous(self, period, previous));
        Ok(Computed {
            model: self.model(),
            period: *period,
            boxes,
            result,
            parties: grouped.rows,
            outside,
            warnings,
        })
    }
}
