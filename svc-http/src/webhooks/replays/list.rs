//! GET /webhooks/subscriptions/{id}/replays

use http::StatusCode;
use svc_core::page::PageRules;

use super::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::list::Listed;
use crate::problem::Problem;

pub(crate) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let (id, scope) = (req.id("id")?, req.primary_scope()?);
    let page = req.query.page(PageRules::USUAL)?;
    let storage = &req.app.replays;
    storage.subscriptions().find(&scope, id).await?.ok_or_else(Problem::not_found)?;
    let page = storage.replays().page(&scope, id, page).await?;
    Ok(Answer::plain(StatusCode::OK, &Listed::of(&page, View::of)))
}
