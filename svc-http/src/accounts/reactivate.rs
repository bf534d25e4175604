//! POST /accounts/{id}/reactivate

use http::StatusCode;
use svc_business::account;

use super::{version, view};
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::problem::Problem;

pub(super) async fn reactivate(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let id = req.id("id")?;
    let expected = req.expected(version(&req, id)).await?;
    req.no_body()?;
    let unit = req.app.business.begin().await?;
    let active = account::reactivate(unit.as_ref(), req.call(), id, expected).await?;
    let duplicates = view::duplicates(&req, &active).await?;
    pending.finish(unit, view::answer(StatusCode::OK, active, duplicates)).await
}
