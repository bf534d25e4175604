//! What of a tax return's period is not booked yet.

use svc_core::error::StoreError;

use crate::books::fiscal_year::Span;
use crate::ports::DynTreasuryUnit;
use crate::tax::returns::{TaxReturn, Waiting};

/// What a return cannot count yet: the supplier documents that wait for approval and are to be booked in its period, and the
/// pending movements of bank accounts of that period.
///
/// # Errors
/// When the store failed.
pub async fn waiting(unit: &DynTreasuryUnit, of: &TaxReturn) -> Result<Waiting, StoreError> {
    let span = Span::new(of.period.from(), of.period.to()).map_err(StoreError::backend)?;
    let documents = unit.supplier_documents().received_in(of.company, span).await?;
    let movements = unit.bank_movements().pending_in(of.company, span).await?;
    Ok(Waiting { documents, movements })
}
