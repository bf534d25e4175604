//! Recording payments, and taking them back.

use svc_core::error::{StoreError, ValidationErrors};
use svc_core::id::{BankMovementId, PaymentId, SalesDocumentId};
use svc_core::refused::Refused;

use super::SalesRefused;
use super::bookkeeping::{self, own};
use super::reference::{customer, find_originals, ids};
use crate::bank::paid_by;
use crate::books::account::AccountCode;
use crate::books::book::Mode;
use crate::catalogue::event;
use crate::ports::DynSalesUnit;
use crate::record::{Home, Opened, replace};
use crate::sales::document::{Means, Payment, SalesDocument};
use crate::sales::history::{HistoryKind, note};
use crate::sales::input::PaymentRequest;
use crate::sales::journal::{offset_entry, payment_entry};
use crate::sales::pay::{NewPayment, Offset, offset, remove_offset};
use crate::sales::rules::{NewOffset, SomePayment, read_payment};

/// A document and a payment of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paid {
    /// The document with the payment.
    pub document: SalesDocument,
    /// The payment.
    pub payment: Payment,
}

/// The document against which a payment stands, which is to be opened beside the first one.
#[must_use]
pub fn counterpart(document: &SalesDocument, payment: PaymentId) -> Option<SalesDocumentId> {
    match document.issue_data()?.settlement.find(payment)?.means {
        Means::Offset { document, .. } => Some(document),
        Means::Money { .. } | Means::Replacement { .. } => None,
    }
}

/// Records a payment of a document that was opened [alone](crate::record::alone), together with the one that it is
/// offset against. Emits invoice.pay for each document, and what the entry emits.
///
/// # Errors
/// [`Refused`] with [`SalesRefused`]; nothing was changed.
pub async fn pay(
    opened: Opened<'_, SalesDocument>,
    request: &PaymentRequest,
) -> Result<Paid, Refused<SalesRefused>> {
    match read_payment(&opened.before, request)? {
        SomePayment::Money(new) => pay_money(&opened, new).await,
        SomePayment::Offset(new) => pay_by_offset(&opened, new).await,
    }
}

async fn pay_money(
    opened: &Opened<'_, SalesDocument>,
    new: NewPayment,
) -> Result<Paid, Refused<SalesRefused>> {
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
    home: &Home<'_, DynSalesUnit>,
    before: &SalesDocument,
    new: NewPayment,
    bank: Option<AccountCode>,
) -> Result<Paid, Refused<SalesRefused>> {
    let paid = before.clone().pay(new, &ids(home));
    let (document, payment) = paid.map_err(|refused| Refused::Own(refused.into()))?;
    let books = bookkeeping::open(home).await?;
    let document = replace(home.unit, home.call, before, document).await?;
    tell_paid(home, &document, &payment).await?;
    let mode = books.book.automation.payments;
    if mode != Mode::Off {
        let contact = customer(home, &document).await?;
        let entry = payment_entry(
            &document,
            &payment,
            bank,
            &bookkeeping::setting(&books, contact.as_ref(), ids(home)),
        );
        let entry = entry.map_err(|refused| Refused::Own(refused.into()))?;
        books.write(mode, entry).await.map_err(own)?;
    }
    Ok(Paid { document, payment })
}

async fn pay_by_offset(
    opened: &Opened<'_, SalesDocument>,
    new: NewOffset,
) -> Result<Paid, Refused<SalesRefused>> {
    let home = &opened.home;
    let Some(before) = find_originals(home, &[new.document]).await?.pop() else {
        let message = "no document of the company has this id";
        return Err(ValidationErrors::one("offsetDocumentId", "unknown_reference", message).into());
    };
    let Offset { one, other } = offset(opened.before.clone(), before.clone(), &new.terms, &ids(home))
        .map_err(|refused| Refused::Own(SalesRefused::from(refused)))?;
    let books = bookkeeping::open(home).await?;
    let document = opened.replace(one.0).await?;
    let beside = replace(home.unit, home.call, &before, other.0).await?;
    tell_paid(home, &document, &one.1).await?;
    tell_paid(home, &beside, &other.1).await?;
    let mode = books.book.automation.payments;
    if mode != Mode::Off {
        let contact = customer(home, &document).await?;
        let setting = bookkeeping::setting(&books, contact.as_ref(), ids(home));
        let entry = offset_entry((&document, &one.1), (&beside, &other.1), &setting);
        let entry = entry.map_err(|refused| Refused::Own(refused.into()))?;
        books.write(mode, entry).await.map_err(own)?;
    }
    Ok(Paid { document, payment: one.1 })
}

