//! POST /contacts/{id}/anonymize

use http::StatusCode;
use svc_business::contact;

use super::{version, view};
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::problem::Problem;

pub(super) async fn anonymize(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let id = req.id("id")?;
    let expected = req.expected(version(&req, id)).await?;
    req.no_body()?;
    let unit = req.app.business.begin().await?;
    let blank = contact::anonymize(unit.as_ref(), req.call(), id, expected).await?;
    pending.finish(unit, view::answer(StatusCode::OK, blank)).await
}
