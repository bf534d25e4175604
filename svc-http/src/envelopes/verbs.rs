//! Preparing, getting, changing and erasing an envelope.

use http::StatusCode;
use svc_business::catalogue::permission;
use svc_business::record::{self, Opened};
use svc_business::signature::operations::{self, Sending};
use svc_business::signature::{Envelope, EnvelopeInput, MOST_FILES};
use svc_core::id::FileId;
use svc_core::patch::Patch;
use svc_core::permission::Permission;
use svc_signing::{CompanyFiles, Judged};

use super::view::answer;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::json::{Create, Update};
use crate::problem::{Code, Problem};

pub(super) async fn create(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let Create::<EnvelopeInput> { company, input } = req.json()?;
    permit(&req, input.send)?;
    let company = req.company(company)?;
    let judged = judged(&req, &named(&input)).await?;
    let unit = req.app.business.begin().await?;
    let home = record::home::<Envelope>(unit.as_ref(), req.call(), company).await?;
    let files = CompanyFiles::new(unit.as_ref(), req.call(), &judged);
    let mut created = operations::create(home, &files, &input).await?;
    if input.send {
        let home = record::home::<Envelope>(unit.as_ref(), req.call(), company).await?;
        let with = Sending { files: &files, key: &req.app.ceremony_key };
        created = operations::send(Opened { home, before: created }, with).await?;
    }
    let location = format!("/envelopes/{}", created.id);
    pending.finish(unit, answer(StatusCode::CREATED, created).location(&location)).await
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    Ok(answer(StatusCode::OK, find(&req).await?))
}

pub(super) async fn update(req: ApiRequest) -> Result<Answer, Problem> {
    // What is wrong with the body is told of a draft that is there.
    let sent = req.json::<Update<EnvelopeInput>>().map(|Update(input)| named(&input)).unwrap_or_default();
    let judged = judged(&req, &sent).await?;
    let unit = req.app.business.begin().await?;
    let (id, expected) = (req.id("id")?, req.if_match());
    let opened = record::alone::<Envelope>(unit.as_ref(), req.call(), id, &[], &expected).await?;
    let Update(input) = req.json()?;
    let files = CompanyFiles::new(unit.as_ref(), req.call(), &judged);
    let updated = operations::update(opened, &files, &input).await?;
    unit.commit().await?;
    Ok(answer(StatusCode::OK, updated))
}

pub(super) async fn delete(req: ApiRequest) -> Result<Answer, Problem> {
    let unit = req.app.business.begin().await?;
    let (id, expected) = (req.id("id")?, req.if_match());
    let opened = record::alone::<Envelope>(unit.as_ref(), req.call(), id, &[], &expected).await?;
    operations::delete(opened).await?;
    unit.commit().await?;
    Ok(Answer::no_content())
}

/// The envelope that the path names.
pub(super) async fn find(req: &ApiRequest) -> Result<Envelope, Problem> {
    let found = req.app.business.envelopes().find(&req.caller.principal.scope, req.id("id")?).await?;
    found.ok_or_else(Problem::not_found)
}

/// What these files are judged to be, before a unit of work begins; more than an envelope has are refused by its rules.
pub(super) async fn judged(req: &ApiRequest, files: &[FileId]) -> Result<Judged, Problem> {
    let (storage, contents, scope) = (&*req.app.business, &*req.app.contents, &req.caller.principal.scope);
    let files = files.get(..MOST_FILES).unwrap_or(files);
    Ok(Judged::of(storage, contents, scope, files).await?)
}

/// The files that an input names.
fn named(input: &EnvelopeInput) -> Vec<FileId> {
    match &input.files {
        Patch::Absent | Patch::Null => Vec::new(),
        Patch::Value(files) => files.iter().map(|one| one.file).collect(),
    }
}

/// Whether the token may send what it writes.
fn permit(req: &ApiRequest, sends: bool) -> Result<(), Problem> {
    const SEND: Permission = permission("sign:envelopes.send");
    if !sends || req.caller.principal.grants.cover(SEND) {
        return Ok(());
    }
    let detail = format!("the token lacks the permission {SEND}, which `send` takes");
    Err(Problem::new(Code::MissingPermission, detail).requires(&SEND).missing([SEND]))
}
