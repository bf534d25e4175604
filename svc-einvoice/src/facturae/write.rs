//! Writes a document as Facturae.

mod figures;
mod lines;
mod parties;

use svc_core::money::{Amount, Currency};
use time::Date;

use super::{ALSO_CORRECTS, VERIFACTU, codes};
use crate::error::WriteError;
use crate::exchange::exchange_form;
use crate::model::{Correction, CorrectionMethod, Invoice, Kind, Party, Preceding};
use crate::xml::XmlWriter;

const NAMESPACE: &str = "http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml";
const SIGNATURES: &str = "http://www.w3.org/2000/09/xmldsig#";
/// The longest number, series and reference.
const SHORT: usize = 20;
/// The longest free text.
const LONG: usize = 2500;

/// Writes a document as Facturae 3.2.2, to be signed by who sends it; [the module](super) tells how.
///
/// The document is brought into its [`exchange_form`] first. Amounts have their signs, also in corrective invoices.
///
/// # Errors
/// [`WriteError::Unsupported`] for a quote, a proforma invoice and a base currency that is not the euro,
/// [`WriteError::Missing`] for what the schema demands, [`WriteError::Text`] for a number or reference of more than
/// 20 characters, [`WriteError::Amount`].
pub fn write(invoice: &Invoice) -> Result<Vec<u8>, WriteError> {
    let invoice = exchange_form(invoice)?;
    let sheet = Sheet::of(&invoice)?;
    let mut xml = XmlWriter::new();
    xml.open_with("fe:Facturae", &[("xmlns:fe", NAMESPACE), ("xmlns:ds", SIGNATURES)]);
    sheet.header(&mut xml)?;
    xml.open("Parties");
    parties::party(&mut xml, "SellerParty", &invoice.seller)?;
    parties::party(&mut xml, "BuyerParty", sheet.buyer)?;
    xml.close("Parties");
    xml.open("Invoices");
    xml.open("Invoice");
    sheet.identity(&mut xml)?;
    sheet.issue(&mut xml)?;
    sheet.taxes(&mut xml)?;
    sheet.totals(&mut xml)?;
    sheet.lines(&mut xml)?;
    sheet.payment(&mut xml);
    sheet.literals(&mut xml);
    sheet.additional(&mut xml);
    xml.close("Invoice");
    xml.close("Invoices");
    xml.close("fe:Facturae");
    Ok(xml.finish())
}

/// A document on its way into a file.
struct Sheet<'a> {
    invoice: &'a Invoice,
    buyer: &'a Party,
    issued: Date,
    class: &'static str,
    kind: &'static str,
}

impl<'a> Sheet<'a> {
    fn of(invoice: &'a Invoice) -> Result<Self, WriteError> {
        let unsupported = |what| Err(WriteError::Unsupported { format: "Facturae", what });
        let missing = |term, what| WriteError::Missing { term, what };
        let (kind, class) = match &invoice.kind {
            Kind::Invoice => ("FC", "OO"),
            Kind::Simplified => ("FA", "OO"),
            Kind::Corrective(_) => ("FC", "OR"),
            Kind::Proforma => return unsupported("a proforma invoice"),
            Kind::Quote => return unsupported("a quote"),
        };
        if invoice.base.is_some_and(|base| base.currency != Currency::EUR || base.rate.is_zero()) {
            return unsupported("a base currency that is not the euro, or without a rate");
        }
        if invoice.number.is_empty() {
            return Err(missing("BT-1", "its number"));
        }
        if invoice.lines.is_empty() {
            return Err(missing("BG-25", "a line"));
        }
        let buyer = invoice.buyer.as_ref().ok_or(missing("BG-7", "the buyer"))?;
        let issued = invoice.issue_date.ok_or(missing("BT-2", "its day of issue"))?;
        Ok(Self { invoice, buyer, issued, class, kind })
    }

    fn header(&self, xml: &mut XmlWriter) -> Result<(), WriteError> {
        let totals = &self.invoice.totals;
        let seller = self.invoice.seller.tax_id().unwrap_or_default();
        xml.open("FileHeader");
        xml.leaf("SchemaVersion", "3.2.2");
        xml.leaf("Modality", "I");
        xml.leaf("InvoiceIssuerType", "EM");
        xml.open("Batch");
        xml.leaf("BatchIdentifier", cut(&format!("{seller}{}", self.invoice.number), 70));
        xml.leaf("InvoicesCount", "1");
        self.amount(xml, "TotalInvoicesAmount", totals.total.minus(totals.withholding)?)?;
        self.amount(xml, "TotalOutstandingAmount", totals.due)?;
        self.amount(xml, "TotalExecutableAmount", totals.due)?;
        xml.leaf("InvoiceCurrencyCode", self.invoice.currency.code());
        xml.close("Batch");
        xml.close("FileHeader");
        Ok(())
    }

    fn identity(&self, xml: &mut XmlWriter) -> Result<(), WriteError> {
        xml.open("InvoiceHeader");
        xml.leaf("InvoiceNumber", short("InvoiceNumber", &self.invoice.number)?);
        xml.leaf("InvoiceDocumentType", self.kind);
        xml.leaf("InvoiceClass", self.class);
        if let Kind::Corrective(correction) = &self.invoice.kind {
            self.corrective(xml, correction)?;
        }
        xml.close("InvoiceHeader");
        Ok(())
    }

