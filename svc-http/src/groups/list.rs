//! GET /groups

use http::StatusCode;
use svc_core::page::{PageRules, Sort};

use super::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::{Acting, EitherCaller};
use crate::list::Listed;
use crate::problem::Problem;

pub(super) async fn list(req: ApiRequest<EitherCaller>) -> Result<Answer, Problem> {
    let request = req.query.page(PageRules::USUAL)?;
    let page = req.app.business.groups().page(req.caller.scope(), &(), &Sort::default(), request).await?;
    Ok(Answer::plain(StatusCode::OK, &Listed::of(&page, View::of)))
}
