//! POST /webhooks/replays/{id}/cancel

use http::StatusCode;
use svc_webhooks::replay;

use super::View;
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::idempotency::{Done, Work};
use crate::problem::Problem;

pub(crate) async fn cancel(exchange: Exchange, work: Work) -> Result<Done, Problem> {
    let (id, scope) = (exchange.id("id")?, exchange.primary_scope()?);
    exchange.no_body()?;
    let unit = exchange.app.webhooks.begin().await?;
    let cancelled = replay::cancel(unit.as_ref(), exchange.call_in(&scope), id).await?;
    let answer = Answer::plain(StatusCode::OK, &View::of(&cancelled)).of(cancelled.selection.account);
    work.finish(unit, answer).await
}
