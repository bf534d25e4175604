//! What terms a plan can be made of.

use svc_core::error::Validator;
use svc_core::money::Amount;

use super::Terms;
use crate::books::asset::class::AssetClass;

impl Terms {
    /// Judges the amounts, and the method for an asset of this class.
    ///
    /// Findings are `out_of_range` and `not_allowed` on `cost`, `residualValue`, `openingAccumulated` and `method`.
    pub fn judge(&self, validator: &mut Validator, class: AssetClass) {
        let Self { cost, residual, opening_accumulated: opening, .. } = *self;
        validator.require(cost.minor() > 0, "cost", "out_of_range", "must be more than zero");
        let within = |amount: Amount, most: Amount| (0..=most.minor()).contains(&amount.minor());
        let message = "must be from zero to the cost";
        if validator.require(within(residual, cost), "residualValue", "out_of_range", message) {
            let message = "must be from zero to the cost without the residual value";
            let holds = self.depreciable().is_ok_and(|whole| within(opening, whole));
            validator.require(holds, "openingAccumulated", "out_of_range", message);
        }
        if let Some(schedule) = self.schedule {
            let message = format!("an asset of the class {class} cannot lose value in this way");
            validator.require(class.allows(schedule.pattern.method()), "method", "not_allowed", message);
        }
    }
}