async fn tell_paid(
    home: &Home<'_, DynSalesUnit>,
    document: &SalesDocument,
    payment: &Payment,
) -> Result<(), StoreError> {
    let of = ("payment_id", payment.id.to_string().into());
    home.publish(const { event("invoice.pay") }, document, Some(of)).await?;
    note(home, document, HistoryKind::Paid, Some(payment.amount.to_string())).await
}

/// Takes a payment back from a document that was opened [alone](crate::record::alone), together with its
/// [`counterpart`]. Its entry is reversed. Emits invoice.update for each document, and what the reversal emits.
///
/// # Errors
/// [`Refused`] with [`SalesRefused::Remove`]; nothing was changed.
pub async fn remove_payment(
    opened: Opened<'_, SalesDocument>,
    id: PaymentId,
) -> Result<SalesDocument, Refused<SalesRefused>> {
    let home = &opened.home;
    let Some(other) = counterpart(&opened.before, id) else {
        return take_back(home, &opened.before, id, None).await;
    };
    let books = bookkeeping::open(home).await?;
    let before = find_originals(home, &[other]).await?.pop();
    let before =
        before.ok_or_else(|| Refused::Store(StoreError::backend("the other document is missing")))?;
    let payment = opened.before.issue_data().and_then(|issue| issue.settlement.find(id)).cloned();
    let removed = remove_offset(opened.before.clone(), before.clone(), id);
    let (document, beside) = removed.map_err(|refused| Refused::Own(SalesRefused::from(refused)))?;
    // The entry names the payment by which the two were offset first.
    let other_payment = payment.as_ref().and_then(|payment| match payment.means {
        Means::Offset { payment, .. } => Some(payment),
        Means::Money { .. } | Means::Replacement { .. } => None,
    });
    let document = opened.replace(document).await?;
    let beside = replace(home.unit, home.call, &before, beside).await?;
    if let Some(payment) = payment {
        tell_removed(home, &document, &payment).await?;
        let opposite = Payment { amount: payment.amount.negated(), ..payment };
        tell_removed(home, &beside, &opposite).await?;
    }
    for made in [Some(id), other_payment].into_iter().flatten() {
        books.undo(books.of_payment(made, "offset").await?).await.map_err(own)?;
    }
    Ok(document)
}

/// Keeps a document of which a payment is described otherwise, and tells that.
pub(crate) async fn change_payment(
    home: &Home<'_, DynSalesUnit>,
    before: &SalesDocument,
    after: SalesDocument,
) -> Result<SalesDocument, StoreError> {
    let after = replace(home.unit, home.call, before, after).await?;
    home.publish(const { event("invoice.update") }, &after, None).await?;
    Ok(after)
}

/// Takes a payment of money back from a document that no other unit of work changes meanwhile: one against which no movement
/// stands, or this one.
pub(crate) async fn take_back(
    home: &Home<'_, DynSalesUnit>,
    before: &SalesDocument,
    id: PaymentId,
    movement: Option<BankMovementId>,
) -> Result<SalesDocument, Refused<SalesRefused>> {
    let removed = before.clone().remove_reconciled(id, movement);
    let (document, payment) = removed.map_err(|refused| Refused::Own(refused.into()))?;
    let books = bookkeeping::open(home).await?;
    let document = replace(home.unit, home.call, before, document).await?;
    tell_removed(home, &document, &payment).await?;
    books.undo(books.of_payment(id, "payment").await?).await.map_err(own)?;
    Ok(document)
}

async fn tell_removed(
    home: &Home<'_, DynSalesUnit>,
    document: &SalesDocument,
    payment: &Payment,
) -> Result<(), StoreError> {
    home.publish(const { event("invoice.update") }, document, None).await?;
    note(home, document, HistoryKind::PaymentRemoved, Some(payment.amount.to_string())).await
}
