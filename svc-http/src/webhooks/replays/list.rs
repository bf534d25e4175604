//! GET /webhooks/subscriptions/{id}/replays

use http::StatusCode;
use svc_core::page::PageRules;

use super::View;
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::list::Listed;
use crate::problem::Problem;

pub(crate) async fn list(exchange: Exchange) -> Result<Answer, Problem> {
    let (id, scope) = (exchange.id("id")?, exchange.primary_scope()?);
    let page = exchange.query.page(PageRules::USUAL)?;
    let storage = &exchange.app.webhooks;
    storage.subscriptions().find(&scope, id).await?.ok_or_else(Problem::not_found)?;
    let page = storage.replays().page(&scope, id, page).await?;
    Ok(Answer::plain(StatusCode::OK, &Listed::of(&page, View::of)))
}
