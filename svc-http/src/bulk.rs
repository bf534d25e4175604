//! What requests of many items have in common: each item is a single call, with a status and a problem of its own.

use http::StatusCode;
use serde::Serialize;
use serde_json::Value;
use svc_core::unit::UnitOfWork;

use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::problem::Problem;

/// The status and the body that the single call would be refused with.
pub(crate) fn refused(req: &ApiRequest, problem: &Problem) -> (StatusCode, Value) {
    let body = problem.body(&req.app.settings.public_url, req.context.request);
    (problem.status(), serde_json::to_value(&body).unwrap_or_default())
}

/// Keeps the answer to an idempotent request whose items were committed one by one.
pub(crate) async fn finish(
    req: &ApiRequest,
    pending: PendingReply,
    report: &(impl Serialize + Sync),
) -> Result<Committed, Problem> {
    let business = &req.app.business;
    let answer = Answer::plain(StatusCode::OK, report);
    pending.finish_alone(async { Ok(business.begin().await? as Box<dyn UnitOfWork>) }, answer).await
}
