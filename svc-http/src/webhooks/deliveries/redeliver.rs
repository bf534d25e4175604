//! POST /webhooks/deliveries/{id}/redeliver

use http::StatusCode;
use svc_webhooks::delivery;

use super::View;
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::idempotency::{Done, Work};
use crate::problem::Problem;

pub(crate) async fn redeliver(exchange: Exchange, work: Work) -> Result<Done, Problem> {
    let (id, scope) = (exchange.id("id")?, exchange.primary_scope()?);
    exchange.no_body()?;
    let unit = exchange.app.webhooks.begin().await?;
    let queued = delivery::redeliver(unit.as_ref(), exchange.call_in(&scope), id).await?;
    let path = format!("/webhooks/deliveries/{}", queued.id);
    let answer =
        Answer::plain(StatusCode::ACCEPTED, &View::of(&queued, &[])).location(&path).of(queued.account);
    work.finish(unit, answer).await
}
