//! Reads invoices of Facturae.

mod figures;
mod lines;
mod parties;

use svc_core::money::{Amount, Currency};
use time::Date;

use super::{ALSO_CORRECTS, VERIFACTU};
use crate::assembly::beyond;
use crate::error::{ReadError, Reading};
use crate::model::{
    BaseCurrency, Correction, CorrectionMethod, CorrectionReason, Invoice, Kind, Language, Period, Preceding,
};
use crate::xml::{Gaps, Node, Place, parse};

/// Reads a Facturae file (3.2, 3.2.1 or 3.2.2) with one invoice. Its signature is not looked at.
///
/// # Errors
/// [`ReadError`]: no XML or too much of it, another root, several invoices, or an element whose text is no value.
/// What is not there is no error; [`Reading::missing`] tells.
pub fn read(bytes: &[u8]) -> Result<Reading, ReadError> {
    from_tree(&parse(bytes)?)
}

/// Whether this is the root of Facturae.
pub(crate) fn is_root(name: &str) -> bool {
    name == "Facturae"
}

pub(crate) fn from_tree(root: &Node) -> Result<Reading, ReadError> {
    if !is_root(&root.name) {
        return Err(ReadError::Root { found: root.name.clone(), expected: "Facturae" });
    }
    let gaps = Gaps::default();
    let invoice = document(&Place::root(root, &gaps))?;
    Ok(Reading { invoice, missing: gaps.into_missing() })
}

fn document(root: &Place<'_>) -> Result<Invoice, ReadError> {
    let invoices = root.all_in("Invoices", "Invoice");
    let [place] = invoices.as_slice() else {
        return Err(ReadError::Value { element: "Facturae/Invoices".to_owned(), expected: "one invoice" });
    };
    let currency = place.currency("InvoiceIssueData/InvoiceCurrencyCode")?.unwrap_or_else(|| {
        place.lacks("InvoiceIssueData/InvoiceCurrencyCode", "BT-5");
        Currency::EUR
    });
    let mut invoice = Invoice::empty(kind(place)?, currency);
    let series = place.text("InvoiceHeader/InvoiceSeriesCode").unwrap_or_default();
    invoice.number = format!("{series}{}", place.needed("InvoiceHeader/InvoiceNumber", "BT-1"));
    issue(place, &mut invoice)?;
    invoice.seller = parties::party(root, "SellerParty", "BG-4");
    invoice.buyer = Some(parties::party(root, "BuyerParty", "BG-7"));
    lines::read(place, &mut invoice)?;
    figures::read(place, &mut invoice)?;
    invoice.payment = parties::payment(place)?;
    invoice.base = base(place, &invoice)?;
    additional(place, &mut invoice);
    Ok(invoice)
}

fn kind(place: &Place<'_>) -> Result<Kind, ReadError> {
    let simplified = place.text("InvoiceHeader/InvoiceDocumentType").as_deref() == Some("FA");
    let Some(corrective) = place.at("InvoiceHeader/Corrective") else {
        return Ok(if simplified { Kind::Simplified } else { Kind::Invoice });
    };
    let method = match corrective.needed("CorrectionMethod", "").as_str() {
        "01" => CorrectionMethod::Substitution,
        _ => CorrectionMethod::Differences,
    };
    let text = corrective.text("AdditionalReasonDescription");
    let text = text.or_else(|| corrective.text("ReasonDescription")).unwrap_or_default();
    let law = text.split_once(':').and_then(|(code, rest)| Some((CorrectionReason::from_code(code)?, rest)));
    let (reason, text) = match law {
        Some((reason, rest)) => (Some(reason), rest.trim().to_owned()),
        None => (None, text),
    };
    let series = corrective.text("InvoiceSeriesCode").unwrap_or_default();
    let number = corrective.text("InvoiceNumber").map(|number| format!("{series}{number}"));
    let date = corrective.date("InvoiceIssueDate")?;
    let corrects = number.map(|number| Preceding { number, date }).into_iter().collect();
    Ok(Kind::Corrective(Correction { method, reason, text, corrects }))
}

fn issue(place: &Place<'_>, invoice: &mut Invoice) -> Result<(), ReadError> {
    let Some(data) = place.at("InvoiceIssueData") else {
        place.lacks("InvoiceIssueData", "BT-2");
        return Ok(());
    };
    invoice.issue_date = data.date("IssueDate")?;
    if invoice.issue_date.is_none() {
        data.lacks("IssueDate", "BT-2");
    }
    invoice.operation_date = data.date("OperationDate")?;
    let days = data.date("InvoicingPeriod/StartDate")?.zip(data.date("InvoicingPeriod/EndDate")?);
    invoice.period = days.map(|(start, end)| Period { start, end });
    invoice.language = if data.text("LanguageName").as_deref() == Some("en") {
        Language::English
    } else {
        Language::Spanish
    };
    invoice.references.order = data.text("ReceiverTransactionReference");
    invoice.references.buyer = data.text("FileReference");
    invoice.references.contract = data.text("ReceiverContractReference");
    Ok(())
}

fn base(place: &Place<'_>, invoice: &Invoice) -> Result<Option<BaseCurrency>, ReadError> {
    let Some(rate) = place.decimal("InvoiceIssueData/ExchangeRateDetails/ExchangeRate")? else {
        return Ok(None);
    };
    if invoice.currency == Currency::EUR {
        return Ok(None);
    }
    let base = BaseCurrency { currency: Currency::EUR, rate, tax: Amount::zero(Currency::EUR) };
    let tax = base.convert(invoice.totals.tax).map_err(beyond(place))?;
    Ok(Some(BaseCurrency { tax, ..base }))
}

/// Takes out the lines that carry something else; the rest is notes.
fn additional(place: &Place<'_>, invoice: &mut Invoice) {
    let text = place.text("AdditionalData/InvoiceAdditionalInformation").unwrap_or_default();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(address) = line.strip_prefix(VERIFACTU) {
            invoice.verification_url = Some(address.to_owned());
        } else if let (Some(others), Kind::Corrective(correction)) =
            (line.strip_prefix(ALSO_CORRECTS), &mut invoice.kind)
        {
            correction.corrects.extend(others.split(", ").map(preceding));
        } else {
            invoice.notes.push(line.to_owned());
        }
    }
}

/// `F-1 (2025-01-31)`
fn preceding(text: &str) -> Preceding {
    let dated = text.strip_suffix(')').and_then(|text| text.rsplit_once(" ("));
    let iso = |text: &str| Date::parse(text, &time::macros::format_description!("[year]-[month]-[day]")).ok();
    match dated.and_then(|(number, date)| Some((number, iso(date)?))) {
        Some((number, date)) => Preceding { number: number.to_owned(), date: Some(date) },
        None => Preceding { number: text.to_owned(), date: None },
    }
}
