//! Movements of bank accounts that stand against payments.

use svc_core::id::{BankAccountId, BankMovementId, PaymentId};

use crate::invoicing::{MatchRefused, judge_match};
use crate::sales::document::{Issue, Means, Payment, SalesDocument};

impl SalesDocument {
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
        let issue = self.issue_data().ok_or(MatchRefused::NotFound)?.clone();
        let payment = issue.settlement.find(id).cloned().ok_or(MatchRefused::NotFound)?;
        let Means::Money { method, bank_account, movement } = payment.means else {
            return Err(MatchRefused::NotFound);
        };
        judge_match(account, method, bank_account, movement)?;
        let means = Means::Money { method, bank_account: Some(account), movement: Some(by) };
        let settlement = issue.settlement.described(id, |known| *known = means);
        Ok((self.with_issue(Issue { settlement, ..issue }), payment))
    }

    /// Takes back that a movement stands against a payment, which is then as it was before.
    ///
    /// # Errors
    /// [`MatchRefused::NotFound`].
    pub fn unmatch_payment(self, id: PaymentId, named_account: bool) -> Result<Self, MatchRefused> {
        let issue = self.issue_data().ok_or(MatchRefused::NotFound)?.clone();
        let payment = issue.settlement.find(id).ok_or(MatchRefused::NotFound)?;
        let Means::Money { method, bank_account, .. } = payment.means else {
            return Err(MatchRefused::NotFound);
        };
        let bank_account = bank_account.filter(|_| named_account);
        let means = Means::Money { method, bank_account, movement: None };
        let settlement = issue.settlement.described(id, |known| *known = means);
        Ok(self.with_issue(Issue { settlement, ..issue }))
    }
}
