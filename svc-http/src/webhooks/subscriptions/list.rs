//! GET /webhooks/subscriptions

use http::StatusCode;
use svc_core::page::PageRules;
use svc_webhooks::subscription::Subscription;

use super::View;
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::list::Listed;
use crate::problem::Problem;

pub(crate) async fn list(exchange: Exchange) -> Result<Answer, Problem> {
    let page = exchange.query.page(PageRules::USUAL)?;
    let (scope, reader) = (exchange.primary_scope()?, exchange.app.webhooks.subscriptions());
    let page = reader.page(&scope, page).await?;
    let ids: Vec<_> = page.items.iter().map(|subscription| subscription.id).collect();
    let health = reader.health(&scope, &ids).await?;
    let view = |one: &Subscription| View::of(one, health.get(&one.id), exchange.context.now);
    Ok(Answer::plain(StatusCode::OK, &Listed::of(&page, view)))
}
