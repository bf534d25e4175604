//! Documents to exchange, made of the sales of `svc-business`.
//!
//! A file shows what a response masks, so making one takes the proof that its reader may see personal data.

mod exemption;
mod figures;
mod loaded;
mod party;

use svc_business::contact::PaymentMethod as Method;
use svc_business::party::{LanguageTag, Phone};
use svc_business::sales::document::{
    Customer, DocType, Issuer, Method as By, ReasonCode, Rectification, SalesDocument,
};
use svc_business::sales::verifactu::{QrHost, QrMode, qr_url};
use svc_business::trade::TaxCategory;
use svc_core::money::MoneyError;
use svc_core::pii::{Mask as _, Reveal};
use time::Date;

pub use self::loaded::LoadedSale;
use crate::model::{
    Correction, CorrectionMethod, CorrectionReason, Delivery, Invoice, Kind, Language, Payment,
    PaymentMethod, Preceding, References,
};

/// A sales document with what is not in it.
#[derive(Clone, Copy, Debug)]
pub struct Sold<'a> {
    /// The document.
    pub document: &'a SalesDocument,
    /// The company as it is now: that of a draft.
    pub issuer: &'a Issuer,
    /// The customer as it is now: that of a draft.
    pub customer: Option<&'a Customer>,
    /// The language of its texts.
    pub language: Language,
    /// The day of issue of a draft that plans none.
    pub today: Date,
    /// The documents that it puts right, issued ones.
    pub originals: &'a [SalesDocument],
}

impl Language {
    /// The language of a document for who reads this one: English, or else Spanish.
    #[must_use]
    pub fn for_reader(reader: &LanguageTag) -> Self {
        if reader.as_str().to_ascii_lowercase().starts_with("en") { Self::English } else { Self::Spanish }
    }
}

/// The document to exchange.
///
/// # Errors
/// [`MoneyError`] when an amount cannot be counted in the currency of the books.
pub fn invoice_of(sold: &Sold<'_>, proof: Reveal) -> Result<Invoice, MoneyError> {
    let document = sold.document;
    let issue = document.issue_data();
    let issuer = issue.map_or(sold.issuer, |issue| &issue.issuer);
    let customer = match issue {
        Some(issue) => issue.customer.as_ref(),
        None => sold.customer,
    };
    let mut invoice = Invoice::empty(kind(sold), document.content.currency());
    invoice.number = issue.map(|issue| issue.number.to_string()).unwrap_or_default();
    invoice.issue_date = document.issue_date().or(Some(sold.today));
    invoice.operation_date = document.operation_date;
    invoice.language = sold.language;
    // Who sells nothing but what is outside the tax says no VAT number (EN 16931, BR-O-02 to BR-O-04).
    let taxes = &document.content.figures().taxes;
    let untaxed = !taxes.is_empty() && taxes.iter().all(|tax| tax.tax.category == TaxCategory::NotSubject);
    invoice.seller = party::seller(issuer, untaxed, proof);
    invoice.buyer = customer.map(|customer| party::buyer(customer, untaxed, proof));
    invoice.delivery = delivery(document, customer);
    figures::put(&mut invoice, document)?;
    invoice.payment = payment(document, proof);
    invoice.references = References { order: document.reference.clone(), ..References::default() };
    invoice.notes = document.notes.iter().cloned().collect();
    let record = issue.and_then(|issue| issue.compliance.as_ref());
    let url = record.map(|one| qr_url(&one.record.subject, QrMode::NotVerifiable, QrHost::Production));
    invoice.verification_url = url.map(|url| url.revealed(proof).full());
    Ok(invoice)
}

fn kind(sold: &Sold<'_>) -> Kind {
    match (sold.document.doc_type(), sold.document.kind.rectification()) {
        (DocType::SimplifiedInvoice, _) => Kind::Simplified,
        (DocType::Proforma, _) => Kind::Proforma,
        (DocType::Quote, _) => Kind::Quote,
        (DocType::Rectifying, Some(rectification)) => Kind::Corrective(correction(rectification, sold)),
        (DocType::Invoice | DocType::Rectifying, _) => Kind::Invoice,
    }
}

fn correction(rectification: &Rectification, sold: &Sold<'_>) -> Correction {
    let preceding = |document: &SalesDocument| {
        let issue = document.issue_data()?;
        Some(Preceding { number: issue.number.to_string(), date: Some(issue.issue_date) })
    };
    Correction {
        method: match rectification.method {
            By::Differences => CorrectionMethod::Differences,
            By::Substitution => CorrectionMethod::Substitution,
        },
        reason: Some(match rectification.reason_code {
            ReasonCode::R1 => CorrectionReason::R1,
            ReasonCode::R2 => CorrectionReason::R2,
            ReasonCode::R3 => CorrectionReason::R3,
            ReasonCode::R4 => CorrectionReason::R4,
            ReasonCode::R5 => CorrectionReason::R5,
        }),
        text: rectification.reason.clone(),
        corrects: sold.originals.iter().filter_map(preceding).collect(),
    }
}

/// What leaves the country says when and where to (EN 16931, BR-IC-11 and BR-IC-12).
fn delivery(document: &SalesDocument, customer: Option<&Customer>) -> Option<Delivery> {
    let leaves = |category| match category {
        TaxCategory::IntraCommunity | TaxCategory::Export => true,
        TaxCategory::Standard
        | TaxCategory::Zero
        | TaxCategory::Exempt
        | TaxCategory::NotSubject
        | TaxCategory::ReverseCharge
        | TaxCategory::Igic
        | TaxCategory::Ipsi => false,
    };
    let left = document.content.figures().taxes.iter().any(|tax| leaves(tax.tax.category));
    let country = customer.map(|customer| customer.country.code().to_owned());
    left.then(|| Delivery { date: document.tax_date(), country })
}

fn payment(document: &SalesDocument, proof: Reveal) -> Payment {
    let iban = document.iban.as_ref().map(|iban| iban.revealed(proof).as_str().to_owned());
    let by_transfer = iban.is_some().then_some(PaymentMethod::Transfer);
    let method = document.payment_method.map(|method| match method {
        Method::Transfer => PaymentMethod::Transfer,
        Method::DirectDebit => PaymentMethod::DirectDebit,
        Method::Card => PaymentMethod::Card,
        Method::Cash => PaymentMethod::Cash,
        Method::Bill | Method::Other => PaymentMethod::Other,
    });
    Payment { due_date: document.due_date(), method: method.or(by_transfer), iban, ..Payment::default() }
}

/// A phone as people write it.
fn phone(phone: &Phone) -> String {
    phone.as_str().to_owned()
}
