//! What the sender does with an envelope: each action has it alone.

use http::StatusCode;
use svc_business::ports::DynBusinessUnit;
use svc_business::record::{self, Opened};
use svc_business::signature::operations::{self, Sending};
use svc_business::signature::{Envelope, EnvelopeVoidRequest, ReassignRequest, ReissueRequest};
use svc_core::id::FileId;
use svc_signing::CompanyFiles;

use super::verbs::{find, judged};
use super::view::answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::problem::Problem;

async fn alone<'u>(req: &'u ApiRequest, unit: &'u DynBusinessUnit) -> Result<Opened<'u, Envelope>, Problem> {
    let (id, expected) = (req.id("id")?, req.if_match());
    Ok(record::alone::<Envelope>(unit, req.call(), id, &[], &expected).await?)
}

pub(super) async fn send(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let judged = judged(&req, &files_of(&find(&req).await?)).await?;
    let unit = req.app.business.begin().await?;
    let opened = alone(&req, unit.as_ref()).await?;
    req.no_body()?;
    let files = CompanyFiles::new(unit.as_ref(), req.call(), &judged);
    let with = Sending { files: &files, key: &req.app.ceremony_key };
    let sent = operations::send(opened, with).await?;
    pending.finish(unit, answer(StatusCode::OK, sent)).await
}

pub(super) async fn remind(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = alone(&req, unit.as_ref()).await?;
    req.no_body()?;
    let reminded = operations::remind(opened).await?;
    pending.finish(unit, answer(StatusCode::OK, reminded)).await
}

pub(super) async fn void(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = alone(&req, unit.as_ref()).await?;
    let request: EnvelopeVoidRequest = req.json()?;
    let voided = operations::void(opened, &request).await?;
    pending.finish(unit, answer(StatusCode::OK, voided)).await
}

pub(super) async fn reassign(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = alone(&req, unit.as_ref()).await?;
    let request: ReassignRequest = req.json()?;
    let reassigned = operations::reassign(opened, &request, &req.app.ceremony_key).await?;
    pending.finish(unit, answer(StatusCode::OK, reassigned)).await
}

pub(super) async fn reissue(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let old = find(&req).await?;
    let sent = req.json::<ReissueRequest>().ok().and_then(|request| request.files);
    let named = sent.map(|files| files.iter().map(|one| one.file).collect());
    let judged = judged(&req, &named.unwrap_or_else(|| files_of(&old))).await?;
    let unit = req.app.business.begin().await?;
    let opened = alone(&req, unit.as_ref()).await?;
    let request: ReissueRequest = req.json()?;
    let files = CompanyFiles::new(unit.as_ref(), req.call(), &judged);
    let with = Sending { files: &files, key: &req.app.ceremony_key };
    let reissued = operations::reissue(opened, with, &request).await?;
    let location = format!("/envelopes/{}", reissued.id);
    pending.finish(unit, answer(StatusCode::CREATED, reissued).location(&location)).await
}

fn files_of(envelope: &Envelope) -> Vec<FileId> {
    envelope.files.iter().map(|one| one.file).collect()
}
