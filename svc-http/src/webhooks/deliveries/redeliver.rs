//! POST /webhooks/deliveries/{id}/redeliver

use http::StatusCode;
use svc_webhooks::delivery;

use super::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::problem::Problem;

pub(crate) async fn redeliver(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let (id, scope) = (req.id("id")?, req.primary_scope()?);
    req.no_body()?;
    let unit = req.app.webhooks.begin().await?;
    let earlier = unit.deliveries().find(&scope, id).await?.ok_or_else(Problem::not_found)?.delivery;
    req.subscribable().require([&earlier.event_type])?;
    let queued = delivery::redeliver(unit.as_ref(), req.call_in(&scope), id).await?;
    let path = format!("/webhooks/deliveries/{}", queued.id);
    let answer =
        Answer::plain(StatusCode::ACCEPTED, &View::of(&queued, &[])).location(&path).of(queued.account);
    pending.finish(unit, answer).await
}
