//! GET /accounts/{id}/members

use http::StatusCode;
use svc_core::id::AccountId;
use svc_core::page::PageRules;

use super::view::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::{Acting, EitherCaller};
use crate::list::Listed;
use crate::problem::Problem;

pub(crate) async fn list(req: ApiRequest<EitherCaller>) -> Result<Answer, Problem> {
    let id: AccountId = req.id("id")?;
    req.caller.administers(id)?;
    let request = req.query.page(PageRules::USUAL)?;
    let (business, scope) = (&req.app.business, req.caller.scope());
    business.accounts().find(scope, id).await?.ok_or_else(Problem::not_found)?;
    let page = business.people().members(scope, id, request).await?;
    let now = req.context.now;
    let view = move |access| Listed::of(&page, |member| View::of(member, access, now));
    Ok(Answer::personal(StatusCode::OK, view))
}
