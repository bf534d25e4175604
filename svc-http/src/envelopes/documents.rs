//! `/envelopes/{id}/documents/{fileId}`

use serde_json::{Value, json};
use svc_business::document::file::{File, FileRefused};
use svc_business::signature::{Envelope, EnvelopeStatus};
use svc_core::error::StoreError;
use svc_core::id::FileId;
use svc_core::wire::{Described, Parts};

use super::trail::unmasked;
use super::verbs::find;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::documents::given;
use crate::problem::Problem;
use crate::query::{Kind, Param};

/// The version that was sealed: the first one of its file.
const SEALED: u32 = 1;

pub(super) const PDF: &str = "application/pdf";

/// Described by hand: it is no JSON.
#[derive(Debug)]
pub(crate) struct SignedPdf;

impl Described for SignedPdf {
    fn schema(parts: &mut Parts) -> Value {
        parts.named::<Self>("EnvelopePdf", |_| {
            json!({
                "type": "string",
                "format": "binary",
                "description": "PDF, as it was uploaded or as it was sealed.",
                "examples": ["%PDF-1.7"],
            })
        })
    }
}

pub(super) const PARAMS: [Param; 1] = [Param::new(
    "signed",
    Kind::OneOf(&["true", "false"]),
    "Whether what is sealed is given, in the place of what people sign; false when left out.",
)];

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let envelope = find(&req).await?;
    let named: FileId = req.id("fileId")?;
    let place = envelope.files.iter().position(|file| file.file == named).ok_or_else(Problem::not_found)?;
    unmasked(&req)?;
    let (id, number) = if req.query.parse::<bool>("signed")?.unwrap_or(false) {
        (sealed(&envelope, place)?, Some(SEALED))
    } else {
        let pin = envelope.files.get(place).and_then(|file| file.pin.as_ref());
        (named, pin.map(|pin| pin.version))
    };
    let found: Option<File> = req.app.business.files().find(&req.caller.principal.scope, id).await?;
    let file = found.ok_or_else(Problem::not_found)?;
    if file.is_deleted() {
        return Err(FileRefused::Deleted.into());
    }
    let version = file.version_of(number);
    let version = version.ok_or_else(|| StoreError::backend("a pinned version of a file is missing"))?;
    given(&req, &file.name, version).await
}

/// What is sealed of the file at this place.
fn sealed(envelope: &Envelope, place: usize) -> Result<FileId, Problem> {
    let sealed = match &envelope.status {
        EnvelopeStatus::Completed { sealed, .. } => sealed.as_ref(),
        EnvelopeStatus::Draft
        | EnvelopeStatus::Sent { .. }
        | EnvelopeStatus::Declined { .. }
        | EnvelopeStatus::Voided { .. } => None,
    };
    let file = sealed.and_then(|sealed| sealed.files.get(place).copied());
    file.ok_or_else(|| Problem::not_sealed(envelope.status.name()))
}
