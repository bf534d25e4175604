//! The figures of a document that need not have lines yet.

use svc_core::error::ValidationErrors;
use svc_core::money::Amount;

use super::{Calculation, Document, Totals, calculate};
use crate::trade::Discount;

/// The figures of a draft: those of [`calculate`], and zero everywhere while there are no lines.
///
/// # Errors
/// Those of [`calculate`] but `required` on `lines`; `out_of_range` on `discount.value` of an amount that is taken off
/// no lines.
pub fn draft(document: &Document) -> Result<Calculation, ValidationErrors> {
    if !document.lines.is_empty() {
        return calculate(document);
    }
    let zero = Amount::zero(document.currency);
    let nothing = match document.discount {
        None | Some(Discount::Percent(_)) => true,
        Some(Discount::Amount(amount)) => amount == zero,
    };
    if !nothing {
        let message = "there are no lines to take it off";
        return Err(ValidationErrors::one("discount.value", "out_of_range", message));
    }
    let totals = Totals {
        lines: zero,
        discount: zero,
        taxable: zero,
        tax: zero,
        total: zero,
        withholding: zero,
        payable: zero,
    };
    Ok(Calculation {
        currency: document.currency,
        prices_include_tax: document.prices_include_tax,
        lines: Vec::new(),
        taxes: Vec::new(),
        withholdings: Vec::new(),
        totals,
    })
}