    fn corrective(&self, xml: &mut XmlWriter, correction: &Correction) -> Result<(), WriteError> {
        let first = correction.corrects.first();
        let (code, description) = codes::reason(correction.reason);
        let day = first.and_then(|preceding| preceding.date).unwrap_or(self.issued);
        let (start, end) = self.invoice.period.map_or((day, day), |period| (period.start, period.end));
        let (method, method_text) = match correction.method {
            CorrectionMethod::Substitution => ("01", "Rectificación íntegra"),
            CorrectionMethod::Differences => ("02", "Rectificación por diferencias"),
        };
        let law = correction.reason.map(|reason| format!("{}: ", reason.code())).unwrap_or_default();
        xml.open("Corrective");
        if let Some(preceding) = first {
            xml.leaf("InvoiceNumber", short("Corrective/InvoiceNumber", &preceding.number)?);
        }
        xml.leaf("ReasonCode", code);
        xml.leaf("ReasonDescription", description);
        period(xml, "TaxPeriod", start, end);
        xml.leaf("CorrectionMethod", method);
        xml.leaf("CorrectionMethodDescription", method_text);
        let text = format!("{law}{}", correction.text);
        xml.optional("AdditionalReasonDescription", Some(cut(text.trim(), LONG)));
        let date = first.and_then(|preceding| preceding.date).map(|date| date.to_string());
        xml.optional("InvoiceIssueDate", date.as_deref());
        xml.close("Corrective");
        Ok(())
    }

    fn issue(&self, xml: &mut XmlWriter) -> Result<(), WriteError> {
        let invoice = self.invoice;
        xml.open("InvoiceIssueData");
        xml.leaf("IssueDate", &self.issued.to_string());
        xml.optional("OperationDate", invoice.operation_date.map(|date| date.to_string()).as_deref());
        if let Some(days) = invoice.period {
            period(xml, "InvoicingPeriod", days.start, days.end);
        }
        xml.leaf("InvoiceCurrencyCode", invoice.currency.code());
        if let Some(base) = invoice.base {
            xml.open("ExchangeRateDetails");
            xml.leaf("ExchangeRate", &base.rate.round_dp(8).normalize().to_string());
            xml.leaf("ExchangeRateDate", &self.issued.to_string());
            xml.close("ExchangeRateDetails");
        }
        xml.leaf("TaxCurrencyCode", invoice.base.map_or(invoice.currency, |base| base.currency).code());
        xml.leaf("LanguageName", invoice.language.code());
        let references = &invoice.references;
        for (name, text) in [
            ("ReceiverTransactionReference", &references.order),
            ("FileReference", &references.buyer),
            ("ReceiverContractReference", &references.contract),
        ] {
            if let Some(text) = text {
                xml.leaf(name, short(name, text)?);
            }
        }
        xml.close("InvoiceIssueData");
        Ok(())
    }

    fn literals(&self, xml: &mut XmlWriter) {
        let reasons = self.invoice.taxes.iter().filter_map(|tax| tax.exemption.as_ref());
        let reasons: Vec<_> = reasons.filter(|exemption| !exemption.reason.is_empty()).collect();
        if !reasons.is_empty() {
            xml.open("LegalLiterals");
            for exemption in reasons {
                xml.leaf("LegalReference", cut(&exemption.reason, 250));
            }
            xml.close("LegalLiterals");
        }
    }

    /// Free texts, and lines that carry what has no element.
    fn additional(&self, xml: &mut XmlWriter) {
        let mut lines = self.invoice.notes.clone();
        if let Kind::Corrective(correction) = &self.invoice.kind {
            let others: Vec<_> = correction.corrects.iter().skip(1).map(told).collect();
            if !others.is_empty() {
                lines.push(format!("{ALSO_CORRECTS}{}", others.join(", ")));
            }
        }
        lines.extend(self.invoice.verification_url.iter().map(|address| format!("{VERIFACTU}{address}")));
        if !lines.is_empty() {
            xml.open("AdditionalData");
            xml.leaf("InvoiceAdditionalInformation", cut(&lines.join("\n"), LONG));
            xml.close("AdditionalData");
        }
    }

    /// An amount, with what it is in euros where the document has another currency.
    fn amount(&self, xml: &mut XmlWriter, name: &str, amount: Amount) -> Result<(), WriteError> {
        xml.open(name);
        xml.leaf("TotalAmount", &amount.to_string());
        if let Some(base) = self.invoice.base {
            xml.leaf("EquivalentInEuros", &base.convert(amount)?.to_string());
        }
        xml.close(name);
        Ok(())
    }
}

fn told(preceding: &Preceding) -> String {
    let date = preceding.date.map(|date| format!(" ({date})")).unwrap_or_default();
    format!("{}{date}", preceding.number)
}

fn period(xml: &mut XmlWriter, name: &str, start: Date, end: Date) {
    xml.open(name);
    xml.leaf("StartDate", &start.to_string());
    xml.leaf("EndDate", &end.to_string());
    xml.close(name);
}

/// What must not be cut.
fn short<'t>(element: &'static str, text: &'t str) -> Result<&'t str, WriteError> {
    if text.chars().count() > SHORT {
        return Err(WriteError::Text { element, expected: "at most 20 characters" });
    }
    Ok(text)
}

/// The first characters of a text.
fn cut(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).and_then(|(at, _)| text.get(..at)).unwrap_or(text)
}
