//! Writing and changing a document.

use svc_core::error::Validator;
use svc_core::patch::Patch;
use svc_core::refused::Refused;

use super::PurchaseRefused;
use super::bookkeeping;
use super::reference::{ids, judge, judge_duplicate, supplier};
use crate::ports::DynPurchaseUnit;
use crate::purchases::document::{Origin, State, SupplierDocument};
use crate::purchases::input::SupplierDocumentInput;
use crate::purchases::rules::{LineDefaults, Setting, amend, draft};
use crate::purchases::supplier::Supplier;
use crate::record::{Home, Opened};

/// Writes a document that came in. Emits `supplier_document.create`.
///
/// # Errors
/// [`Refused`] with [`PurchaseRefused`]; nothing was added.
pub async fn create(
    home: &Home<'_, DynPurchaseUnit>,
    input: &SupplierDocumentInput,
) -> Result<SupplierDocument, Refused<PurchaseRefused>> {
    let blank = blank(home, Origin::Manual);
    let document = drafted(home, &blank, input, true).await?;
    judge_duplicate(home, None, &document).await?;
    home.add(document).await
}

/// Applies a merge patch: to a document that is not judged as a whole, to an approved one by what may still change. A
/// patch that changes nothing keeps the version and emits nothing; any other emits `supplier_document.update`; what the
/// document opened in the books is due on the same day, which emits `journal_entry.update`.
///
/// # Errors
/// [`Refused`] with [`PurchaseRefused`]; nothing was changed.
pub async fn update(
    opened: Opened<'_, SupplierDocument>,
    input: &SupplierDocumentInput,
) -> Result<SupplierDocument, Refused<PurchaseRefused>> {
    let (home, before) = (&opened.home, &opened.before);
    let counted = before.clone().counted_in(home.company.base_currency);
    let after = if before.state() == State::Received {
        drafted(home, &counted, input, false).await?
    } else {
        let mut validator = Validator::new();
        let after = amend(&mut validator, before, input);
        let after = after.map_err(|refused| Refused::Own(PurchaseRefused::from(refused)))?;
        judge(&mut validator, before, &after, None);
        validator.finish()?;
        after
    };
    judge_duplicate(home, Some(before), &after).await?;
    if let (Some(was), Some(approval)) = (before.approval_data(), after.approval_data())
        && was.due_date != approval.due_date
        && approval.journal_entry.is_some()
    {
        bookkeeping::open(home).await?.put_off(approval.journal_entry, approval.due_date).await?;
    }
    if !home.call.access.is_full() && !input.iban.is_absent() {
        return opened.save_unseen(after).await;
    }
    if after == counted {
        return Ok(before.clone());
    }
    opened.save(after).await
}

/// A document before anything is written on it.
pub(super) fn blank(home: &Home<'_, DynPurchaseUnit>, origin: Origin) -> SupplierDocument {
    let (company, today) = (&home.company, home.company.local_date(home.call.now));
    SupplierDocument::blank(company.id, company.base_currency, origin, today, &ids(home))
}

/// In what a document of a supplier is written.
pub(super) fn setting<'u>(
    home: &Home<'u, DynPurchaseUnit>,
    supplier: Option<&Supplier>,
    creating: bool,
) -> Setting<'u> {
    Setting {
        today: home.company.local_date(home.call.now),
        ids: ids(home),
        access: home.call.access,
        defaults: LineDefaults::of(supplier),
        creating,
    }
}

/// A document with the input applied, which is not kept yet.
async fn drafted(
    home: &Home<'_, DynPurchaseUnit>,
    base: &SupplierDocument,
    input: &SupplierDocumentInput,
    creating: bool,
) -> Result<SupplierDocument, Refused<PurchaseRefused>> {
    let named = match input.supplier {
        Patch::Absent => base.supplier,
        Patch::Null => None,
        Patch::Value(supplier) => Some(supplier),
    };
    let supplier = supplier(home, named).await?.map(|(supplier, _)| supplier);
    let setting = setting(home, supplier.as_ref(), creating);
    let mut validator = Validator::new();
    let after = draft(&mut validator, base, input, &setting);
    let after = after.map_err(|wrong| Refused::Own(wrong.into()))?;
    judge(&mut validator, base, &after, supplier.as_ref());
    validator.finish()?;
    Ok(after)
}
