//! Payments of a document.

use svc_core::clock::Timestamp;
use svc_core::id::{BankAccountId, BankMovementId, PaymentId};
use svc_core::money::Amount;
use time::Date;

use crate::books::entry::FxRate;
use crate::contact::PaymentMethod;

/// A payment that is about to be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPayment {
    /// In the currency of the document and with the sign of what is payable.
    pub amount: Amount,
    /// When it was paid.
    pub date: Date,
    /// How the money moved.
    pub method: PaymentMethod,
    /// The bank account that it moved on.
    pub bank_account: Option<BankAccountId>,
    /// The movement that it is reconciled with.
    pub movement: Option<BankMovementId>,
    /// How many units of the base currency one of the document's was on that day; as at the
    /// issue or the approval when it is not said.
    pub fx_rate: Option<FxRate>,
    /// What the payer wrote.
    pub reference: Option<String>,
}

/// A payment of a document; `M` is by what documents of its area are paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment<M> {
    /// Its id.
    pub id: PaymentId,
    /// In the currency of the document and with the sign of what is payable: a refund is negative.
    pub amount: Amount,
    /// When it was paid.
    pub date: Date,
    /// By what.
    pub means: M,
    /// How many units of the base currency one of the document's was on that day.
    pub fx_rate: FxRate,
    /// What it takes off the debt in the books: in the base currency, at the rate of the document.
    pub settled: Amount,
    /// What the payer wrote, at most 200 characters.
    pub reference: Option<String>,
    /// When it was recorded.
    pub recorded_at: Timestamp,
}
