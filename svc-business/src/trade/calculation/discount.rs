//! The discount of a document, and the share of it that each line has.

use svc_core::error::ValidationErrors;
use svc_core::money::{Amount, MoneyError};

use super::share::{Part, apportion};
use super::{Document, LineFigures, beyond_range};
use crate::trade::Discount;

/// The wire name of what is wrong with it.
const FIELD: &str = "discount.value";

/// Gives each line its share of the discount; answers the discount.
pub(super) fn take(document: &Document, lines: &mut [LineFigures]) -> Result<Amount, ValidationErrors> {
    let sum = Amount::sum(lines.iter().map(|line| line.net), document.currency).map_err(beyond_range)?;
    let discount = match document.discount {
        None => Amount::zero(document.currency),
        Some(Discount::Percent(rate)) => rate.of(sum).map_err(beyond_range)?,
        Some(Discount::Amount(amount)) => within(amount, sum)?,
    };
    share(discount, sum, lines).map_err(beyond_range)?;
    Ok(discount)
}

/// A discount lessens: it has the sign of the sum of the lines, and is not more. What adds to a document is a line.
fn within(amount: Amount, sum: Amount) -> Result<Amount, ValidationErrors> {
    if amount.currency() != sum.currency() {
        let message = format!("must be in {}", sum.currency());
        return Err(ValidationErrors::one(FIELD, "invalid_currency", message));
    }
    let (least, most) = (sum.minor().min(0), sum.minor().max(0));
    if !(least..=most).contains(&amount.minor()) {
        let message = format!("must be between 0 and {sum}, the sum of the lines");
        return Err(ValidationErrors::one(FIELD, "out_of_range", message));
    }
    Ok(amount)
}

/// Lines share in proportion to net. A sum of zero leaves nothing to share.
fn share(discount: Amount, sum: Amount, lines: &mut [LineFigures]) -> Result<(), MoneyError> {
    if discount.minor() == 0 {
        return Ok(());
    }
    // Both have one sign, so the ratio stays as it is without.
    let (discount_size, sum_size) = (discount.minor().unsigned_abs(), sum.minor().unsigned_abs());
    let part = |line: &LineFigures| {
        let numerator = i128::from(line.net.minor()).checked_mul(discount_size.into());
        Ok(Part { numerator: numerator.ok_or(MoneyError::Range)?, standing: line.standing() })
    };
    let parts = lines.iter().map(part).collect::<Result<Vec<_>, MoneyError>>()?;
    let shares = apportion(discount, sum_size.into(), &parts)?;
    for (line, share) in lines.iter_mut().zip(shares) {
        line.document_discount_share = share;
    }
    Ok(())
}
