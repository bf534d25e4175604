//! Payments that movements of bank accounts stand against.

use svc_core::id::{BankAccountId, BankMovementId};
use thiserror::Error;

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

/// Judges that a movement of a bank account can stand against a payment that was made by this method, names this account,
/// and has this movement against it.
pub(crate) fn judge_match(
    account: BankAccountId,
    method: PaymentMethod,
    named: Option<BankAccountId>,
    movement: Option<BankMovementId>,
) -> Result<(), MatchRefused> {
    match (movement, named) {
        (Some(_), _) => Err(MatchRefused::Reconciled),
        (None, Some(named)) if named != account => Err(MatchRefused::OtherAccount),
        (None, None) if method == PaymentMethod::Cash => Err(MatchRefused::InCash),
        (None, Some(_) | None) => Ok(()),
    }
}
