//! Why something is not done with a document or a supplier.

use thiserror::Error;

use crate::books::asset::AssetRefused;
use crate::books::bookkeeping::BooksRefused;
use crate::contact::DuplicateTaxId;
use crate::purchases::approve::ApproveRefused;
use crate::purchases::assets::AssetsRefused;
use crate::purchases::document::{DuplicateDocument, WrongState};
use crate::purchases::journal::JournalRefused;
use crate::purchases::pay::{PayRefused, RemoveRefused};
use crate::purchases::review::RejectRefused;
use crate::purchases::rules::AmendRefused;
use crate::purchases::void::VoidRefused;

/// Why something is not done with a document; nothing was changed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PurchaseRefused {
    /// The document is not where this begins.
    #[error(transparent)]
    State(#[from] WrongState),
    /// It came in twice.
    #[error(transparent)]
    Duplicate(#[from] DuplicateDocument),
    /// It is approved, and the change is one of a document that is not.
    #[error(transparent)]
    Amend(#[from] AmendRefused),
    /// It cannot be approved.
    #[error(transparent)]
    Approve(#[from] ApproveRefused),
    /// It cannot be rejected.
    #[error(transparent)]
    Reject(#[from] RejectRefused),
    /// It cannot be paid.
    #[error(transparent)]
    Pay(#[from] PayRefused),
    /// The payment cannot be taken back.
    #[error(transparent)]
    Remove(#[from] RemoveRefused),
    /// It cannot be voided.
    #[error(transparent)]
    Void(#[from] VoidRefused),
    /// A fixed asset that it became is in use, or has left: it is not undone with the document.
    #[error("a fixed asset that the document became is in use: let it leave first")]
    AssetInUse,
    /// There is no entry for it.
    #[error(transparent)]
    Journal(#[from] JournalRefused),
    /// There are no assets of it.
    #[error(transparent)]
    Assets(#[from] AssetsRefused),
    /// An asset of it cannot be made.
    #[error(transparent)]
    Asset(#[from] AssetRefused),
    /// Its supplier cannot be added.
    #[error(transparent)]
    Supplier(#[from] SupplierRefused),
    /// The books do not take its entry.
    #[error(transparent)]
    Books(#[from] BooksRefused),
}

/// Why something is not done with a supplier; nothing was changed.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum SupplierRefused {
    /// The contact is a supplier already: `supplier_exists`, a conflict.
    #[error("the contact is a supplier already")]
    Exists {
        /// That supplier.
        existing: svc_core::id::SupplierId,
    },
    /// Another active contact has the tax id.
    #[error(transparent)]
    TaxId(#[from] DuplicateTaxId),
}
