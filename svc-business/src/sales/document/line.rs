//! Lines of a document.

use std::collections::BTreeMap;

use svc_core::id::SalesLineId;

use crate::books::account::AccountCode;
use crate::trade::calculation;
use crate::trade::{ExemptionCode, ItemType, Quantity, Rate, TaxCode, UnitCode, UnitPrice};

/// What is sold; its figures are those of the same place in [`Content::figures`](super::Content::figures).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its id, which it keeps when the lines are written anew.
    pub id: SalesLineId,
    /// What is sold, 1 to 1,000 characters.
    pub description: String,
    /// How much; not zero.
    pub quantity: Quantity,
    /// What the quantity counts.
    pub unit: UnitCode,
    /// The price of one, in the currency of the document.
    pub unit_price: UnitPrice,
    /// What is taken off this line, or zero.
    pub discount_percent: Rate,
    /// The tax, as it is on the day on which it falls due.
    pub tax: &'static TaxCode,
    /// Why no tax is charged, where the tax wants a reason.
    pub exemption: Option<ExemptionCode>,
    /// What the customer keeps back (IRPF), up to 47 %; zero for nothing.
    pub withholding_rate: Rate,
    /// The account of the sale; one by `item_type` when it names none.
    pub account: Option<AccountCode>,
    /// What kind of thing is sold.
    pub item_type: ItemType,
    /// What the company sorts it by: `project`, `costCentre`.
    pub tags: BTreeMap<String, String>,
}

impl Line {
    /// What is computed of it.
    pub(super) fn computed(&self) -> calculation::Line {
        calculation::Line {
            quantity: self.quantity,
            unit_price: self.unit_price,
            discount_percent: self.discount_percent,
            tax: self.tax,
            withholding_rate: self.withholding_rate,
        }
    }

    /// The line that takes this one back.
    pub(super) fn negated(&self, id: SalesLineId) -> Self {
        Self { id, quantity: self.quantity.negated(), ..self.clone() }
    }
}
