//! Quotas of a supplier that rounds otherwise.

use std::collections::BTreeSet;

use svc_core::error::{ValidationErrors, Validator};
use svc_core::money::{Amount, MoneyError};

use super::{Basis, Calculation, TaxFigures, beyond_range};
use crate::trade::Rate;

/// Minor units that a quota may differ by in any document; in a long one, a unit for each line.
const LEAST_TOLERANCE: u64 = 5;

/// The quota that a received document states for one of its taxes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaxAdjustment {
    /// The code of the tax.
    pub tax_code: String,
    /// The quota as the document has it.
    pub quota: Amount,
}

impl Calculation {
    /// The figures with the quotas that the document itself states.
    ///
    /// Who rounds the tax of each line, and not that of their sum, comes to another quota. It may be 5 minor units
    /// away from the computed one, or as many as there are lines (for the euro max(0.05, 0.01 × lines)). The totals
    /// follow. Where prices include tax, the base takes the difference instead, for what is paid is fixed.
    ///
    /// # Errors
    /// Every adjustment that breaks a rule: `taxAdjustments[0].taxCode` (`unknown_reference`, the document has not
    /// exactly one tax of this code; `duplicate`; `not_allowed`, it charges none), or `taxAdjustments[0].quota`
    /// (`invalid_currency`; `out_of_range`, too far from the computed one).
    pub fn adjusted(self, adjustments: &[TaxAdjustment]) -> Result<Self, ValidationErrors> {
        let lines = u64::try_from(self.lines.len()).unwrap_or(u64::MAX);
        let tolerance = lines.max(LEAST_TOLERANCE);
        let mut validator = Validator::new();
        let mut taxes = self.taxes;
        let mut seen = BTreeSet::new();
        for (at, adjustment) in adjustments.iter().enumerate() {
            let field = format!("taxAdjustments[{at}]");
            let code = format!("{field}.taxCode");
            let new = seen.insert(&adjustment.tax_code);
            if !validator.require(new, &code, "duplicate", "the tax is there twice") {
                continue;
            }
            let mut named = taxes.iter_mut().filter(|tax| tax.tax.code == adjustment.tax_code);
            if let (Some(tax), None) = (named.next(), named.next()) {
                if adjustment.fits(&mut validator, &field, tax, tolerance) {
                    tax.state(adjustment.quota, self.prices_include_tax).map_err(beyond_range)?;
                }
            } else {
                let message = "the document has not exactly one tax of this code";
                validator.fail(code, "unknown_reference", message);
            }
        }
        validator.finish()?;
        let basis = Basis {
            currency: self.currency,
            prices_include_tax: self.prices_include_tax,
            lines: self.lines,
            discount: self.totals.discount,
            taxes,
        };
        basis.finish().map_err(beyond_range)
    }
}

impl TaxAdjustment {
    fn fits(&self, validator: &mut Validator, field: &str, tax: &TaxFigures, tolerance: u64) -> bool {
        let charged = tax.tax.charged_rate() > Rate::ZERO;
        let code = format!("{field}.taxCode");
        let quota = format!("{field}.quota");
        let currency = tax.quota.currency();
        let near = self.quota.minor().abs_diff(tax.quota.minor()) <= tolerance;
        let far = || format!("must be at most {tolerance} minor units away from {}", tax.quota);
        validator.require(charged, &code, "not_allowed", "the document charges no tax of this code")
            && validator.require(
                self.quota.currency() == currency,
                &quota,
                "invalid_currency",
                format!("must be in {currency}"),
            )
            && validator.require(near, &quota, "out_of_range", far())
    }
}

impl TaxFigures {
    /// Takes over the quota that the document states.
    fn state(&mut self, quota: Amount, prices_include_tax: bool) -> Result<(), MoneyError> {
        if prices_include_tax {
            self.base = self.base.plus(self.quota)?.minus(quota)?;
        }
        self.quota = quota;
        Ok(())
    }
}
