//! Offsetting: a credit note and another document of a supplier pay each other.

use svc_core::error::{ValidationErrors, Validator};
use svc_core::id::{PaymentId, SupplierDocumentId};
use svc_core::money::Amount;
use time::Date;

use super::{PayRefused, RemoveRefused};
use crate::purchases::document::{Action, Approval, Ids, Means, Payment, SupplierDocument};

/// What is offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OffsetTerms {
    /// Of the first document, with its sign; the other one pays the opposite.
    pub amount: Amount,
    /// When.
    pub date: Date,
    /// What it is about.
    pub reference: Option<String>,
}

/// Two documents, each with the payment by the other one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offset {
    /// The first document and its payment.
    pub one: (SupplierDocument, Payment),
    /// The other document and its payment.
    pub other: (SupplierDocument, Payment),
}

/// Lets two documents pay each other by equal opposite payments.
///
/// # Errors
/// [`PayRefused`]: `offset_not_possible` on `offsetDocumentId` unless both have one supplier, one currency and
/// opposite signs; `payment_exceeds_due` on `amount` when it is more than is due of either.
pub fn offset(
    one: SupplierDocument,
    other: SupplierDocument,
    terms: &OffsetTerms,
    ids: &Ids<'_>,
) -> Result<Offset, PayRefused> {
    judge_pair(&one, &other)?;
    let (first, second): (PaymentId, PaymentId) = (ids.make(), ids.make());
    let opposite = OffsetTerms { amount: terms.amount.negated(), ..terms.clone() };
    let (one_id, other_id) = (one.id, other.id);
    let one = against(one, terms, first, (other_id, second), ids)?;
    let other = against(other, &opposite, second, (one_id, first), ids)?;
    Ok(Offset { one, other })
}

fn judge_pair(one: &SupplierDocument, other: &SupplierDocument) -> Result<(), ValidationErrors> {
    let mut validator = Validator::new();
    let (due, others) = (one.due().minor(), other.due().minor());
    let fits = one.id != other.id
        && one.company == other.company
        && one.supplier.is_some()
        && one.supplier == other.supplier
        && one.content.currency() == other.content.currency()
        && (due < 0 && others > 0 || due > 0 && others < 0);
    let message = "expected a document of the same supplier and currency of which the opposite is due";
    validator.require(fits, "offsetDocumentId", "offset_not_possible", message);
    validator.finish()
}

fn against(
    document: SupplierDocument,
    terms: &OffsetTerms,
    id: PaymentId,
    (other, payment): (SupplierDocumentId, PaymentId),
    ids: &Ids<'_>,
) -> Result<(SupplierDocument, Payment), PayRefused> {
    let approval = document.judge_payment(terms.amount, terms.date)?.clone();
    let (amount, fx_rate) = (terms.amount, approval.fx_rate);
    let payment = Payment {
        id,
        amount,
        date: terms.date,
        means: Means::Offset { document: other, payment },
        fx_rate,
        settled: approval.settlement.settled_by(amount, fx_rate, document.base_currency)?,
        reference: terms.reference.clone(),
        recorded_at: ids.now,
    };
    Ok((document.paid_by(approval, payment.clone())?, payment))
}

/// Takes an offset back from both documents, by the payment of the first.
///
/// # Errors
/// [`RemoveRefused`].
pub fn remove_offset(
    one: SupplierDocument,
    other: SupplierDocument,
    id: PaymentId,
) -> Result<(SupplierDocument, SupplierDocument), RemoveRefused> {
    let approval = one.approved(Action::RemovePayment)?.clone();
    let counterpart = match approval.settlement.find(id).map(|payment| &payment.means) {
        Some(Means::Offset { document, payment }) if *document == other.id => *payment,
        Some(Means::Offset { .. } | Means::Money { .. }) | None => return Err(RemoveRefused::NotFound),
    };
    let others = other.approved(Action::RemovePayment)?.clone();
    let settlement = approval.settlement.without(|payment| payment.id == id)?;
    let one = one.with_approval(Approval { settlement, ..approval });
    let settlement = others.settlement.without(|payment| payment.id == counterpart)?;
    Ok((one, other.with_approval(Approval { settlement, ..others })))
}
