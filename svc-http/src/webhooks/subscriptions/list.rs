//! GET /webhooks/subscriptions

use http::StatusCode;
use svc_core::page::PageRules;
use svc_webhooks::subscription::Subscription;

use super::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::list::Listed;
use crate::problem::Problem;

pub(crate) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let page = req.query.page(PageRules::USUAL)?;
    let (scope, reader) = (req.primary_scope()?, req.app.webhooks.subscriptions());
    let page = reader.page(&scope, page).await?;
    let ids: Vec<_> = page.items.iter().map(|subscription| subscription.id).collect();
    let health = reader.health(&scope, &ids).await?;
    let view = |one: &Subscription| View::of(one, health.get(&one.id), req.context.now);
    Ok(Answer::plain(StatusCode::OK, &Listed::of(&page, view)))
}
