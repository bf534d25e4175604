//! Writes a document as UBL.

mod figures;
mod lines;
mod parties;

use svc_core::money::Amount;
use time::Date;

use crate::error::WriteError;
use crate::exchange::exchange_form;
use crate::model::{CorrectionMethod, Invoice, Kind, TaxCategory};
use crate::notes;
use crate::xml::XmlWriter;

const CUSTOMIZATION: &str = "urn:cen.eu:en16931:2017";
const INVOICE: &str = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2";
const CREDIT_NOTE: &str = "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2";
const AGGREGATES: &str = "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2";
const BASICS: &str = "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2";
/// Digits of an amount that EN 16931 takes (BR-DEC-01 and the following).
const MOST_DIGITS: u32 = 2;

/// Writes a document as UBL 2.1 that conforms to EN 16931; [the module](super) tells how.
///
/// The document is brought into its [`exchange_form`] first.
///
/// # Errors
/// [`WriteError::Unsupported`] for a quote and a currency of three digits, [`WriteError::Missing`] for a term that
/// the standard demands, [`WriteError::Amount`].
pub fn write(invoice: &Invoice) -> Result<Vec<u8>, WriteError> {
    let invoice = exchange_form(invoice)?;
    let issued = demands(&invoice)?;
    let sheet = Sheet::of(&invoice, issued);
    let mut xml = XmlWriter::new();
    let (root, namespace) = if sheet.is_credit { ("CreditNote", CREDIT_NOTE) } else { ("Invoice", INVOICE) };
    xml.open_with(root, &[("xmlns", namespace), ("xmlns:cac", AGGREGATES), ("xmlns:cbc", BASICS)]);
    sheet.head(&mut xml);
    sheet.references(&mut xml);
    sheet.parties(&mut xml)?;
    sheet.delivery(&mut xml)?;
    sheet.payment(&mut xml);
    sheet.adjustments(&mut xml)?;
    sheet.taxes(&mut xml)?;
    sheet.totals(&mut xml)?;
    sheet.lines(&mut xml)?;
    xml.close(root);
    Ok(xml.finish())
}

/// A document on its way into a file.
struct Sheet<'a> {
    invoice: &'a Invoice,
    issued: Date,
    /// It is a credit note, and its amounts have their signs turned.
    is_credit: bool,
    /// Nothing in it is subject to VAT, so no VAT number may be named (BR-O-02).
    outside_vat: bool,
    currency: &'static str,
}

impl<'a> Sheet<'a> {
    fn of(invoice: &'a Invoice, issued: Date) -> Self {
        let is_credit = match &invoice.kind {
            Kind::Corrective(correction) => {
                correction.method == CorrectionMethod::Differences && invoice.totals.total.minor() < 0
            }
            Kind::Invoice | Kind::Simplified | Kind::Proforma | Kind::Quote => false,
        };
        let outside_vat = invoice.lines.iter().any(|line| line.tax.category == TaxCategory::NotSubject);
        Self { invoice, issued, is_credit, outside_vat, currency: invoice.currency.code() }
    }

    fn head(&self, xml: &mut XmlWriter) {
        let invoice = self.invoice;
        xml.leaf("cbc:CustomizationID", CUSTOMIZATION);
        xml.leaf("cbc:ID", &invoice.number);
        xml.leaf("cbc:IssueDate", &self.issued.to_string());
        let operation_date = invoice.operation_date.map(|date| date.to_string());
        if self.is_credit {
            xml.optional("cbc:TaxPointDate", operation_date.as_deref());
            xml.leaf("cbc:CreditNoteTypeCode", "381");
        } else {
            xml.optional("cbc:DueDate", invoice.payment.due_date.map(|date| date.to_string()).as_deref());
            xml.leaf("cbc:InvoiceTypeCode", type_code(&invoice.kind));
        }
        for note in notes::written(invoice) {
            xml.optional("cbc:Note", Some(&note));
        }
        if !self.is_credit {
            xml.optional("cbc:TaxPointDate", operation_date.as_deref());
        }
        xml.leaf("cbc:DocumentCurrencyCode", self.currency);
        xml.optional("cbc:TaxCurrencyCode", invoice.base.map(|base| base.currency.code()));
        xml.optional("cbc:BuyerReference", invoice.references.buyer.as_deref());
        if let Some(period) = invoice.period {
            xml.open("cac:InvoicePeriod");
            xml.leaf("cbc:StartDate", &period.start.to_string());
            xml.leaf("cbc:EndDate", &period.end.to_string());
            xml.close("cac:InvoicePeriod");
        }
    }

