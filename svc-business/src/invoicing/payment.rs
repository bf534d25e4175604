//! Payments of a document.

use svc_core::clock::Timestamp;
use svc_core::id::PaymentId;
use svc_core::money::Amount;
use time::Date;

use crate::books::entry::FxRate;

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
