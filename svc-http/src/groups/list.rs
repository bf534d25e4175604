//! GET /groups

use http::StatusCode;
use svc_core::page::PageRules;

use super::View;
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::list::Listed;
use crate::problem::Problem;

pub(super) async fn list(exchange: Exchange) -> Result<Answer, Problem> {
    let request = exchange.query.page(PageRules::USUAL)?;
    let page = exchange.app.business.groups().page(&exchange.caller.principal.scope, request).await?;
    Ok(Answer::plain(StatusCode::OK, &Listed::of(&page, View::of)))
}
