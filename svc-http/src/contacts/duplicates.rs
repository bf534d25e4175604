//! GET /contacts/{id}/duplicates

use http::StatusCode;
use svc_business::contact::{self, Duplicate, DuplicateReason};
use svc_core::pii::PiiAccess;
use svc_core::wire::Form;
use svc_core::wire_view;

use super::view::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;

wire_view! {
    /// Contacts that may be the same, likeliest first.
    #[derive(Debug)]
    pub(crate) struct Duplicates as "ContactDuplicates" {
        items: Vec<Candidate>,
    }
}

wire_view! {
    /// A contact that may be the same.
    #[derive(Debug)]
    struct Candidate as "ContactDuplicate" {
        contact: View,
        /// How likely.
        score: u8 => Form::range(1, 100).number(90),
        /// What both have in common, strongest first; what a token sees masked is not compared for it.
        reasons: Vec<DuplicateReason>,
    }
}

pub(super) async fn duplicates(req: ApiRequest) -> Result<Answer, Problem> {
    let id = req.id("id")?;
    let (contacts, scope) = (req.app.business.contacts(), &req.caller.principal.scope);
    let found = contact::duplicates(contacts, scope, id, req.access()).await?;
    let found = found.ok_or_else(Problem::not_found)?;
    Ok(Answer::personal(StatusCode::OK, move |access| Duplicates {
        items: found.iter().map(|duplicate| candidate(duplicate, access)).collect(),
    }))
}

fn candidate(duplicate: &Duplicate, access: PiiAccess) -> Candidate {
    Candidate {
        contact: View::of(&duplicate.contact, access),
        score: duplicate.score,
        reasons: duplicate.reasons.clone(),
    }
}
