//! A document as a file: PDF, UBL and Facturae. Files show what a response masks.

use http::StatusCode;
use serde_json::{Value, json};
use svc_business::sales::document::{Action, State, WrongState};
use svc_core::wire::{Described, Parts};
use svc_einvoice::model::Invoice;
use svc_einvoice::pdf::Standing;
use svc_einvoice::sold::LoadedSale;
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
    sale: LoadedSale,
    invoice: Invoice,
}

pub(super) async fn as_pdf(req: ApiRequest) -> Result<Answer, Problem> {
    let Made { sale, invoice } = made(&req).await?;
    let standing = match sale.document.status.state() {
        State::Draft => Standing::Draft,
        State::Issued => Standing::Issued,
        State::Voided => Standing::Voided,
    };
    let rendered =
        tokio::task::spawn_blocking(move || pdf::render(&invoice, pdf::Options { standing })).await;
    let file = rendered.map_err(|_| Problem::internal())?.map_err(unwritable)?;
    Ok(answer(&sale, file, PDF, "pdf"))
}

pub(super) async fn as_ubl(req: ApiRequest) -> Result<Answer, Problem> {
    let Made { sale, invoice } = issued(&req).await?;
    let file = ubl::write(&invoice).map_err(unwritable)?;
    Ok(answer(&sale, file, XML, "xml"))
}

pub(super) async fn as_facturae(req: ApiRequest) -> Result<Answer, Problem> {
    let Made { sale, invoice } = issued(&req).await?;
    let file = facturae::write(&invoice).map_err(unwritable)?;
    Ok(answer(&sale, file, XML, "xml"))
}

/// A file that a program reads has no mark that says that it does not count.
async fn issued(req: &ApiRequest) -> Result<Made, Problem> {
    let made = made(req).await?;
    match made.sale.document.status.state() {
        State::Issued => Ok(made),
        state @ (State::Draft | State::Voided) => Err(WrongState { action: Action::Send, state }.into()),
    }
}

async fn made(req: &ApiRequest) -> Result<Made, Problem> {
    let document = find(req).await?;
    let Some(proof) = req.access().proof() else {
        let detail = "a file shows personal data, which the token does not see";
        return Err(Problem::new(Code::PersonalDataWithheld, detail));
    };
    let scope = &req.caller.principal.scope;
    let company = req.company_of(scope, document.company).await?;
    let today = company.local_date(req.context.now);
    let sale = LoadedSale::read(&*req.app.business, scope, document, company).await?;
    let invoice = sale.invoice(today, proof).map_err(|error| unwritable(error.into()))?;
    Ok(Made { sale, invoice })
}

fn answer(sale: &LoadedSale, file: Vec<u8>, media: &'static str, suffix: &str) -> Answer {
    Answer::file(StatusCode::OK, file, media, &sale.file_name(suffix)).of(sale.document.company)
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
