//! Opening a movement with all that it is to stand for, or stood for.

use std::str::FromStr;

use svc_core::error::StoreError;
use svc_core::id::{
    BankAccountId, BankMovementId, SalesDocumentId, SupplierDocumentId, TaxReturnId, TypedId,
};
use svc_core::refused::Refused;
use svc_core::resource::{Expected, Lock};
use svc_core::unit::CallContext;
use uuid::Uuid;

use super::chosen::Chosen;
use super::input::MOST_ALLOCATIONS;
use crate::bank::movement::{BankMovement, PaidDocument, Target, TargetKind};
use crate::ports::DynTreasuryUnit;
use crate::record::{Opened, alone_beside};

/// Opens a movement to [reconcile](super::reconcile) it: no other unit of work changes it, or a document or a tax
/// return that it is to pay, or books a transfer between the same bank accounts, meanwhile.
///
/// # Errors
/// As of [`record::alone`](crate::record::alone).
pub async fn open<'u>(
    unit: &'u DynTreasuryUnit,
    call: CallContext<'u>,
    id: BankMovementId,
    expected: &Expected,
    chosen: &Chosen,
) -> Result<Opened<'u, BankMovement>, Refused> {
    let mut beside = Vec::new();
    for allocation in chosen.allocations.iter().take(MOST_ALLOCATIONS) {
        let named = allocation.id.as_deref().unwrap_or_default();
        match allocation.kind {
            TargetKind::Invoice => beside.extend(named_by::<SalesDocumentId>(named)),
            TargetKind::SupplierDocument => beside.extend(named_by::<SupplierDocumentId>(named)),
            TargetKind::Payment => beside.extend(paid_by(unit, call, id, named).await?),
            TargetKind::TaxReturn => beside.extend(named_by::<TaxReturnId>(named)),
            TargetKind::Transfer => {
                beside.extend(named_by::<BankAccountId>(named));
                beside.push(moved(unit, call, id).await?.bank_account.uuid());
            }
            TargetKind::JournalLine | TargetKind::Account => {}
        }
    }
    opened(unit, call, id, expected, beside).await
}

/// Opens a movement to [undo](super::undo) its reconciliation: no other unit of work changes it, or a document or a tax
/// return that it paid, meanwhile.
///
/// # Errors
/// As of [`record::alone`](crate::record::alone); [`Refused::Store`] with a conflict when the reconciliation changed
/// meanwhile.
pub async fn reopen<'u>(
    unit: &'u DynTreasuryUnit,
    call: CallContext<'u>,
    id: BankMovementId,
    expected: &Expected,
) -> Result<Opened<'u, BankMovement>, Refused> {
    let found = moved(unit, call, id).await?;
    let opened = opened(unit, call, id, expected, documents(&found)).await?;
    if opened.before.state != found.state {
        return Err(Refused::Store(StoreError::Conflict));
    }
    Ok(opened)
}

async fn moved(
    unit: &DynTreasuryUnit,
    call: CallContext<'_>,
    id: BankMovementId,
) -> Result<BankMovement, Refused> {
    unit.bank_movements().find(call.scope, id).await?.ok_or(Refused::NotFound)
}

async fn opened<'u>(
    unit: &'u DynTreasuryUnit,
    call: CallContext<'u>,
    id: BankMovementId,
    expected: &Expected,
    beside: Vec<Uuid>,
) -> Result<Opened<'u, BankMovement>, Refused> {
    let beside: Vec<_> = beside.into_iter().map(|id| (id, Lock::Exclusive)).collect();
    alone_beside::<BankMovement>(unit, call, id, &beside, expected).await
}

/// The document of a payment, in the company of the movement.
async fn paid_by(
    unit: &DynTreasuryUnit,
    call: CallContext<'_>,
    id: BankMovementId,
    payment: &str,
) -> Result<Option<Uuid>, Refused> {
    let Ok(payment) = payment.parse() else { return Ok(None) };
    let movement = moved(unit, call, id).await?;
    if let Some(document) = unit.sales().of_payment(movement.company, payment).await? {
        return Ok(Some(document.uuid()));
    }
    let document = unit.supplier_documents().of_payment(movement.company, payment).await?;
    Ok(document.map(TypedId::uuid))
}

/// The documents and tax returns that a movement stands for.
fn documents(movement: &BankMovement) -> Vec<Uuid> {
    let allocations = movement.state.reconciliation().map(|known| known.allocations.as_slice());
    let document = |target: &Target| match target {
        Target::Invoice { document, .. } => Some(document.uuid()),
        Target::SupplierDocument { document, .. } => Some(document.uuid()),
        Target::Payment { document, .. } => Some(match document {
            PaidDocument::Sales(document) => document.uuid(),
            PaidDocument::Purchase(document) => document.uuid(),
        }),
        Target::TaxReturn { declared } => Some(declared.uuid()),
        Target::JournalLine { .. } | Target::Account { .. } | Target::Transfer { .. } => None,
    };
    allocations.unwrap_or_default().iter().filter_map(|allocation| document(&allocation.target)).collect()
}

/// The record that a text names as an id of this type does; none of another text.
fn named_by<Id: TypedId + FromStr>(text: &str) -> Option<Uuid> {
    text.parse().ok().map(|id: Id| id.uuid())
}
