//! GET /tokens

use http::StatusCode;
use svc_core::page::PageRules;

use super::view::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::list::Listed;
use crate::problem::Problem;

pub(super) async fn list(req: ApiRequest<PersonCaller>) -> Result<Answer, Problem> {
    let request = req.query.page(PageRules::USUAL)?;
    let page = req.app.auth.tokens().page(&req.selected()?, request).await?;
    let now = req.context.now;
    Ok(Answer::plain(StatusCode::OK, &Listed::try_of(&page, |token| View::of(token, now))?))
}
