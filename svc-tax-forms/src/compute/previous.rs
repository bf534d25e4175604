//! Returns that were made before.

use std::collections::BTreeMap;

use svc_core::money::Amount;

use super::{Computed, PartyRow, ResultKind, TaxResult};
use crate::model::Model;
use crate::period::TaxPeriod;

/// A return that was made before, as the caller kept it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviousReturn {
    /// The model.
    pub model: Model,
    /// The period.
    pub period: TaxPeriod,
    /// What followed from it.
    pub result: TaxResult,
    /// The amounts of its boxes.
    pub boxes: BTreeMap<String, Amount>,
    /// Its rows, for a declaration of parties.
    pub parties: Vec<PartyRow>,
}

impl PreviousReturn {
    /// What a computed return is for later ones.
    #[must_use]
    pub fn of(computed: &Computed) -> Self {
        let boxes = computed.boxes.iter().filter_map(|one| Some((one.code.clone(), one.value.amount()?)));
        Self {
            model: computed.model,
            period: computed.period,
            result: computed.result,
            boxes: boxes.collect(),
            parties: computed.parties.clone(),
        }
    }
}

/// Returns that were made before: of the same model for what is carried over, and those that 390 summarises.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Previous {
    returns: Vec<PreviousReturn>,
}

impl Previous {
    /// Those, in any order. Of one model and period the last one counts.
    #[must_use]
    pub fn new(returns: impl IntoIterator<Item = PreviousReturn>) -> Self {
        let mut latest = BTreeMap::new();
        for one in returns {
            latest.insert((one.model, one.period), one);
        }
        Self { returns: latest.into_values().collect() }
    }

    pub(super) fn has_before(&self, model: Model, period: &TaxPeriod) -> bool {
        self.of(model).any(|one| one.period.to() < period.from())
    }

    /// Of a model, by the end of their periods.
    pub(super) fn of(&self, model: Model) -> impl DoubleEndedIterator<Item = &PreviousReturn> {
        self.returns.iter().filter(move |one| one.model == model)
    }

    pub(super) fn preceding(&self, model: Model, period: &TaxPeriod) -> Option<&PreviousReturn> {
        self.of(model).rfind(|one| one.period.to().next_day() == Some(period.from()))
    }

    /// Those of the same year that ended before the period did, the period itself left out when it is of this model.
    pub(super) fn of_year(&self, model: Model, own: Model, period: &TaxPeriod) -> Vec<&PreviousReturn> {
        let earlier = |one: &&PreviousReturn| {
            let before =
                if model == own { one.period.to() < period.from() } else { one.period.to() <= period.to() };
            one.period.year() == period.year() && before
        };
        self.of(model).filter(earlier).collect()
    }
}

impl PreviousReturn {
    pub(super) fn cents(&self, code: &str) -> i128 {
        self.boxes.get(code).map_or(0, |amount| i128::from(amount.minor()))
    }

    pub(super) fn is_of(&self, results: &[ResultKind]) -> bool {
        results.is_empty() || results.contains(&self.result.kind)
    }
}
