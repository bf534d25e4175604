//! Currencies, rates of exchange and discounts from a client's input.

use svc_core::error::Validator;
use svc_core::money::Currency;
use svc_core::patch::Patch;

use crate::books::entry::FxRate;
use crate::sales::document::{Plan, SalesDocument};
use crate::sales::input::DiscountInput;
use crate::trade::{Discount, DiscountType};

/// The currency after the patch; `None` after a finding.
pub(super) fn currency(
    validator: &mut Validator,
    patch: &Patch<String>,
    base: &SalesDocument,
) -> Option<Currency> {
    match patch {
        Patch::Absent => Some(base.content.currency()),
        Patch::Null => Some(base.base_currency),
        Patch::Value(code) => validator.take("currency", "invalid_currency", code.parse()),
    }
}

/// The rate of the plan after the patch. There is none to say between a currency and itself.
pub(super) fn fx_rate(
    validator: &mut Validator,
    patch: &Patch<String>,
    plan: &mut Plan,
    (currency, base): (Option<Currency>, Currency),
) {
    match patch {
        Patch::Absent => {}
        Patch::Null => plan.fx_rate = None,
        Patch::Value(text) => {
            plan.fx_rate = validator.take("fxRate", "invalid_rate", text.parse()).or(plan.fx_rate);
        }
    }
    if currency == Some(base) {
        let one = plan.fx_rate.is_none_or(|rate| rate == FxRate::ONE) || patch.is_absent();
        let message = format!("is 1 between {base} and itself");
        validator.require(one, "fxRate", "out_of_range", message);
        plan.fx_rate = None;
    }
}

/// The discount after the patch; the outer one is missing after a finding.
#[expect(clippy::option_option, reason = "a discount may be missing, and may be wrong")]
pub(super) fn discount(
    validator: &mut Validator,
    patch: &Patch<DiscountInput>,
    present: Option<Discount>,
    currency: Currency,
) -> Option<Option<Discount>> {
    match patch {
        Patch::Null => Some(None),
        Patch::Absent => Some(present),
        Patch::Value(input) => {
            let code = match input.r#type {
                DiscountType::Percent => "out_of_range",
                DiscountType::Amount => "invalid_amount",
            };
            let read = Discount::parse(input.r#type, &input.value, currency);
            validator.take("discount.value", code, read).map(Some)
        }
    }
}
