//! GET /accounts/{id}/members

use http::StatusCode;
use svc_core::id::AccountId;
use svc_core::page::PageRules;

use super::view::View;
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::list::Listed;
use crate::problem::Problem;

pub(crate) async fn list(exchange: Exchange) -> Result<Answer, Problem> {
    let id: AccountId = exchange.id("id")?;
    let request = exchange.query.page(PageRules::USUAL)?;
    let (business, scope) = (&exchange.app.business, &exchange.caller.principal.scope);
    business.accounts().find(scope, id).await?.ok_or_else(Problem::not_found)?;
    let page = business.people().members(scope, id, request).await?;
    let now = exchange.context.now;
    let view = move |sight| Listed::of(&page, |member| View::of(member, sight, now));
    Ok(Answer::personal(StatusCode::OK, view))
}
