//! POST /contacts/bulk: up to 100 contacts, each created or updated on its own.
//!
//! Every item is a unit of work of its own, so one that fails leaves the
//! others as they are. The reply to an idempotent request is kept after the
//! last item. A repetition after a crash in between runs the items again: an
//! update of what is so already changes nothing, and a creation is a step that
//! is done once.

use http::StatusCode;
use serde_json::Value;
use svc_business::contact::{self, Contact, ContactInput};
use svc_business::record;
use svc_core::id::ContactId;
use svc_core::permission::Permission;
use svc_core::rerun;
use svc_core::resource::Expected;
use svc_core::wire::Form;
use svc_core::{wire_request, wire_view};

use super::verbs::opened;
use super::{CREATE, UPDATE};
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::bulk;
use crate::idempotency::{Committed, PendingReply, Step};
use crate::json::{Create, Input, Update};
use crate::problem::{Code, Document, Problem};

pub(super) const ABOUT: &str = "An item with an `id` is a merge patch of that contact, one without is a contact to create. \
    Each item is judged on its own, by the rules and the permission of the single call: look at each `status`. \
    With an `Idempotency-Key` the answer is kept once every item was tried.";

const MOST_ITEMS: usize = 100;

wire_request! {
    /// The contacts to create and update.
    #[derive(Debug)]
    pub(crate) struct Body as "ContactBulk" {
        /// With an `id` a patch of that contact, without one a new contact.
        items: Vec<Value> => Form::list(1, MOST_ITEMS, &Form::ANY)
            .json(r#"[{"kind":"organization","legalName":"Ferretería Sol SL"}]"#),
    }
}

wire_view! {
    /// What became of each item.
    #[derive(Debug)]
    pub(crate) struct Report as "ContactBulkReport" {
        items: Vec<Outcome>,
        /// Items that were created or updated.
        succeeded: usize,
        /// Items that were refused.
        failed: usize,
    }
}

wire_view! {
    /// What became of an item.
    #[derive(Debug)]
    struct Outcome as "ContactBulkOutcome" {
        /// Its place in the request, from 0.
        index: usize,
        /// The HTTP status of the single call.
        status: u16,
        /// The contact, when it was created or updated.
        #[serde(skip_serializing_if = "Option::is_none")]
        [optional] id: Option<ContactId>,
        /// The problem that the single call would answer.
        #[serde(skip_serializing_if = "Option::is_none")]
        [optional] error: Option<Value> => Form::ANY.like::<Document<'static>>(),
    }
}

pub(super) async fn bulk(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let held = &req.caller.principal.grants;
    if !held.cover(CREATE) && !held.cover(UPDATE) {
        return Err(missing(CREATE));
    }
    let Body { items } = req.json()?;
    if items.is_empty() || items.len() > MOST_ITEMS {
        let message = format!("expected 1 to {MOST_ITEMS} items");
        return Err(Problem::new(Code::ValidationFailed, message.clone()).at(
            "items",
            "out_of_range",
            message,
        ));
    }
    let mut outcomes = Vec::with_capacity(items.len());
    for (index, item) in items.into_iter().enumerate() {
        let result = rerun::until_done(|| one(&req, &pending, index, item.clone())).await;
        outcomes.push(outcome(&req, index, result));
    }
    let succeeded = outcomes.iter().filter(|outcome| outcome.error.is_none()).count();
    let report = Report { succeeded, failed: outcomes.len() - succeeded, items: outcomes };
    bulk::finish(&req, pending, &report).await
}

/// Creates or updates one contact, in a unit of its own.
async fn one(
    req: &ApiRequest,
    pending: &PendingReply,
    index: usize,
    mut item: Value,
) -> Result<(StatusCode, ContactId), Problem> {
    let Some(members) = item.as_object_mut() else {
        return Err(Problem::new(Code::ValidationFailed, "expected an object").at(
            "",
            "invalid_type",
            "expected an object",
        ));
    };
    let (call, app) = (req.call(), &req.app);
    let Some(id) = members.remove("id") else {
        permit(req, CREATE)?;
        return Ok((StatusCode::CREATED, created(req, pending, index, item).await?));
    };
    permit(req, UPDATE)?;
    let id = id.as_str().and_then(|text| text.parse().ok()).ok_or_else(Problem::not_found)?;
    let unit = app.business.begin().await?;
    let input = Update::<ContactInput>::take(item);
    let opened = opened(unit.as_ref(), call, id, &Expected::Any, input.as_ref().ok()).await?;
    let Update(input) = input?;
    let updated = contact::update(opened, input).await?;
    unit.commit().await?;
    Ok((StatusCode::OK, updated.id))
}

/// Creates a contact, once for each key of a request.
async fn created(
    req: &ApiRequest,
    pending: &PendingReply,
    index: usize,
    item: Value,
) -> Result<ContactId, Problem> {
    let step = match pending.step(&req.app, index, req.context.now).await? {
        Step::New(step) => step,
        Step::Done(reply) => return serde_json::from_slice(&reply.masked).map_err(|_| Problem::internal()),
    };
    let held = step.held();
    let created = create(req, step, item).await;
    if let (Err(_), Some(held)) = (&created, held) {
        held.release(&req.app).await;
    }
    created
}

async fn create(req: &ApiRequest, step: PendingReply, item: Value) -> Result<ContactId, Problem> {
    let Create::<ContactInput> { company, input } = Create::take(item)?;
    let company = req.company(company)?;
    let unit = req.app.business.begin().await?;
    let home = record::home::<Contact>(unit.as_ref(), req.call(), company).await?;
    let created = contact::create(home, input).await?;
    step.finish(unit, Answer::plain(StatusCode::CREATED, &created.id)).await?;
    Ok(created.id)
}

fn permit(req: &ApiRequest, needed: Permission) -> Result<(), Problem> {
    if req.caller.principal.grants.cover(needed) { Ok(()) } else { Err(missing(needed)) }
}

fn missing(permission: Permission) -> Problem {
    Problem::new(Code::MissingPermission, format!("the token lacks the permission {permission}"))
        .requires(&permission)
        .missing([permission])
}

fn outcome(req: &ApiRequest, index: usize, result: Result<(StatusCode, ContactId), Problem>) -> Outcome {
    match result {
        Ok((status, id)) => Outcome { index, status: status.as_u16(), id: Some(id), error: None },
        Err(problem) => {
            let (status, error) = bulk::refused(req, &problem);
            Outcome { index, status: status.as_u16(), id: None, error: Some(error) }
        }
    }
}
