//! By differences: what is added to each original, or taken off it.

use svc_core::money::{Amount, MoneyError};

use super::{RectifyRefused, Settled};
use crate::sales::document::{Action, Effect, Issue, RectifiedBy, SalesDocument, TaxBase};

/// For each tax, each original takes as much of the base as leaves it between zero and its own base.
pub(super) fn settle(
    draft: &SalesDocument,
    originals: Vec<SalesDocument>,
) -> Result<Settled, RectifyRefused> {
    let mut shares: Vec<Vec<TaxBase>> = originals.iter().map(|_| Vec::new()).collect();
    for tax in &draft.content.figures().taxes {
        let mut left = tax.base;
        for (original, bases) in originals.iter().zip(&mut shares) {
            let base = within(original, tax.tax.code, left)?;
            if base.minor() != 0 {
                left = left.minus(base)?;
                bases.push(TaxBase { tax_code: tax.tax.code.to_owned(), base });
            }
        }
        if left.minor() != 0 {
            let document = if let [only] = &originals[..] { Some(only.id) } else { None };
            return Err(RectifyRefused::Over { document, tax_code: Some(tax.tax.code.to_owned()) });
        }
    }
    let originals = originals.into_iter().zip(shares).map(|(original, bases)| {
        let issue = original.issued(Action::Rectify)?.clone();
        let by = RectifiedBy { document: draft.id, effect: Effect::Differences { bases } };
        let rectifications = issue.rectifications.into_iter().chain([by]).collect();
        Ok(original.with_issue(Issue { rectifications, ..issue }))
    });
    let originals = originals.collect::<Result<_, RectifyRefused>>()?;
    Ok(Settled { originals, replaced: None, payment: None })
}

/// As much of `wanted` as the original can take.
fn within(original: &SalesDocument, tax_code: &str, wanted: Amount) -> Result<Amount, MoneyError> {
    let remaining = original.remaining_base(tax_code)?;
    let [least, most] = bounds(original, tax_code)?;
    let (least, most) = (least.minus(remaining)?, most.minus(remaining)?);
    Ok(if wanted.minor() < least.minor() {
        least
    } else if wanted.minor() > most.minor() {
        most
    } else {
        wanted
    })
}

/// Zero and the base of the tax, the smaller one first.
fn bounds(original: &SalesDocument, tax_code: &str) -> Result<[Amount; 2], MoneyError> {
    let currency = original.content.currency();
    let taxes = original.content.figures().taxes.iter().filter(|tax| tax.tax.code == tax_code);
    let (zero, base) = (Amount::zero(currency), Amount::sum(taxes.map(|tax| tax.base), currency)?);
    Ok(if base.minor() < 0 { [base, zero] } else { [zero, base] })
}

/// Whether every tax of a document stays between zero and its base.
pub(super) fn holds(original: &SalesDocument) -> Result<bool, MoneyError> {
    for tax in &original.content.figures().taxes {
        let remaining = original.remaining_base(tax.tax.code)?.minor();
        let [least, most] = bounds(original, tax.tax.code)?;
        if !(least.minor()..=most.minor()).contains(&remaining) {
            return Ok(false);
        }
    }
    Ok(true)
}
