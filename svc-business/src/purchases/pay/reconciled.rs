//! Movements of bank accounts that stand against payments.

use svc_core::id::{BankAccountId, BankMovementId, PaymentId};

use crate::invoicing::MatchRefused;
use crate::purchases::document::{Approval, Payment, SupplierDocument};

impl SupplierDocument {
    /// Says that a movement of a bank account stands against a payment, which then names that account. Answers the payment
    /// as it was.
    ///
    /// # Errors
    /// [`MatchRefused`].
    pub fn match_payment(
        self,
        id: PaymentId,
        account: BankAccountId,
        by: BankMovementId,
    ) -> Result<(Self, Payment), MatchRefused> {
        let approval = self.approval_data().ok_or(MatchRefused::NotFound)?.clone();
        let (settlement, payment) = approval.settlement.matched(id, account, by)?;
        Ok((self.with_approval(Approval { settlement, ..approval }), payment))
    }

    /// Takes back that a movement stands against a payment, which is then as it was before.
    ///
    /// # Errors
    /// [`MatchRefused::NotFound`].
    pub fn unmatch_payment(self, id: PaymentId, named_account: bool) -> Result<Self, MatchRefused> {
        let approval = self.approval_data().ok_or(MatchRefused::NotFound)?.clone();
        let settlement = approval.settlement.unmatched(id, named_account)?;
        Ok(self.with_approval(Approval { settlement, ..approval }))
    }
}
