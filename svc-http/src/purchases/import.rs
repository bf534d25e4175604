//! Writing down an electronic invoice.

use bytes::Bytes;
use http::StatusCode;
use serde_json::{Value, json};
use svc_business::purchases::document::SupplierDocument;
use svc_business::purchases::import::ImportedInvoice;
use svc_business::purchases::operations::{self, ImportRequest};
use svc_business::record;
use svc_core::error::ValidationErrors;
use svc_core::id::{AccountId, TypedId as _};
use svc_core::wire::{Described, Parts};
use svc_einvoice::bought::imported_invoice;
use tokio::sync::Semaphore;

use super::ADD_SUPPLIER;
use super::import_view::ImportedView;
use super::view::today;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::multipart::{Form, read_in_turn};
use crate::problem::Problem;

/// The longest body: invoices as PDF files have pictures.
pub(super) const MOST_BYTES: usize = 25 * 1024 * 1024;

/// Files that are read at a time.
static READING: Semaphore = Semaphore::const_new(2);

const FILE: &str = "file";
const COMPANY: &str = "companyId";
const ALLOW_DUPLICATE: &str = "allowDuplicate";

/// Described by hand: it is no JSON.
#[derive(Debug)]
pub(crate) struct ImportForm;

impl Described for ImportForm {
    fn schema(parts: &mut Parts) -> Value {
        parts.named::<Self>("SupplierDocumentImport", |_| {
            json!({
                "type": "object",
                "required": [FILE],
                "additionalProperties": false,
                "properties": {
                    FILE: {
                        "type": "string",
                        "format": "binary",
                        "description": "The invoice: XML, or PDF with XML inside.",
                        "examples": ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"],
                    },
                    COMPANY: {
                        "type": "string",
                        "pattern": AccountId::pattern(),
                        "description": "The company that it goes to; the primary account when left out.",
                    },
                    ALLOW_DUPLICATE: {
                        "type": "boolean",
                        "description": "Whether it may share supplier, number and year with another document.",
                        "examples": [false],
                    },
                },
            })
        })
    }
}

pub(super) async fn import(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let mut form = Form::read(&req.headers, req.body.clone(), &[FILE, COMPANY, ALLOW_DUPLICATE]).await?;
    let company = req.company(form.value(COMPANY, "the id of a company")?)?;
    let allow_duplicate = form.value(ALLOW_DUPLICATE, "true or false")?.unwrap_or_default();
    let invoice = read(form.file(FILE)?.bytes).await?;
    let unit = req.app.business.begin().await?;
    let home = record::home::<SupplierDocument>(unit.as_ref(), req.call(), company).await?;
    let add_supplier = req.caller.principal.grants.cover(ADD_SUPPLIER);
    let request = ImportRequest { allow_duplicate, add_supplier };
    let imported =
        operations::import(&home, &invoice, request).await.map_err(|refused| refused.within(FILE))?;
    let document = &imported.document;
    let location = format!("/supplier-documents/{}", document.id);
    let today = today(&req, document).await?;
    let (company, version) = (document.company, document.version);
    let answer =
        Answer::personal(StatusCode::CREATED, move |access| ImportedView::of(&imported, today, access));
    pending.finish(unit, answer.of(company).version(version).location(&location)).await
}

async fn read(file: Bytes) -> Result<ImportedInvoice, Problem> {
    let reading = read_in_turn(&READING, move || svc_einvoice::read(&file)).await?;
    let reading =
        reading.map_err(|error| ValidationErrors::one(FILE, "invalid_invoice", error.to_string()))?;
    Ok(imported_invoice(&reading.invoice).map_err(|invalid| invalid.within(FILE))?)
}
