//! GET /contacts/{id}/duplicates

use http::StatusCode;
use serde::Serialize;
use svc_business::contact::{self, Duplicate};
use svc_core::pii::Sight;
use utoipa::ToSchema;

use super::view::View;
use crate::answer::Answer;
use crate::exchange::Exchange;
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

pub(super) async fn duplicates(exchange: Exchange) -> Result<Answer, Problem> {
    let id = exchange.id("id")?;
    let found =
        contact::duplicates(exchange.app.business.contacts(), &exchange.caller.principal.scope, id).await?;
    let found = found.ok_or_else(Problem::not_found)?;
    Ok(Answer::personal(StatusCode::OK, move |sight| Duplicates {
        items: found.iter().map(|duplicate| candidate(duplicate, sight)).collect(),
    }))
}

fn candidate(duplicate: &Duplicate, sight: Sight) -> Candidate {
    Candidate {
        contact: View::of(&duplicate.contact, sight),
        score: duplicate.score,
        reasons: duplicate.reasons.iter().map(|reason| reason.name()).collect(),
    }
}