    fn references(&self, xml: &mut XmlWriter) {
        let references = &self.invoice.references;
        reference(xml, "cac:OrderReference", references.order.as_deref());
        if let Kind::Corrective(correction) = &self.invoice.kind {
            for preceding in &correction.corrects {
                xml.open("cac:BillingReference");
                xml.open("cac:InvoiceDocumentReference");
                xml.leaf("cbc:ID", &preceding.number);
                xml.optional("cbc:IssueDate", preceding.date.map(|date| date.to_string()).as_deref());
                xml.close("cac:InvoiceDocumentReference");
                xml.close("cac:BillingReference");
            }
        }
        reference(xml, "cac:ContractDocumentReference", references.contract.as_deref());
        if let Some(address) = &self.invoice.verification_url {
            xml.open("cac:AdditionalDocumentReference");
            xml.leaf("cbc:ID", super::VERIFACTU);
            xml.open("cac:Attachment");
            xml.open("cac:ExternalReference");
            xml.leaf("cbc:URI", address);
            xml.close("cac:ExternalReference");
            xml.close("cac:Attachment");
            xml.close("cac:AdditionalDocumentReference");
        }
    }

    /// An amount with the sign that it has in the file.
    fn signed(&self, amount: Amount) -> Amount {
        if self.is_credit { amount.negated() } else { amount }
    }

    fn amount(&self, xml: &mut XmlWriter, name: &str, amount: Amount) {
        let text = self.signed(amount).to_string();
        xml.leaf_with(name, &[("currencyID", amount.currency().code())], &text);
    }
}

fn type_code(kind: &Kind) -> &'static str {
    match kind {
        Kind::Invoice | Kind::Simplified | Kind::Quote => "380",
        Kind::Corrective(_) => "384",
        Kind::Proforma => "325",
    }
}

fn reference(xml: &mut XmlWriter, name: &str, id: Option<&str>) {
    if let Some(id) = id {
        xml.open(name);
        xml.leaf("cbc:ID", id);
        xml.close(name);
    }
}

/// What the standard demands; answers the day of issue.
fn demands(invoice: &Invoice) -> Result<Date, WriteError> {
    let missing = |term, what| Err(WriteError::Missing { term, what });
    let unsupported = |what| Err(WriteError::Unsupported { format: "EN 16931", what });
    if invoice.kind == Kind::Quote {
        return unsupported("a quote");
    }
    if invoice.currency.digits() > MOST_DIGITS {
        return unsupported("a currency of three digits");
    }
    if invoice.number.is_empty() {
        return missing("BT-1", "its number");
    }
    if invoice.lines.is_empty() {
        return missing("BG-25", "a line");
    }
    for tax in &invoice.taxes {
        let coded = tax.tax.category.exemption_code().is_some();
        let told = tax.exemption.as_ref().is_some_and(|one| !one.code.is_empty() || !one.reason.is_empty());
        if tax.tax.category.needs_reason() && !coded && !told {
            return missing("BT-120", "the reason of an exemption");
        }
    }
    let buyer = invoice.buyer.as_ref();
    let of = |category| invoice.taxes.iter().any(|tax| tax.tax.category == category);
    if of(TaxCategory::IntraCommunity) && buyer.is_none_or(|buyer| buyer.vat_number.is_none()) {
        return missing("BT-48", "the VAT number of the buyer, to whom the supply within the Union is made");
    }
    if of(TaxCategory::ReverseCharge) && buyer.is_none_or(|buyer| buyer.tax_id().is_none()) {
        return missing("BT-48", "the VAT number or registration of the buyer, who owes the tax");
    }
    let payment = &invoice.payment;
    if invoice.totals.due.minor() > 0 && payment.due_date.is_none() && payment.terms.is_none() {
        return missing("BT-9", "the day on which it is due, or terms of payment");
    }
    invoice.issue_date.ok_or(WriteError::Missing { term: "BT-2", what: "its day of issue" })
}
