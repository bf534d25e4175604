//! Opening a year again whose result may have been declared.

use svc_core::refused::Refused;
use svc_tax_forms::Model;

use crate::books::fiscal_year::{self, ClosingRefused, FiscalYear, ReopenRefused};
use crate::ports::DynTaxUnit;
use crate::record::Opened;

/// How many returns of the corporate tax of one year are looked at: the ordinary one and what corrects it.
const MOST_RETURNS: u32 = 100;

/// Opens a closed year that was opened [alone](crate::record::alone) again, unless its corporate tax return was submitted
/// (`docs/books.md`): the entries that closed it are reversed. Emits `journal_entry.create` and
/// `journal_entry.post` for each reversal and `journal_entry.update` for what it reverses.
///
/// # Errors
/// [`Refused`] with [`ClosingRefused`]; nothing was changed.
pub async fn reopen_year(
    unit: &DynTaxUnit,
    year: Opened<'_, FiscalYear>,
) -> Result<FiscalYear, Refused<ClosingRefused>> {
    let (company, span) = (year.before.company, year.before.span);
    let days = (span.start(), span.end());
    let returns = unit.tax_returns().ending(company, &[Model::M200], days, MOST_RETURNS).await?;
    if !year.before.is_open() && returns.iter().any(|one| one.status.is_filed()) {
        return Err(Refused::Own(ReopenRefused::ReturnSubmitted.into()));
    }
    fiscal_year::reopen(year).await
}
