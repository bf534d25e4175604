//! The cents by which two sides differ after each line was converted.

use svc_core::money::{Amount, MoneyError};

use super::effect::{Part, Role};
use crate::sales::document::SalesDocument;

/// Puts the difference on the largest line of sales, which stand on the side of VAT; on the customer where the document
/// has none.
pub(super) fn settle(document: &SalesDocument, parts: &mut [Part]) -> Result<(), MoneyError> {
    let sum = Amount::sum(parts.iter().map(|part| part.base), document.base_currency)?;
    if sum.minor() == 0 {
        return Ok(());
    }
    let size = |part: &Part| part.base.minor().unsigned_abs();
    let sold = parts.iter().filter(|part| part.role == Role::Sale).map(size).max().unwrap_or(0);
    let largest = parts.iter_mut().find(|part| match part.role {
        Role::Sale => sold > 0 && size(part) == sold,
        Role::Customer => sold == 0,
        Role::Withholding | Role::Vat | Role::Money => false,
    });
    if let Some(part) = largest {
        part.base = part.base.minus(sum)?;
    }
    Ok(())
}
