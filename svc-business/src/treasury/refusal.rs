//! Why nothing is said of a movement.

use thiserror::Error;

use crate::bank::movement::BankMovementStatus;
use crate::books::bookkeeping::BooksRefused;
use crate::books::default_accounts::MissingAccount;
use crate::purchases::operations::PurchaseRefused;
use crate::sales::operations::SalesRefused;

/// Why a movement is not reconciled, or a reconciliation not undone; nothing was changed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ReconcileRefused {
    /// It is ignored, or reconciled already: `movement_not_pending`, a conflict.
    #[error("the movement is {}, and only a pending one is reconciled", .0.name())]
    NotPending(BankMovementStatus),
    /// There is nothing to undo: `movement_not_reconciled`, a conflict.
    #[error("the movement is {}, so there is no reconciliation to undo", .0.name())]
    NotReconciled(BankMovementStatus),
    /// A sales document is not paid by it.
    #[error(transparent)]
    Sales(#[from] SalesRefused),
    /// A supplier document is not paid by it.
    #[error(transparent)]
    Purchases(#[from] PurchaseRefused),
    /// The books do not name the account of a tax return, or of what a change of rates won or lost.
    #[error(transparent)]
    NoAccount(#[from] MissingAccount),
    /// The books do not take its entry.
    #[error(transparent)]
    Books(#[from] BooksRefused),
}
