//! GET /contacts/{id}/duplicates

use http::StatusCode;
use serde::Serialize;
use svc_business::contact::{self, Duplicate};
use svc_core::pii::PiiAccess;
use utoipa::ToSchema;

use super::view::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;

/// Contacts that may be the same, likeliest first.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ContactDuplicates)]
pub(crate) struct Duplicates {
    items: Vec<Candidate>,
}

/// A contact that may be the same.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ContactDuplicate)]
struct Candidate {
    contact: View,
    /// How likely, 1 to 100.
    score: u8,
    /// `tax_id`, `email`, `phone`, `name`, strongest first.
    reasons: Vec<&'static str>,
}

pub(super) async fn duplicates(req: ApiRequest) -> Result<Answer, Problem> {
    let id = req.id("id")?;
    let found = contact::duplicates(req.app.business.contacts(), &req.caller.principal.scope, id).await?;
    let found = found.ok_or_else(Problem::not_found)?;
    Ok(Answer::personal(StatusCode::OK, move |access| Duplicates {
        items: found.iter().map(|duplicate| candidate(duplicate, access)).collect(),
    }))
}

fn candidate(duplicate: &Duplicate, access: PiiAccess) -> Candidate {
    Candidate {
        contact: View::of(&duplicate.contact, access),
        score: duplicate.score,
        reasons: duplicate.reasons.iter().map(|reason| reason.name()).collect(),
    }
}
