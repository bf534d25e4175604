//! Voiding an approved document.

use svc_core::refused::Refused;

use super::PurchaseRefused;
use super::bookkeeping::{self, own};
use crate::books::asset::{self, AssetStatus, FixedAsset};
use crate::catalogue::event;
use crate::purchases::document::SupplierDocument;
use crate::purchases::input::VoidRequest;
use crate::record::Opened;

/// Voids a document that was opened [alone](crate::record::alone): its number stays used, its entry is reversed, and
/// drafts of fixed assets that it became go away. Emits `supplier_document.update`, and what the reversal emits.
///
/// # Errors
/// [`Refused`] with [`PurchaseRefused`]; nothing was changed.
pub async fn void(
    opened: Opened<'_, SupplierDocument>,
    request: &VoidRequest,
) -> Result<SupplierDocument, Refused<PurchaseRefused>> {
    let (home, before) = (&opened.home, &opened.before);
    let books = bookkeeping::open(home).await?;
    let voided = before.clone().void(&request.reason, home.call.now, &books.book.locks);
    let voided = voided.map_err(|refused| Refused::Own(refused.into()))?;
    let approval = before.approval_data();
    let made = approval.map(|approval| approval.assets.clone()).unwrap_or_default();
    let found: Vec<FixedAsset> = home.unit.fixed_assets().find_all(home.call.scope, &made).await?;
    if found.iter().any(|asset| asset.status != AssetStatus::Draft) {
        return Err(Refused::Own(PurchaseRefused::AssetInUse));
    }
    // Told first: what becomes of its entry and its assets comes of it.
    home.publish(const { event("supplier_document.update") }, &voided, None).await?;
    for before in found {
        let erased = asset::delete(Opened { home: home.within(books.home.unit), before }).await;
        erased.map_err(|refused| refused.map(PurchaseRefused::Asset))?;
    }
    let entry = approval.and_then(|approval| approval.journal_entry);
    books.undo(books.find(entry).await?).await.map_err(own)?;
    Ok(opened.replace(voided).await?)
}
