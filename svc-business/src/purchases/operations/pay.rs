//! Recording payments, and taking them back.

use svc_core::error::{StoreError, ValidationErrors};
use svc_core::id::{BankMovementId, PaymentId, SupplierDocumentId};
use svc_core::refused::Refused;

use super::PurchaseRefused;
use super::bookkeeping::{self, own};
use super::reference::{find, ids, supplier};
use crate::bank::paid_by;
use crate::books::account::AccountCode;
use crate::books::book::Mode;
use crate::catalogue::event;
use crate::ports::DynPurchaseUnit;
use crate::purchases::document::{Means, Payment, SupplierDocument};
use crate::purchases::input::PaymentRequest;
use crate::purchases::journal::{offset_entry, payment_entry};
use crate::purchases::pay::{NewPayment, Offset, offset, remove_offset};
use crate::purchases::rules::{NewOffset, SomePayment, read_payment};
use crate::record::{Home, Opened, replace};

/// A document and a payment of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paid {
    /// The document with the payment.
    pub document: SupplierDocument,
    /// The payment.
    pub payment: Payment,
}

/// The document against which a payment stands, which is to be opened beside the first one.
#[must_use]
pub fn counterpart(document: &SupplierDocument, payment: PaymentId) -> Option<SupplierDocumentId> {
    match document.approval_data()?.settlement.find(payment)?.means {
        Means::Offset { document, .. } => Some(document),
        Means::Money { .. } => None,
    }
}

/// Records a payment of a document that was opened [alone](crate::record::alone), together with the one that it is
/// offset against. Emits `supplier_document.update` for each document, and what the entry emits.
///
/// # Errors
/// [`Refused`] with [`PurchaseRefused`]; nothing was changed.
pub async fn pay(
    opened: Opened<'_, SupplierDocument>,
    request: &PaymentRequest,
) -> Result<Paid, Refused<PurchaseRefused>> {
    match read_payment(&opened.before, request)? {
        SomePayment::Money(new) => pay_money(&opened, new).await,
        SomePayment::Offset(new) => pay_by_offset(&opened, new).await,
    }
}

async fn pay_money(
    opened: &Opened<'_, SupplierDocument>,
    new: NewPayment,
) -> Result<Paid, Refused<PurchaseRefused>> {
    let home = &opened.home;
    if new.movement.is_some() {
        let message = "a payment stands against a movement once that is reconciled";
        return Err(ValidationErrors::one("movementId", "unknown_reference", message).into());
    }
    let bank = paid_by(&bookkeeping::bank(home), new.bank_account).await?;
    record_payment(home, &opened.before, new, bank).await
}

/// Records a payment of a document that no other unit of work changes meanwhile, through the bank account that this account
/// of the ledger counts.
pub(crate) async fn record_payment(
    home: &Home<'_, DynPurchaseUnit>,
    before: &SupplierDocument,
    new: NewPayment,
    bank: Option<AccountCode>,
) -> Result<Paid, Refused<PurchaseRefused>> {
    let paid = before.clone().pay(new, &ids(home));
    let (document, payment) = paid.map_err(|refused| Refused::Own(refused.into()))?;
    let books = bookkeeping::open(home).await?;
    let document = change(home, before, document).await?;
    let mode = books.book.automation.payments;
    if mode != Mode::Off {
        let found = supplier(home, document.supplier).await?;
        let setting = bookkeeping::setting(&books, found.as_ref().map(|(_, contact)| contact), ids(home));
        let entry = payment_entry(&document, &payment, bank, &setting);
        let entry = entry.map_err(|refused| Refused::Own(refused.into()))?;
        books.write(mode, entry).await.map_err(own)?;
    }
    Ok(Paid { document, payment })
}

/// Keeps a document as it is now, and tells that.
pub(crate) async fn change(
    home: &Home<'_, DynPurchaseUnit>,
    before: &SupplierDocument,
    after: SupplierDocument,
) -> Result<SupplierDocument, StoreError> {
    let after = replace(home.unit, home.call, before, after).await?;
    home.publish(const { event("supplier_document.update") }, &after, None).await?;
    Ok(after)
}

async fn pay_by_offset(
    opened: &Opened<'_, SupplierDocument>,
    new: NewOffset,
) -> Result<Paid, Refused<PurchaseRefused>> {
    let home = &opened.home;
    let Some(before) = find(home, new.document).await? else {
        let message = "no document of the company has this id";
        return Err(ValidationErrors::one("offsetDocumentId", "unknown_reference", message).into());
    };
    let Offset { one, other } = offset(opened.before.clone(), before.clone(), &new.terms, &ids(home))
        .map_err(|refused| Refused::Own(PurchaseRefused::from(refused)))?;
    let books = bookkeeping::open(home).await?;
    let document = opened.save(one.0).await?;
    let beside = change(home, &before, other.0).await?;
    let mode = books.book.automation.payments;
    if mode != Mode::Off {
        let found = supplier(home, document.supplier).await?;
        let setting = bookkeeping::setting(&books, found.as_ref().map(|(_, contact)| contact), ids(home));
        let entry = offset_entry((&document, &one.1), (&beside, &other.1), &setting);
        let entry = entry.map_err(|refused| Refused::Own(refused.into()))?;
        books.write(mode, entry).await.map_err(own)?;
    }
    Ok(Paid { document, payment: one.1 })
}

/// Takes a payment back from a document that was opened [alone](crate::record::alone), together with its
/// [`counterpart`]. Its entry is reversed. Emits `supplier_document.update` for each document, and what the reversal
/// emits.
///
/// # Errors
/// [`Refused`] with [`PurchaseRefused::Remove`]; nothing was changed.
pub async fn remove_payment(
    opened: Opened<'_, SupplierDocument>,
    id: PaymentId,
) -> Result<SupplierDocument, Refused<PurchaseRefused>> {
    let home = &opened.home;
    let Some(other) = counterpart(&opened.before, id) else {
        return take_back(home, &opened.before, id, None).await;
    };
    let books = bookkeeping::open(home).await?;
    let before = find(home, other).await?;
    let before =
        before.ok_or_else(|| Refused::Store(StoreError::backend("the other document is missing")))?;
    let made = opened.before.approval_data().and_then(|approval| approval.settlement.find(id));
    // The entry names the payment by which the two were offset first.
    let others = made.and_then(|payment| match payment.means {
        Means::Offset { payment, .. } => Some(payment),
        Means::Money { .. } => None,
    });
    let removed = remove_offset(opened.before.clone(), before.clone(), id);
    let (document, beside) = removed.map_err(|refused| Refused::Own(PurchaseRefused::from(refused)))?;
    let document = opened.save(document).await?;
    change(home, &before, beside).await?;
    for made in [Some(id), others].into_iter().flatten() {
        books.undo(books.of_payment(made, "offset").await?).await.map_err(own)?;
    }
    Ok(document)
}

/// Takes a payment of money back from a document that no other unit of work changes meanwhile: one against which no movement
/// stands, or this one.
pub(crate) async fn take_back(
    home: &Home<'_, DynPurchaseUnit>,
    before: &SupplierDocument,
    id: PaymentId,
    movement: Option<BankMovementId>,
) -> Result<SupplierDocument, Refused<PurchaseRefused>> {
    let removed = before.clone().remove_reconciled(id, movement);
    let (document, _) = removed.map_err(|refused| Refused::Own(refused.into()))?;
    let books = bookkeeping::open(home).await?;
    let document = change(home, before, document).await?;
    books.undo(books.of_payment(id, "payment").await?).await.map_err(own)?;
    Ok(document)
}
