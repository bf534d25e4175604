//! Creating, getting, changing, erasing and anonymising a contact.

use http::StatusCode;
use svc_business::contact::{self, Contact, ContactInput};
use svc_business::ports::DynContactUnit;
use svc_business::record::{self, Opened};
use svc_core::id::ContactId;
use svc_core::refused::Refused;
use svc_core::resource::Expected;
use svc_core::unit::CallContext;

use super::view;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::json::{Create, Update};
use crate::problem::Problem;

pub(super) async fn create(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let Create { company, input } = req.json()?;
    let company = req.company(company)?;
    let unit = req.app.business.begin().await?;
    let home = record::home::<Contact>(unit.as_ref(), req.call(), company).await?;
    let created = contact::create(home, input).await?;
    let location = format!("/contacts/{}", created.id);
    pending.finish(unit, view::answer(StatusCode::CREATED, created).location(&location)).await
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let id = req.id("id")?;
    let found = req.app.business.contacts().find(&req.caller.principal.scope, id).await?;
    Ok(view::answer(StatusCode::OK, found.ok_or_else(Problem::not_found)?))
}

pub(super) async fn update(req: ApiRequest) -> Result<Answer, Problem> {
    let unit = req.app.business.begin().await?;
    let (id, expected) = (req.id("id")?, req.if_match());
    let input = req.json();
    let opened = opened(unit.as_ref(), req.call(), id, &expected, input.as_ref().ok()).await?;
    let Update(input) = input?;
    let updated = contact::update(opened, input).await?;
    unit.commit().await?;
    Ok(view::answer(StatusCode::OK, updated))
}

/// Opens a contact to change it by this input; what is wrong with one that cannot be read is said of a contact that is there.
pub(super) async fn opened<'u>(
    unit: &'u DynContactUnit,
    call: CallContext<'u>,
    id: ContactId,
    expected: &Expected,
    input: Option<&Update<ContactInput>>,
) -> Result<Opened<'u, Contact>, Refused> {
    match input {
        Some(Update(input)) => contact::open(unit, call, id, expected, input).await,
        None => record::open(unit, call, id, expected).await,
    }
}

pub(super) async fn delete(req: ApiRequest) -> Result<Answer, Problem> {
    let unit = req.app.business.begin().await?;
    let opened =
        record::alone::<Contact>(unit.as_ref(), req.call(), req.id("id")?, &[], &req.if_match()).await?;
    contact::delete(opened).await?;
    unit.commit().await?;
    Ok(Answer::no_content())
}

pub(super) async fn anonymize(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = record::open::<Contact>(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    req.no_body()?;
    let blank = contact::anonymize(opened).await?;
    pending.finish(unit, view::answer(StatusCode::OK, blank)).await
}
