//! Judging a document that came in.

use svc_core::error::StoreError;
use svc_core::id::FixedAssetId;
use svc_core::refused::Refused;
use svc_core::resource::Lock;
use uuid::Uuid;

use super::PurchaseRefused;
use super::bookkeeping::{self, own};
use super::reference::{ids, judge_duplicate, lock, supplier};
use crate::books::asset;
use crate::books::book::Mode;
use crate::books::bookkeeping::Books;
use crate::catalogue::event;
use crate::ports::DynPurchaseUnit;
use crate::purchases::approve::{ApproveSetting, Approved};
use crate::purchases::assets::drafts;
use crate::purchases::document::{Action, Approval, Status, SupplierDocument};
use crate::purchases::input::{ApproveRequest, RejectRequest};
use crate::purchases::journal::approval_entry;
use crate::purchases::rules::read_approve;
use crate::record::{Home, Opened};
use crate::trade::Rate;

/// All of the tax can be deducted, where a line does not say.
const WHOLE: Rate = Rate::tenths(1_000);

/// Approves a document that was opened [alone](crate::record::alone): it gets the next number of the book of received
/// documents and its entry in the journal, and lines with an asset class become drafts of fixed assets. Emits
/// `supplier_document.update`, and what its entry and its assets emit.
///
/// # Errors
/// [`Refused`] with [`PurchaseRefused`]; nothing was changed, and no number was used.
pub async fn approve(
    opened: Opened<'_, SupplierDocument>,
    request: &ApproveRequest,
) -> Result<SupplierDocument, Refused<PurchaseRefused>> {
    let (home, document) = (&opened.home, opened.before.clone());
    document.plan(Action::Approve).map_err(|wrong| Refused::Own(wrong.into()))?;
    let document = document.counted_in(home.company.base_currency);
    let terms = read_approve(request)?;
    let year = document.booked_on(terms).year();
    lock(home, &[register(year)]).await?;
    let books = bookkeeping::open(home).await?;
    let found = supplier(home, document.supplier).await?;
    let setting = ApproveSetting {
        today: home.company.local_date(home.call.now),
        ids: ids(home),
        supplier: found.as_ref().map(|(supplier, contact)| (supplier, contact)),
        home: home.company.country,
        pro_rata: pro_rata(home).await?,
        register: home.unit.supplier_documents().register(home.company.id, year).await?,
        locks: &books.book.locks,
    };
    let approved = document.approve(terms, &setting).map_err(|refused| Refused::Own(refused.into()))?;
    let Approved { document, register } = approved;
    let mode = books.book.automation.purchases;
    let contact = found.as_ref().map(|(_, contact)| contact);
    let entry = match mode {
        Mode::Off => None,
        Mode::Draft | Mode::Post => {
            let entry = approval_entry(&document, &bookkeeping::setting(&books, contact, ids(home)));
            entry.map_err(|refused| Refused::Own(PurchaseRefused::from(refused)))?
        }
    };
    // Told first: its entry and its assets come of it.
    home.publish(const { event("supplier_document.update") }, &document, None).await?;
    let journal_entry = books.write(mode, entry).await.map_err(own)?;
    let assets = assets_of(&books, &document).await?;
    let document = with_approval(document, |approval| Approval { journal_entry, assets, ..approval });
    home.unit.supplier_documents().set_register(register).await?;
    Ok(opened.replace(document).await?)
}

/// What part of its input tax the company may deduct, as its tax profile says.
async fn pro_rata(home: &Home<'_, DynPurchaseUnit>) -> Result<Rate, StoreError> {
    let profile = home.unit.tax_profiles().of_company(home.company.id).await?;
    let percent = profile.and_then(|profile| profile.pro_rata);
    Ok(percent.map_or(WHOLE, |percent| Rate::tenths(percent.saturating_mul(10))))
}

/// What stands for the book of a year, when it is locked.
fn register(year: i32) -> (Uuid, Lock) {
    const BOOK: u128 = 0x5075_7263_6861_7365_0000;
    (Uuid::from_u128(BOOK.wrapping_add(u128::from(year.unsigned_abs()))), Lock::Exclusive)
}

/// Makes the drafts of assets that lines become.
async fn assets_of(
    books: &Books<'_>,
    document: &SupplierDocument,
) -> Result<Vec<FixedAssetId>, Refused<PurchaseRefused>> {
    let drafts = drafts(document).map_err(|refused| Refused::Own(PurchaseRefused::from(refused)))?;
    let mut made = Vec::with_capacity(drafts.len());
    for (_, input) in drafts {
        let created = asset::create(&books.home, input).await;
        made.push(created.map_err(|refused| refused.map(PurchaseRefused::Asset))?.id);
    }
    Ok(made)
}

fn with_approval(document: SupplierDocument, change: impl FnOnce(Approval) -> Approval) -> SupplierDocument {
    let status = match document.status {
        Status::Approved { approval } => Status::Approved { approval: Box::new(change(*approval)) },
        other @ (Status::Received { .. } | Status::Rejected { .. } | Status::Voided { .. }) => other,
    };
    SupplierDocument { status, ..document }
}

/// Rejects a document: it does not count. Emits `supplier_document.update`.
///
/// # Errors
/// [`Refused`] with [`PurchaseRefused::Reject`]; nothing was changed.
pub async fn reject(
    opened: Opened<'_, SupplierDocument>,
    request: &RejectRequest,
) -> Result<SupplierDocument, Refused<PurchaseRefused>> {
    let rejected = opened.before.clone().reject(&request.reason, opened.home.call.now);
    opened.save(rejected.map_err(|refused| Refused::Own(refused.into()))?).await
}

/// Takes a rejected document up again. Emits `supplier_document.update`.
///
/// # Errors
/// [`Refused`] with [`PurchaseRefused`]; nothing was changed.
pub async fn reopen(
    opened: Opened<'_, SupplierDocument>,
) -> Result<SupplierDocument, Refused<PurchaseRefused>> {
    let reopened = opened.before.clone().reopen().map_err(|wrong| Refused::Own(wrong.into()))?;
    judge_duplicate(&opened.home, Some(&opened.before), &reopened).await?;
    opened.save(reopened).await
}
