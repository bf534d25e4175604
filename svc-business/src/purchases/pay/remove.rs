//! Taking a payment back.

use svc_core::id::{BankMovementId, PaymentId, SupplierDocumentId};
use thiserror::Error;

use crate::purchases::document::{
    Action, Approval, Means, Payment, SettlementError, SupplierDocument, WrongState,
};

/// Why a payment cannot be taken back.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RemoveRefused {
    /// The document is not approved, a conflict.
    #[error(transparent)]
    State(#[from] WrongState),
    /// The document has no such payment: `not_found`.
    #[error("the document has no such payment")]
    NotFound,
    /// A movement was reconciled with it: `payment_reconciled`, a conflict; undo the reconciliation.
    #[error("the payment came from a reconciliation: undo that")]
    Reconciled,
    /// It stands against another document: [`remove_offset`](super::remove_offset) takes both back.
    #[error("the payment is offset against {document}")]
    Offset {
        /// The other document.
        document: SupplierDocumentId,
    },
    /// What would be left does not add up.
    #[error(transparent)]
    Settlement(#[from] SettlementError),
}

impl SupplierDocument {
    /// Takes a payment of money back, against which no movement stands.
    ///
    /// # Errors
    /// [`RemoveRefused`].
    pub fn remove_payment(self, id: PaymentId) -> Result<(Self, Payment), RemoveRefused> {
        self.remove_reconciled(id, None)
    }

    /// Takes a payment of money back, against which this movement stands.
    ///
    /// # Errors
    /// [`RemoveRefused`].
    pub fn remove_reconciled(
        self,
        id: PaymentId,
        by: Option<BankMovementId>,
    ) -> Result<(Self, Payment), RemoveRefused> {
        let approval = self.approved(Action::RemovePayment)?.clone();
        let payment = approval.settlement.find(id).cloned().ok_or(RemoveRefused::NotFound)?;
        match payment.means {
            Means::Money { movement, .. } if movement == by => {}
            Means::Money { .. } => return Err(RemoveRefused::Reconciled),
            Means::Offset { document, .. } => return Err(RemoveRefused::Offset { document }),
        }
        let settlement = approval.settlement.without(|payment| payment.id == id)?;
        Ok((self.with_approval(Approval { settlement, ..approval }), payment))
    }
}
