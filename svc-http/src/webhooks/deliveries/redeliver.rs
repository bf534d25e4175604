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
    // A single delivery has no route of its own: the log shows it.
    let log = format!("/webhooks/subscriptions/{}/deliveries?eventId={}", queued.subscription, queued.event);
    let answer =
        Answer::plain(StatusCode::ACCEPTED, &View::of(&queued, &[])).location(&log).of(queued.account);
    work.finish(unit, answer).await
}
