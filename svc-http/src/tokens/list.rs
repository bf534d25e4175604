//! GET /tokens

use http::StatusCode;
use svc_core::page::PageRules;

use super::view::View;
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::gate::PersonCaller;
use crate::list::Listed;
use crate::problem::Problem;

pub(super) async fn list(exchange: Exchange<PersonCaller>) -> Result<Answer, Problem> {
    let request = exchange.query.page(PageRules::USUAL)?;
    let page = exchange.app.auth.tokens().page(&exchange.selected()?, request).await?;
    let now = exchange.context.now;
    Ok(Answer::plain(StatusCode::OK, &Listed::of(&page, |token| View::of(token, now))))
}
