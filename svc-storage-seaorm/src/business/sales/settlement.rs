//! Payments of a document, and what put it right, as JSON.

use serde::{Deserialize, Serialize};
use svc_business::books::entry::FxRate;
use svc_business::contact::PaymentMethod;
use svc_business::sales::document::{Effect, Means, Payment, RectifiedBy, Replaced, Settlement, TaxBase};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{BankAccountId, BankMovementId, PaymentId, SalesDocumentId};
use svc_core::money::{Amount, Currency};
use time::Date;

use crate::business::cell::Stored;
use crate::value::{broken, from_json, json, parsed};

const PAYMENTS: &str = "sales_documents.payments";
const RECTIFICATIONS: &str = "sales_documents.rectifications";
const REPLACED: &str = "sales_documents.replaced";

/// The currencies of the amounts of a document.
#[derive(Clone, Copy)]
pub(super) struct Currencies {
    pub(super) own: Currency,
    pub(super) base: Currency,
}

#[derive(Serialize, Deserialize)]
struct StoredPayment {
    id: PaymentId,
    amount: i64,
    date: String,
    means: StoredMeans,
    fx_rate: String,
    settled: i64,
    reference: Option<String>,
    recorded_at: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredMeans {
    Money { method: PaymentMethod, bank_account: Option<BankAccountId>, movement: Option<BankMovementId> },
    Offset { document: SalesDocumentId, payment: PaymentId },
    Replacement { document: SalesDocumentId },
}

/// The payments as JSON.
pub(super) fn payments(settlement: &Settlement) -> String {
    let stored = |payment: &Payment| StoredPayment {
        id: payment.id,
        amount: payment.amount.minor(),
        date: payment.date.to_sql(),
        means: match payment.means.clone() {
            Means::Money { method, bank_account, movement } => {
                StoredMeans::Money { method, bank_account, movement }
            }
            Means::Offset { document, payment } => StoredMeans::Offset { document, payment },
            Means::Replacement { document } => StoredMeans::Replacement { document },
        },
        fx_rate: payment.fx_rate.to_string(),
        settled: payment.settled.minor(),
        reference: payment.reference.clone(),
        recorded_at: payment.recorded_at.to_sql(),
    };
    json(&settlement.payments().iter().map(stored).collect::<Vec<_>>())
}

/// The payments of JSON, of what is payable.
pub(super) fn settlement(
    text: &str,
    payable: Amount,
    currencies: Currencies,
) -> Result<Settlement, StoreError> {
    let stored: Vec<StoredPayment> = from_json(PAYMENTS, text)?;
    let payments = stored.into_iter().map(|payment| payment.read(currencies)).collect::<Result<_, _>>()?;
    Settlement::new(payable, payments).map_err(|_| broken(PAYMENTS))
}

impl StoredPayment {
    fn read(self, currencies: Currencies) -> Result<Payment, StoreError> {
        let fx_rate: FxRate = parsed(PAYMENTS, &self.fx_rate)?;
        Ok(Payment {
            id: self.id,
            amount: amount(PAYMENTS, self.amount, currencies.own)?,
            date: Date::from_sql(self.date).ok_or_else(|| broken(PAYMENTS))?,
            means: match self.means {
                StoredMeans::Money { method, bank_account, movement } => {
                    Means::Money { method, bank_account, movement }
                }
                StoredMeans::Offset { document, payment } => Means::Offset { document, payment },
                StoredMeans::Replacement { document } => Means::Replacement { document },
            },
            fx_rate,
            settled: amount(PAYMENTS, self.settled, currencies.base)?,
            reference: self.reference,
            recorded_at: Timestamp::from_unix_micros(self.recorded_at),
        })
    }
}

#[derive(Serialize, Deserialize)]
struct StoredRectifiedBy {
    document: SalesDocumentId,
    /// Of differences: the code of each tax, and what is added to its base. A substitution has none.
    bases: Option<Vec<(String, i64)>>,
}

/// What put the document right, as JSON.
pub(super) fn rectifications(all: &[RectifiedBy]) -> String {
    let base = |base: &TaxBase| (base.tax_code.clone(), base.base.minor());
    let stored = |one: &RectifiedBy| StoredRectifiedBy {
        document: one.document,
        bases: match &one.effect {
            Effect::Differences { bases } => Some(bases.iter().map(base).collect()),
            Effect::Substitution => None,
        },
    };
    json(&all.iter().map(stored).collect::<Vec<_>>())
}

/// What put the document right, of JSON.
pub(super) fn rectified_by(text: &str, currency: Currency) -> Result<Vec<RectifiedBy>, StoreError> {
    let stored: Vec<StoredRectifiedBy> = from_json(RECTIFICATIONS, text)?;
    let base =
        |(tax_code, minor)| amount(RECTIFICATIONS, minor, currency).map(|base| TaxBase { tax_code, base });
    let read = |one: StoredRectifiedBy| {
        let effect = match one.bases {
            Some(bases) => {
                Effect::Differences { bases: bases.into_iter().map(base).collect::<Result<_, _>>()? }
            }
            None => Effect::Substitution,
        };
        Ok(RectifiedBy { document: one.document, effect })
    };
    stored.into_iter().map(read).collect()
}

/// What a substitution took the place of, as JSON.
pub(super) fn replaced(replaced: &Replaced) -> String {
    json(&[replaced.base.minor(), replaced.quota.minor(), replaced.surcharge_quota.minor()])
}

/// What a substitution took the place of, of JSON.
pub(super) fn read_replaced(text: &str, currency: Currency) -> Result<Replaced, StoreError> {
    let [base, quota, surcharge]: [i64; 3] = from_json(REPLACED, text)?;
    let of = |minor| amount(REPLACED, minor, currency);
    Ok(Replaced { base: of(base)?, quota: of(quota)?, surcharge_quota: of(surcharge)? })
}

fn amount(column: &'static str, minor: i64, currency: Currency) -> Result<Amount, StoreError> {
    Amount::from_minor(minor, currency).map_err(|_| broken(column))
}
