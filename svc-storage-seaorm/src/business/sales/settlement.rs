//! Payments of a document, and what put it right, as JSON.

use serde::{Deserialize, Serialize};
use svc_business::sales::document::{Effect, Means, RectifiedBy, Replaced, Settlement, TaxBase};
use svc_core::error::StoreError;
use svc_core::id::{PaymentId, SalesDocumentId};
use svc_core::money::{Amount, Currency};

use crate::business::invoicing::{self, Currencies, Money, amount};
use crate::value::{from_json, json};

const PAYMENTS: &str = "sales_documents.payments";
const RECTIFICATIONS: &str = "sales_documents.rectifications";
const REPLACED: &str = "sales_documents.replaced";

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredMeans {
    Money(Money),
    Offset { document: SalesDocumentId, payment: PaymentId },
    Replacement { document: SalesDocumentId },
}

/// The payments as JSON.
pub(super) fn payments(settlement: &Settlement) -> String {
    invoicing::payments(settlement, |means| match means.clone() {
        Means::Money { method, bank_account, movement } => {
            StoredMeans::Money(Money { method, bank_account, movement })
        }
        Means::Offset { document, payment } => StoredMeans::Offset { document, payment },
        Means::Replacement { document } => StoredMeans::Replacement { document },
    })
}

/// The payments of JSON, of what is payable.
pub(super) fn settlement(
    text: &str,
    payable: Amount,
    currencies: Currencies,
) -> Result<Settlement, StoreError> {
    invoicing::settlement(PAYMENTS, text, payable, currencies, |means| match means {
        StoredMeans::Money(Money { method, bank_account, movement }) => {
            Means::Money { method, bank_account, movement }
        }
        StoredMeans::Offset { document, payment } => Means::Offset { document, payment },
        StoredMeans::Replacement { document } => Means::Replacement { document },
    })
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
