//! Undoing a reconciliation.

use svc_core::error::StoreError;
use svc_core::refused::Refused;

use super::ReconcileRefused;
use super::declared;
use super::known::{purchase, sale};
use super::reconcile::Outcome;
use crate::bank::movement::{Allocation, BankMovement, MovementState, PaidDocument, Target};
use crate::books::bookkeeping::Books;
use crate::ports::{DynBooksUnit, DynPurchaseUnit, DynSalesUnit, DynTreasuryUnit};
use crate::record::{Home, Opened, replace};
use crate::{purchases, sales};

/// Undoes what was said of a movement that was [opened](super::reopen) with what it stands for: the movement is pending
/// again, what is due of documents and what accounts hold is as it was. Payments that it recorded are taken back, those that
/// were there before stay, and its entry is reversed. Emits what those emit, and nothing of its own.
///
/// # Errors
/// [`Refused`] with [`ReconcileRefused`]; nothing was changed.
pub async fn undo(unit: &DynTreasuryUnit, opened: Opened<'_, BankMovement>) -> Outcome<BankMovement> {
    let (home, before) = (opened.home.within(unit), &opened.before);
    let Some(known) = before.state.reconciliation() else {
        return Err(Refused::Own(ReconcileRefused::NotReconciled(before.state.status())));
    };
    // The last payment of a document first.
    for allocation in known.allocations.iter().rev() {
        take_back(&home, before, allocation).await?;
    }
    let books = Books::open(home.within(unit as &DynBooksUnit)).await;
    let books = books.map_err(|refused| refused.map(ReconcileRefused::Books))?;
    let entry = books.find(known.entry).await?;
    books.undo(entry).await.map_err(|refused| refused.map(ReconcileRefused::Books))?;
    let after = BankMovement { state: MovementState::Pending, ..before.clone() };
    Ok(replace(opened.home.unit, home.call, before, after).await?)
}

async fn take_back(
    home: &Home<'_, DynTreasuryUnit>,
    movement: &BankMovement,
    allocation: &Allocation,
) -> Outcome<()> {
    let by = Some(movement.id);
    let (sold, bought) =
        (home.within(home.unit as &DynSalesUnit), home.within(home.unit as &DynPurchaseUnit));
    match &allocation.target {
        Target::Invoice { document, payment } => {
            let before = sale(home, *document).await?.map_err(StoreError::backend)?;
            let taken = sales::operations::take_back(&sold, &before, *payment, by).await;
            taken.map_err(|refused| refused.map(ReconcileRefused::Sales))?;
        }
        Target::SupplierDocument { document, payment } => {
            let before = purchase(home, *document).await?.map_err(StoreError::backend)?;
            let taken = purchases::operations::take_back(&bought, &before, *payment, by).await;
            taken.map_err(|refused| refused.map(ReconcileRefused::Purchases))?;
        }
        Target::Payment { payment, document: PaidDocument::Sales(document), named_account } => {
            let before = sale(home, *document).await?.map_err(StoreError::backend)?;
            let after = before.clone().unmatch_payment(*payment, *named_account);
            let after = after.map_err(StoreError::backend)?;
            sales::operations::change_payment(&sold, &before, after).await?;
        }
        Target::Payment { payment, document: PaidDocument::Purchase(document), named_account } => {
            let before = purchase(home, *document).await?.map_err(StoreError::backend)?;
            let after = before.clone().unmatch_payment(*payment, *named_account);
            let after = after.map_err(StoreError::backend)?;
            purchases::operations::change(&bought, &before, after).await?;
        }
        Target::TaxReturn { declared } => {
            declared::take_back(home, movement, *declared, allocation.amount).await?;
        }
        Target::JournalLine { .. } | Target::Account { .. } | Target::Transfer { .. } => {}
    }
    Ok(())
}
