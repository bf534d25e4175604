//! The mail of a document.

use svc_business::mail::{Attachment, Mail};
use svc_business::sales::document::DocType;
use svc_business::sales::operations::Letter;
use svc_core::money::MoneyError;
use svc_core::pii::Reveal;
use svc_einvoice::model::Language;
use svc_einvoice::sold::LoadedSale;
use svc_einvoice::{WriteError, pdf, ubl};
use thiserror::Error;
use time::Date;

/// Why there is no mail of a document.
#[derive(Debug, Error)]
pub enum ComposeError {
    /// A file of it cannot be written.
    #[error(transparent)]
    File(#[from] WriteError),
    /// An amount is out of range.
    #[error(transparent)]
    Amount(#[from] MoneyError),
}

/// Writes the mail with its files, in the language of the document; rendering a PDF takes some milliseconds of a processor.
///
/// # Errors
/// [`ComposeError`]
pub fn compose(
    id: String,
    sale: &LoadedSale,
    letter: &Letter,
    today: Date,
    proof: Reveal,
) -> Result<Mail, ComposeError> {
    let invoice = sale.invoice(today, proof)?;
    let mut attachments = Vec::new();
    if letter.attach_pdf {
        let content = pdf::render(&invoice, pdf::Options::default())?;
        attachments.push(Attachment { name: sale.file_name("pdf"), media_type: "application/pdf", content });
    }
    if letter.attach_xml {
        let content = ubl::write(&invoice)?;
        attachments.push(Attachment { name: sale.file_name("xml"), media_type: "application/xml", content });
    }
    let company = &sale.company;
    let from_name = company.trade_name.clone().unwrap_or_else(|| company.legal_name.clone());
    let usual = usual_subject(sale, &from_name);
    Ok(Mail {
        id,
        reply_to: company.email.clone(),
        to: letter.to(),
        cc: letter.cc(),
        text: letter.message.clone().unwrap_or_else(|| usual_text(sale, &from_name)),
        subject: letter.subject.clone().unwrap_or(usual),
        from_name,
        attachments,
    })
}

/// `Factura F2025-00001 de Sol SL`
fn usual_subject(sale: &LoadedSale, from: &str) -> String {
    let (what, number) = (what(sale), number(sale));
    match sale.language() {
        Language::Spanish => format!("{what} {number} de {from}"),
        Language::English => format!("{what} {number} from {from}"),
    }
}

fn usual_text(sale: &LoadedSale, from: &str) -> String {
    let (what, number) = (what(sale), number(sale));
    let totals = sale.document.content.totals();
    let amount = format!("{} {}", totals.payable, sale.document.content.currency().code());
    let due = sale.document.due_date();
    match sale.language() {
        Language::Spanish => {
            let until = due.map(|due| format!(", con vencimiento el {}", day(due))).unwrap_or_default();
            format!(
                "Hola:\n\nLe enviamos el documento {what} {number} por importe de {amount}{until}.\n\nUn saludo,\n{from}\n"
            )
        }
        Language::English => {
            let until = due.map(|due| format!(", due on {due}")).unwrap_or_default();
            format!("Hello,\n\nThis is {what} {number} for {amount}{until}.\n\nKind regards,\n{from}\n")
        }
    }
}

fn day(date: Date) -> String {
    format!("{:02}/{:02}/{}", date.day(), u8::from(date.month()), date.year())
}

fn number(sale: &LoadedSale) -> String {
    sale.document.issue_data().map(|issue| issue.number.to_string()).unwrap_or_default()
}

fn what(sale: &LoadedSale) -> &'static str {
    let (spanish, english) = match sale.document.doc_type() {
        DocType::Invoice => ("Factura", "Invoice"),
        DocType::SimplifiedInvoice => ("Factura simplificada", "Simplified invoice"),
        DocType::Rectifying => ("Factura rectificativa", "Rectifying invoice"),
        DocType::Proforma => ("Factura proforma", "Proforma invoice"),
        DocType::Quote => ("Presupuesto", "Quote"),
    };
    match sale.language() {
        Language::Spanish => spanish,
        Language::English => english,
    }
}
