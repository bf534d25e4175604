//! GET /groups/{id}

use http::StatusCode;

use super::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::{Acting, EitherCaller};
use crate::problem::Problem;

pub(super) async fn get(req: ApiRequest<EitherCaller>) -> Result<Answer, Problem> {
    let id = req.id("id")?;
    let found = req.app.business.groups().find(req.caller.scope(), id).await?;
    let found = found.ok_or_else(Problem::not_found)?;
    Ok(Answer::plain(StatusCode::OK, &View::of(&found)).version(found.version))
}
