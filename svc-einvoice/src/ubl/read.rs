//! Reads invoices and credit notes of UBL.

mod figures;
mod parties;

use rust_decimal::Decimal;
use svc_core::money::{Amount, Currency};

use crate::assembly::{beyond, is_credit, kind, settle, split_surcharges, take_notes, turn_signs};
use crate::error::{ReadError, Reading};
use crate::model::{BaseCurrency, Delivery, Invoice, Period, Preceding, References};
use crate::xml::{Gaps, Node, Place, parse};

/// Reads a UBL 2.1 `Invoice` or `CreditNote`, also of profiles that build on EN 16931 such as Peppol BIS 3.
///
/// A credit note comes with negative amounts. Attachments, signatures, payees and tax representatives are left out.
///
/// # Errors
/// [`ReadError`]: no XML or too much of it, another root, or an element whose text is no value. What is not there is
/// no error; [`Reading::missing`] tells.
pub fn read(bytes: &[u8]) -> Result<Reading, ReadError> {
    from_tree(&parse(bytes)?)
}

/// Whether this is a root of UBL.
pub(crate) fn is_root(name: &str) -> bool {
    matches!(name, "Invoice" | "CreditNote")
}

pub(crate) fn from_tree(root: &Node) -> Result<Reading, ReadError> {
    if !is_root(&root.name) {
        return Err(ReadError::Root { found: root.name.clone(), expected: "Invoice or CreditNote" });
    }
    let gaps = Gaps::default();
    let invoice = document(&Place::root(root, &gaps))?;
    Ok(Reading { invoice, missing: gaps.into_missing() })
}

fn document(root: &Place<'_>) -> Result<Invoice, ReadError> {
    let is_note = root.node.name == "CreditNote";
    let type_code = root.needed(if is_note { "CreditNoteTypeCode" } else { "InvoiceTypeCode" }, "BT-3");
    let type_code = if type_code.is_empty() && is_note { "381".to_owned() } else { type_code };
    let currency = root.currency("DocumentCurrencyCode")?.unwrap_or_else(|| {
        root.lacks("DocumentCurrencyCode", "BT-5");
        Currency::EUR
    });
    let mut invoice = Invoice::empty(kind(&type_code, preceding(root)?), currency);
    invoice.number = root.needed("ID", "BT-1");
    invoice.issue_date = root.date("IssueDate")?;
    if invoice.issue_date.is_none() {
        root.lacks("IssueDate", "BT-2");
    }
    invoice.operation_date = root.date("TaxPointDate")?;
    invoice.base = base_currency(root, currency)?;
    invoice.references = References {
        buyer: root.text("BuyerReference"),
        order: root.text("OrderReference/ID"),
        contract: root.text("ContractDocumentReference/ID"),
    };
    invoice.period = period(root)?;
    invoice.verification_url = verification(root);
    invoice.seller = parties::seller(root);
    invoice.buyer = parties::buyer(root);
    invoice.delivery = delivery(root)?;
    invoice.payment = parties::payment(root)?;
    figures::read(root, &mut invoice, if is_note { "CreditNoteLine" } else { "InvoiceLine" })?;
    split_surcharges(&mut invoice).map_err(beyond(root))?;
    if is_note || is_credit(&type_code) {
        turn_signs(&mut invoice);
    }
    take_notes(
        &mut invoice,
        root.all("Note").iter().filter_map(|note| note.node.text().map(str::to_owned)).collect(),
    );
    settle(&mut invoice).map_err(beyond(root))?;
    Ok(invoice)
}

fn preceding(root: &Place<'_>) -> Result<Vec<Preceding>, ReadError> {
    let mut all = Vec::new();
    for place in root.all("BillingReference") {
        let number = place.needed("InvoiceDocumentReference/ID", "BT-25");
        all.push(Preceding { number, date: place.date("InvoiceDocumentReference/IssueDate")? });
    }
    Ok(all)
}

/// The seller's own currency, and the tax in it: a second sum without parts.
fn base_currency(root: &Place<'_>, currency: Currency) -> Result<Option<BaseCurrency>, ReadError> {
    let Some(base) = root.currency("TaxCurrencyCode")?.filter(|base| *base != currency) else {
        return Ok(None);
    };
    let totals = root.all("TaxTotal");
    let of_base = |place: &&Place<'_>| {
        place.at("TaxAmount").is_some_and(|amount| amount.node.attribute("currencyID") == Some(base.code()))
    };
    let tax = if let Some(total) = totals.iter().find(of_base) {
        total.amount_or_zero("TaxAmount", base)?
    } else {
        root.lacks("TaxTotal/TaxAmount", "BT-111");
        Amount::zero(base)
    };
    Ok(Some(BaseCurrency { currency: base, rate: Decimal::ZERO, tax }))
}

fn period(root: &Place<'_>) -> Result<Option<Period>, ReadError> {
    let start = root.date("InvoicePeriod/StartDate")?;
    let end = root.date("InvoicePeriod/EndDate")?;
    Ok(start.zip(end).map(|(start, end)| Period { start, end }))
}

fn delivery(root: &Place<'_>) -> Result<Option<Delivery>, ReadError> {
    let date = root.date("Delivery/ActualDeliveryDate")?;
    let country = root.text("Delivery/DeliveryLocation/Address/Country/IdentificationCode");
    Ok((date.is_some() || country.is_some()).then_some(Delivery { date, country }))
}

fn verification(root: &Place<'_>) -> Option<String> {
    let documents = root.all("AdditionalDocumentReference");
    let named = documents.iter().find(|place| place.text("ID").as_deref() == Some(super::VERIFACTU))?;
    named.text("Attachment/ExternalReference/URI")
}
