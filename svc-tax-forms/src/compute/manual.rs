//! What a person says.

use std::collections::BTreeMap;

use super::ComputeError;
use crate::form::{BoxDefinition, Form, Rule, Unit};
use crate::period::TaxPeriod;
use crate::value::BoxValue;

/// The boxes that a person says, and what becomes of a negative result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manual {
    boxes: BTreeMap<String, BoxValue>,
    refund: Option<bool>,
}

impl Manual {
    /// Nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With a box.
    #[must_use]
    pub fn with(mut self, code: impl Into<String>, value: BoxValue) -> Self {
        self.boxes.insert(code.into(), value);
        self
    }

    /// With a box, unless the person says it.
    #[must_use]
    pub fn unless_said(mut self, code: impl Into<String>, value: BoxValue) -> Self {
        self.boxes.entry(code.into()).or_insert(value);
        self
    }

    /// With a negative result refunded (`true`) or offset later (`false`), where the form lets the person choose. Without
    /// it the last period of the year is refunded and the others are offset; who is in the register of monthly refunds
    /// (RD 1624/1992 art. 30) says it each month.
    #[must_use]
    pub fn refund(mut self, refund: bool) -> Self {
        self.refund = Some(refund);
        self
    }

    pub(super) fn wants_refund(&self) -> Option<bool> {
        self.refund
    }

    pub(super) fn value(&self, code: &str) -> Option<i128> {
        self.boxes.get(code).and_then(|value| value.steps())
    }

    pub(super) fn judge(&self, form: &Form, period: &TaxPeriod) -> Result<(), ComputeError> {
        for (code, value) in &self.boxes {
            let Some(definition) = form.box_of(code) else {
                return Err(ComputeError::NoBox { code: code.clone() });
            };
            judge(definition, *value, period)?;
        }
        Ok(())
    }
}

fn judge(definition: &BoxDefinition, value: BoxValue, period: &TaxPeriod) -> Result<(), ComputeError> {
    let code = || definition.code.clone();
    let (min, max) = match &definition.from {
        Rule::Manual { min, max, .. } => (*min, *max),
        Rule::Facts { .. } | Rule::Ledger(_) | Rule::Rows(_) | Rule::Formula(_) if definition.editable => {
            (None, None)
        }
        Rule::Facts { .. } | Rule::Ledger(_) | Rule::Rows(_) | Rule::Formula(_) => {
            return Err(ComputeError::NotManual { code: code() });
        }
    };
    if !(definition.periods.is_empty() || definition.periods.contains(&period.period())) {
        return Err(ComputeError::NotOfPeriod { code: code() });
    }
    let steps = value.steps().filter(|_| value.unit() == definition.unit);
    let Some(steps) = steps else {
        return Err(ComputeError::Unit { code: code(), unit: definition.unit });
    };
    if min.is_some_and(|min| steps < min) || max.is_some_and(|max| steps > max) {
        let (min, max) = (shown(min, definition.unit), shown(max, definition.unit));
        return Err(ComputeError::OutOfRange { code: code(), min, max });
    }
    Ok(())
}

fn shown(bound: Option<i128>, unit: Unit) -> String {
    let value = bound.and_then(|steps| BoxValue::of_steps(steps, unit).ok());
    value.map_or_else(|| "any".to_owned(), |value| value.to_string())
}
