//! Lines of a document.

use std::collections::BTreeMap;

use svc_core::id::SupplierLineId;

use crate::books::account::AccountCode;
use crate::books::asset::class::AssetClass;
use crate::trade::calculation;
use crate::trade::{ItemType, Quantity, Rate, TaxCode, UnitCode, UnitPrice};

/// What is bought; its figures are those of the same place in [`Content::figures`](super::Content::figures).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its id, which it keeps when the lines are written anew.
    pub id: SupplierLineId,
    /// What is bought, 1 to 1,000 characters.
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
    /// How much of the tax can be deducted; the pro-rata of the company when it does not say.
    pub deductible_percent: Option<Rate>,
    /// What the company withholds (IRPF), up to 47 %; zero for nothing.
    pub withholding_rate: Rate,
    /// The account of the cost, of group 6 or 2; one by `asset_class` or else `item_type` when it names none.
    pub account: Option<AccountCode>,
    /// What kind of thing is bought.
    pub item_type: ItemType,
    /// The class of the fixed asset that it becomes, if it is one.
    pub asset_class: Option<AssetClass>,
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
}
