//! What a document refers to.

use svc_core::error::{StoreError, Validator};
use svc_core::id::{SupplierDocumentId, SupplierId};
use svc_core::refused::Refused;
use svc_core::resource::{Lock, ResourceReader};
use uuid::Uuid;

use super::PurchaseRefused;
use crate::contact::Contact;
use crate::ports::DynPurchaseUnit;
use crate::purchases::document::{DuplicateDocument, Ids, SupplierDocument};
use crate::purchases::supplier::Supplier;
use crate::record::Home;

/// New ids as of the call.
pub(super) fn ids<'u>(home: &Home<'u, DynPurchaseUnit>) -> Ids<'u> {
    Ids { now: home.call.now, random: home.call.random }
}

/// A supplier of the company with its contact, neither of which another unit of work ends meanwhile.
pub(super) async fn supplier(
    home: &Home<'_, DynPurchaseUnit>,
    id: Option<SupplierId>,
) -> Result<Option<(Supplier, Contact)>, StoreError> {
    let ids: Vec<_> = id.into_iter().collect();
    let Some(supplier) = home.referred::<Supplier>(home.unit.suppliers(), &ids).await?.pop() else {
        return Ok(None);
    };
    let contact = home.referred::<Contact>(home.unit.contacts(), &[supplier.contact]).await?.pop();
    Ok(contact.map(|contact| (supplier, contact)))
}

/// Judges that what a document names is there; what `before` named is not looked for again.
pub(super) fn judge(
    validator: &mut Validator,
    before: &SupplierDocument,
    after: &SupplierDocument,
    supplier: Option<&Supplier>,
) {
    if after.supplier != before.supplier {
        let is_there = after.supplier.is_none() || supplier.is_some();
        let message = "no supplier of the company has this id";
        validator.require(is_there, "supplierId", "unknown_reference", message);
    }
}

/// Refuses a document that came in before, unless it is the same one or says that it may share its number.
pub(super) async fn judge_duplicate(
    home: &Home<'_, DynPurchaseUnit>,
    before: Option<&SupplierDocument>,
    after: &SupplierDocument,
) -> Result<(), Refused<PurchaseRefused>> {
    let key = after.duplicate_key();
    if key == before.and_then(SupplierDocument::duplicate_key) {
        return Ok(());
    }
    let Some(key) = key else { return Ok(()) };
    match home.unit.supplier_documents().with_key(home.company.id, &key).await? {
        Some(existing) if existing != after.id => Err(Refused::Own(DuplicateDocument { existing }.into())),
        Some(_) | None => Ok(()),
    }
}

/// The document with this id, of the same company.
pub(super) async fn find(
    home: &Home<'_, DynPurchaseUnit>,
    id: SupplierDocumentId,
) -> Result<Option<SupplierDocument>, StoreError> {
    let documents = home.unit.supplier_documents();
    let found = ResourceReader::<SupplierDocument>::find(documents, home.call.scope, id).await?;
    Ok(found.filter(|found| found.company == home.company.id))
}

/// Locks records of the company beside what the unit has locked already.
pub(super) async fn lock(
    home: &Home<'_, DynPurchaseUnit>,
    records: &[(Uuid, Lock)],
) -> Result<(), StoreError> {
    let (scope, company) = (home.call.scope, home.company.id);
    home.unit.accounts().find_locked(scope, company, Lock::Shared, records).await.map(drop)
}
