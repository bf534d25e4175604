//! What a customer says to a quote.

use svc_core::refused::Refused;

use super::SalesRefused;
use crate::record::Opened;
use crate::sales::document::SalesDocument;
use crate::sales::history::{HistoryKind, note};

/// Notes that the customer accepts a quote. Emits invoice.update.
///
/// # Errors
/// [`Refused`] with [`SalesRefused::Quote`]; nothing was changed.
pub async fn accept(opened: Opened<'_, SalesDocument>) -> Result<SalesDocument, Refused<SalesRefused>> {
    let accepted = opened.before.clone().accept().map_err(|refused| Refused::Own(refused.into()))?;
    keep(&opened, accepted, HistoryKind::Accepted).await
}

/// Notes that the customer rejects a quote. Emits invoice.update.
///
/// # Errors
/// [`Refused`] with [`SalesRefused::Quote`]; nothing was changed.
pub async fn reject(opened: Opened<'_, SalesDocument>) -> Result<SalesDocument, Refused<SalesRefused>> {
    let rejected = opened.before.clone().reject().map_err(|refused| Refused::Own(refused.into()))?;
    keep(&opened, rejected, HistoryKind::Rejected).await
}

/// Notes that the customer let a quote expire, of which nothing was made. Emits invoice.update.
///
/// # Errors
/// [`Refused`] with [`SalesRefused::Quote`]; nothing was changed.
pub async fn expire(opened: Opened<'_, SalesDocument>) -> Result<SalesDocument, Refused<SalesRefused>> {
    let today = opened.home.company.local_date(opened.home.call.now);
    let is_used = !opened.home.unit.sales().derived(&opened.before, 1).await?.is_empty();
    let expired = opened.before.clone().expire(today, is_used);
    keep(&opened, expired.map_err(|refused| Refused::Own(refused.into()))?, HistoryKind::Expired).await
}

async fn keep(
    opened: &Opened<'_, SalesDocument>,
    after: SalesDocument,
    kind: HistoryKind,
) -> Result<SalesDocument, Refused<SalesRefused>> {
    let after = opened.save(after).await?;
    note(&opened.home, &after, kind, None).await?;
    Ok(after)
}
