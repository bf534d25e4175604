//! POST /webhooks/replays/{id}/cancel

use http::StatusCode;
use svc_webhooks::replay;

use super::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::problem::Problem;

pub(crate) async fn cancel(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let (id, scope) = (req.id("id")?, req.primary_scope()?);
    req.no_body()?;
    let unit = req.app.replays.begin_replay().await?;
    let cancelled = replay::cancel(unit.as_ref(), req.call_in(&scope), id).await?;
    let answer = Answer::plain(StatusCode::OK, &View::of(&cancelled)).of(cancelled.selection.account);
    pending.finish(unit, answer).await
}
