//! Lines of a document.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use svc_core::id::SalesLineId;
use thiserror::Error;

use crate::books::account::AccountCode;
use crate::trade::calculation;
use crate::trade::{ExemptionCode, Quantity, Rate, TaxCode, UnitPrice};

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

/// What kind of thing is sold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ItemType {
    /// `service`
    #[default]
    Service,
    /// `good`
    Good,
}

svc_core::wire_names!(ItemType { Service = "service", Good = "good" });

/// A unit of measure: a code of UN/ECE recommendation 20, two or three capital letters and digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UnitCode {
    /// A zero byte after a code of two.
    code: [u8; 3],
}

/// Not the form of a unit of measure.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("expected a code of UN/ECE recommendation 20 such as C62, HUR or KGM")]
pub struct InvalidUnit;

impl Default for UnitCode {
    /// `C62`: one.
    fn default() -> Self {
        Self { code: *b"C62" }
    }
}

impl FromStr for UnitCode {
    type Err = InvalidUnit;

    fn from_str(text: &str) -> Result<Self, InvalidUnit> {
        let plain = text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        match text.as_bytes() {
            [first, second] if plain => Ok(Self { code: [*first, *second, 0] }),
            [first, second, third] if plain => Ok(Self { code: [*first, *second, *third] }),
            _ => Err(InvalidUnit),
        }
    }
}

impl fmt::Display for UnitCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = std::str::from_utf8(&self.code).map_err(|_| fmt::Error)?;
        f.write_str(code.trim_end_matches('\0'))
    }
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
