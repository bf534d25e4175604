//! Currencies, rates of exchange and discounts from a client's input.

use svc_core::error::Validator;
use svc_core::money::Currency;
use svc_core::patch::Patch;
use svc_core::wire::Form;
use svc_core::wire_request;

use crate::books::entry::FxRate;
use crate::trade::{Discount, DiscountType};

wire_request! {
    /// What is taken off a whole document.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct DiscountInput as "DiscountInput" {
        /// How it is given.
        pub r#type: DiscountType => Form::ANY.example("percent"),
        /// A percentage, or an amount in the currency of the document.
        pub value: String => Form::text(1, 20).example("5"),
    }
}

/// The currency after the patch, by the present one and that of the books; `None` after a finding.
pub(crate) fn currency(
    validator: &mut Validator,
    patch: &Patch<String>,
    (present, base): (Currency, Currency),
) -> Option<Currency> {
    match patch {
        Patch::Absent => Some(present),
        Patch::Null => Some(base),
        Patch::Value(code) => validator.take("currency", "invalid_currency", code.parse()),
    }
}

/// The rate after the patch, between the currency of the document and that of the books. There is none to say between a currency and itself.
pub(crate) fn fx_rate(
    validator: &mut Validator,
    patch: &Patch<String>,
    rate: &mut Option<FxRate>,
    (currency, base): (Option<Currency>, Currency),
) {
    match patch {
        Patch::Absent => {}
        Patch::Null => *rate = None,
        Patch::Value(text) => {
            *rate = validator.take("fxRate", "invalid_rate", text.parse()).or(*rate);
        }
    }
    if currency == Some(base) {
        let one = rate.is_none_or(|rate| rate == FxRate::ONE) || patch.is_absent();
        let message = format!("is 1 between {base} and itself");
        validator.require(one, "fxRate", "out_of_range", message);
        *rate = None;
    }
}

/// The discount after the patch; the outer one is missing after a finding.
#[expect(clippy::option_option, reason = "a discount may be missing, and may be wrong")]
pub(crate) fn discount(
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
