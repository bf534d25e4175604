//! The records of a document.

use svc_core::money::{Amount, MoneyError};

use super::{Annulment, RecordType, Registration};
use crate::sales::document::{DocType, Kind, ReasonCode, SalesDocument};

/// What the record of an issued document says; `None` of a document that has none: a draft, one that does not count
/// for taxes, or one whose company has no tax id.
///
/// # Errors
/// [`MoneyError`] when an amount is beyond the base currency.
pub fn registration(document: &SalesDocument) -> Result<Option<Registration>, MoneyError> {
    let Some(record_type) = record_type(&document.kind) else { return Ok(None) };
    let Some(issue) = document.issue_data() else { return Ok(None) };
    let Some(issuer) = issue.issuer.tax_id.clone() else { return Ok(None) };
    let taxes = &document.content.figures().taxes;
    let charged = taxes.iter().flat_map(|tax| [tax.quota, tax.surcharge_quota]);
    let charged = charged.map(|quota| document.in_base(quota)).collect::<Result<Vec<_>, _>>()?;
    Ok(Some(Registration {
        issuer,
        number: issue.number.clone(),
        date: issue.issue_date,
        record_type,
        tax: Amount::sum(charged, document.base_currency)?,
        total: document.in_base(document.content.totals().total)?,
    }))
}

/// What the record of the voiding of a document says; `None` of a document that has none.
#[must_use]
pub fn annulment(document: &SalesDocument) -> Option<Annulment> {
    let issue = document.issue_data()?;
    let registered = &issue.compliance.as_ref()?.record.subject;
    let issuer = registered.issuer.clone();
    Some(Annulment { issuer, number: issue.number.clone(), date: issue.issue_date })
}

fn record_type(kind: &Kind) -> Option<RecordType> {
    match (kind.doc_type(), kind.rectification().map(|rectification| rectification.reason_code)) {
        (DocType::Invoice, _) => Some(RecordType::F1),
        (DocType::SimplifiedInvoice, _) => Some(RecordType::F2),
        (DocType::Rectifying, reason) => Some(match reason? {
            ReasonCode::R1 => RecordType::R1,
            ReasonCode::R2 => RecordType::R2,
            ReasonCode::R3 => RecordType::R3,
            ReasonCode::R4 => RecordType::R4,
            ReasonCode::R5 => RecordType::R5,
        }),
        (DocType::Proforma | DocType::Quote, _) => None,
    }
}
