//! GET /webhooks/subscriptions

use http::StatusCode;
use svc_core::page::PageRules;

use super::View;
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::list::Listed;
use crate::problem::Problem;

pub(crate) async fn list(exchange: Exchange) -> Result<Answer, Problem> {
    let page = exchange.query.page(PageRules::USUAL)?;
    let page = exchange.app.webhooks.subscriptions().page(&exchange.primary_scope()?, page).await?;
    Ok(Answer::plain(StatusCode::OK, &Listed::of(&page, View::of)))
}
