//! Voiding an issued document.

use svc_core::id::TypedId as _;
use svc_core::refused::Refused;
use svc_core::resource::Lock;

use super::SalesRefused;
use super::bookkeeping::{self, own};
use super::issue::CHAIN;
use super::reference::{find_originals, lock};
use crate::catalogue::event;
use crate::record::{Opened, replace};
use crate::sales::document::{SalesDocument, Status, Void};
use crate::sales::history::{HistoryKind, note};
use crate::sales::input::VoidRequest;
use crate::sales::verifactu::{Compliance, annulment};

/// Voids a document that was opened [alone](crate::record::alone): its number stays used, its entry is reversed, the
/// tax office has a record of it, and what it put right is as it was before. Emits invoice.void, invoice.update for each
/// document that it had put right, and what the reversal emits.
///
/// # Errors
/// [`Refused`] with [`SalesRefused`]; nothing was changed.
pub async fn void(
    opened: Opened<'_, SalesDocument>,
    request: &VoidRequest,
) -> Result<SalesDocument, Refused<SalesRefused>> {
    let (home, before) = (&opened.home, &opened.before);
    let ids = before.kind.rectification().map(|one| one.originals.clone()).unwrap_or_default();
    let mut records: Vec<_> = ids.iter().map(|id| (id.uuid(), Lock::Exclusive)).collect();
    records.push(CHAIN);
    lock(home, &records).await?;
    let books = bookkeeping::open(home).await?;
    let voided = before.clone().void(&request.reason, home.call.now, &books.book.locks);
    let mut voided = voided.map_err(|refused| Refused::Own(refused.into()))?;
    if let (Some(subject), Status::Voided { void, .. }) = (annulment(before), &mut voided.status) {
        let head = home.unit.sales().chain_head(home.company.id).await?;
        let compliance = Compliance::chained(subject, head, home.company.local_time(home.call.now));
        *void = Void { compliance: Some(compliance), ..void.clone() };
    }
    let reason = match &voided.status {
        Status::Voided { void, .. } => Some(void.reason.clone()),
        Status::Draft { .. } | Status::Issued { .. } => None,
    };
    let voided = opened.replace(voided).await?;
    home.publish(const { event("invoice.void") }, &voided, None).await?;
    note(home, &voided, HistoryKind::Voided, reason).await?;
    let number = voided.issue_data().map(|issue| issue.number.to_string());
    for original in find_originals(home, &ids).await? {
        let released = original.clone().release(voided.id);
        let released = released.map_err(|refused| Refused::Own(SalesRefused::from(refused)))?;
        let released = replace(home.unit, home.call, &original, released).await?;
        home.publish(const { event("invoice.update") }, &released, None).await?;
        note(home, &released, HistoryKind::RectificationRemoved, number.clone()).await?;
    }
    let entry = before.issue_data().and_then(|issue| issue.journal_entry);
    books.undo(books.find(entry).await?).await.map_err(own)?;
    Ok(voided)
}
