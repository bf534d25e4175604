//! What documents of sales and purchases have in common in storage: payments as JSON.

pub(super) mod due;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use svc_business::books::entry::FxRate;
use svc_business::contact::PaymentMethod;
use svc_business::invoicing::{Payment, Settlement};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{BankAccountId, BankMovementId, PaymentId};
use svc_core::money::{Amount, Currency};
use time::Date;

use super::cell::Stored;
use crate::value::{broken, from_json, json, parsed};

/// The currencies of the amounts of a document.
#[derive(Clone, Copy)]
pub(super) struct Currencies {
    pub(super) own: Currency,
    pub(super) base: Currency,
}

#[derive(Serialize, Deserialize)]
struct StoredPayment<S> {
    id: PaymentId,
    amount: i64,
    date: String,
    means: S,
    fx_rate: String,
    settled: i64,
    reference: Option<String>,
    recorded_at: i64,
}

/// Money, as a means of payment.
#[derive(Serialize, Deserialize)]
pub(super) struct Money {
    pub(super) method: PaymentMethod,
    pub(super) bank_account: Option<BankAccountId>,
    pub(super) movement: Option<BankMovementId>,
}

/// The payments as JSON, each with its means as `stored` makes it.
pub(super) fn payments<M, S: Serialize>(settlement: &Settlement<M>, stored: fn(&M) -> S) -> String {
    let of = |payment: &Payment<M>| StoredPayment {
        id: payment.id,
        amount: payment.amount.minor(),
        date: payment.date.to_sql(),
        means: stored(&payment.means),
        fx_rate: payment.fx_rate.to_string(),
        settled: payment.settled.minor(),
        reference: payment.reference.clone(),
        recorded_at: payment.recorded_at.to_sql(),
    };
    json(&settlement.payments().iter().map(of).collect::<Vec<_>>())
}

/// The payments of JSON, of what is payable.
pub(super) fn settlement<M, S: DeserializeOwned>(
    column: &'static str,
    text: &str,
    payable: Amount,
    currencies: Currencies,
    read: fn(S) -> M,
) -> Result<Settlement<M>, StoreError> {
    let stored: Vec<StoredPayment<S>> = from_json(column, text)?;
    let of = |payment: StoredPayment<S>| {
        let fx_rate: FxRate = parsed(column, &payment.fx_rate)?;
        Ok::<_, StoreError>(Payment {
            id: payment.id,
            amount: amount(column, payment.amount, currencies.own)?,
            date: Date::from_sql(payment.date).ok_or_else(|| broken(column))?,
            means: read(payment.means),
            fx_rate,
            settled: amount(column, payment.settled, currencies.base)?,
            reference: payment.reference,
            recorded_at: Timestamp::from_unix_micros(payment.recorded_at),
        })
    };
    let payments = stored.into_iter().map(of).collect::<Result<Vec<_>, _>>()?;
    Settlement::new(payable, payments).map_err(|_| broken(column))
}

/// An amount of so many minor units.
pub(super) fn amount(column: &'static str, minor: i64, currency: Currency) -> Result<Amount, StoreError> {
    Amount::from_minor(minor, currency).map_err(|_| broken(column))
}
