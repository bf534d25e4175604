//! A document as a file: PDF, UBL and Facturae. Files show what a response masks.

use http::StatusCode;
use serde_json::{Value, json};
use svc_business::sales::document::{Action, Customer, Issuer, SalesDocument, State, WrongState};
use svc_core::resource::ResourceReader;
use svc_core::wire::{Described, Parts};
use svc_einvoice::model::{Invoice, Language};
use svc_einvoice::sold::{Sold, invoice_of};
use svc_einvoice::{WriteError, facturae, pdf, ubl};

use super::verbs::find;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::{Code, Problem};

pub(super) const PDF: &str = "application/pdf";
pub(super) const XML: &str = "application/xml";

/// Described by hand: it is no JSON.
#[derive(Debug)]
pub(crate) struct PdfFile;

/// Described by hand: it is no JSON.
#[derive(Debug)]
pub(crate) struct XmlFile;

impl Described for PdfFile {
    fn schema(parts: &mut Parts) -> Value {
        parts.named::<Self>("PdfFile", |_| {
            json!({
                "type": "string",
                "format": "binary",
                "description": "PDF/A-3.",
                "examples": ["%PDF-1.7"],
            })
        })
    }
}

impl Described for XmlFile {
    fn schema(parts: &mut Parts) -> Value {
        parts.named::<Self>("XmlFile", |_| {
            json!({
                "type": "string",
                "description": "An XML document in UTF-8.",
                "examples": ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"],
            })
        })
    }
}

/// A document with the invoice that is made of it.
struct Made {
    document: SalesDocument,
    invoice: Invoice,
}

pub(super) async fn as_pdf(req: ApiRequest) -> Result<Answer, Problem> {
    let Made { document, invoice } = made(&req).await?;
    let draft = document.issue_data().is_none();
    let rendered = tokio::task::spawn_blocking(move || pdf::render(&invoice, pdf::Options { draft })).await;
    let file = rendered.map_err(|_| Problem::internal())?.map_err(unwritable)?;
    Ok(answer(&document, file, PDF, "pdf"))
}

pub(super) async fn as_ubl(req: ApiRequest) -> Result<Answer, Problem> {
    let Made { document, invoice } = issued(&req).await?;
    let file = ubl::write(&invoice).map_err(unwritable)?;
    Ok(answer(&document, file, XML, "xml"))
}

pub(super) async fn as_facturae(req: ApiRequest) -> Result<Answer, Problem> {
    let Made { document, invoice } = issued(&req).await?;
    let file = facturae::write(&invoice).map_err(unwritable)?;
    Ok(answer(&document, file, XML, "xml"))
}

async fn issued(req: &ApiRequest) -> Result<Made, Problem> {
    let made = made(req).await?;
    if made.document.issue_data().is_none() {
        return Err(WrongState { action: Action::Send, state: State::Draft }.into());
    }
    Ok(made)
}

async fn made(req: &ApiRequest) -> Result<Made, Problem> {
    let document = find(req).await?;
    let Some(proof) = req.access().proof() else {
        let detail = "a file shows personal data, which the token does not see";
        return Err(Problem::new(Code::PersonalDataWithheld, detail));
    };
    let (business, scope) = (&req.app.business, &req.caller.principal.scope);
    let company = req.company_of(scope, document.company).await?;
    let contact = match document.contact {
        Some(id) => business.contacts().find(scope, id).await?,
        None => None,
    };
    let originals = document.kind.rectification().map(|one| one.originals.clone()).unwrap_or_default();
    let found = ResourceReader::<SalesDocument>::find_all(business.sales(), scope, &originals).await?;
    let originals: Vec<_> =
        originals.iter().filter_map(|id| found.iter().find(|found| found.id == *id).cloned()).collect();
    let customer = contact.as_ref().map(|contact| Customer::of(contact, company.country));
    let reader = contact.as_ref().map_or(&company.language, |contact| &contact.language);
    let sold = Sold {
        document: &document,
        issuer: &Issuer::of(&company),
        customer: customer.as_ref(),
        language: Language::for_reader(reader),
        today: company.local_date(req.context.now),
        originals: &originals,
    };
    let invoice = invoice_of(&sold, proof).map_err(|error| unwritable(error.into()))?;
    Ok(Made { document, invoice })
}

fn answer(document: &SalesDocument, file: Vec<u8>, media: &'static str, suffix: &str) -> Answer {
    let number = document.issue_data().map(|issue| issue.number.to_string().replace('/', "-"));
    let name = format!("{}.{suffix}", number.unwrap_or_else(|| document.id.to_string()));
    Answer::file(StatusCode::OK, file, media, &name).of(document.company)
}

/// The format has no place for the document, or the document lacks what the format demands.
fn unwritable(error: WriteError) -> Problem {
    match error {
        WriteError::Unsupported { .. } | WriteError::Missing { .. } | WriteError::Text { .. } => {
            Problem::new(Code::NotExchangeable, error.to_string())
        }
        WriteError::Amount(error) => svc_core::error::StoreError::backend(error).into(),
        WriteError::Layout(_) => svc_core::error::StoreError::backend(error).into(),
    }
}
