//! Payments that movements of bank accounts stand against.

use svc_core::id::{BankAccountId, BankMovementId, PaymentId};
use thiserror::Error;

use super::{Payment, Settlement};
use crate::contact::PaymentMethod;

/// Why no movement can stand against a payment.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum MatchRefused {
    /// There is no such payment of money.
    #[error("no document has this payment of money")]
    NotFound,
    /// A movement stands against it already.
    #[error("a movement stands against the payment already")]
    Reconciled,
    /// It went through another bank account.
    #[error("the payment names another bank account")]
    OtherAccount,
    /// It was paid in cash, which is on no statement.
    #[error("the payment was in cash: what was brought to the bank is a transfer from the cash box")]
    InCash,
}

/// How money moved that paid a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Money {
    /// How.
    pub method: PaymentMethod,
    /// The bank account that it moved on, as far as known.
    pub bank_account: Option<BankAccountId>,
    /// The movement that stands against the payment.
    pub movement: Option<BankMovementId>,
}

impl Money {
    /// Whether a movement of some bank account can still stand against the payment.
    #[must_use]
    pub fn is_unmatched(self) -> bool {
        let is_elsewhere = self.bank_account.is_none() && self.method == PaymentMethod::Cash;
        self.movement.is_none() && !is_elsewhere
    }

    /// Judges that a movement of a bank account can stand against the payment.
    fn judge(self, account: BankAccountId) -> Result<(), MatchRefused> {
        match (self.movement, self.bank_account) {
            (Some(_), _) => Err(MatchRefused::Reconciled),
            (None, Some(named)) if named != account => Err(MatchRefused::OtherAccount),
            (None, None) if self.method == PaymentMethod::Cash => Err(MatchRefused::InCash),
            (None, Some(_) | None) => Ok(()),
        }
    }
}

/// By what documents of an area are paid: money among it.
pub trait ByMoney: Clone + From<Money> {
    /// How it moved; `None` for what is no money.
    fn money(&self) -> Option<Money>;
}

impl<M: ByMoney> Settlement<M> {
    /// The same with a movement of a bank account that stands against a payment, which then names that account. Answers the
    /// payment as it was.
    ///
    /// # Errors
    /// [`MatchRefused`].
    pub(crate) fn matched(
        self,
        id: PaymentId,
        account: BankAccountId,
        by: BankMovementId,
    ) -> Result<(Self, Payment<M>), MatchRefused> {
        let payment = self.find(id).cloned().ok_or(MatchRefused::NotFound)?;
        let money = payment.means.money().ok_or(MatchRefused::NotFound)?;
        money.judge(account)?;
        let money = Money { bank_account: Some(account), movement: Some(by), ..money };
        Ok((self.described(id, money.into()), payment))
    }

    /// The same with no movement that stands against a payment, which is as it was before.
    ///
    /// # Errors
    /// [`MatchRefused::NotFound`].
    pub(crate) fn unmatched(self, id: PaymentId, named_account: bool) -> Result<Self, MatchRefused> {
        let money = self.find(id).and_then(|payment| payment.means.money()).ok_or(MatchRefused::NotFound)?;
        let bank_account = money.bank_account.filter(|_| named_account);
        Ok(self.described(id, Money { bank_account, movement: None, ..money }.into()))
    }
}
