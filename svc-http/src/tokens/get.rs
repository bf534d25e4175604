//! GET /tokens/{id}

use http::StatusCode;

use super::find;
use super::view::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::problem::Problem;

pub(super) async fn get(req: ApiRequest<PersonCaller>) -> Result<Answer, Problem> {
    let token = find(&req, req.id("id")?).await?.ok_or_else(Problem::not_found)?;
    Ok(Answer::plain(StatusCode::OK, &View::of(&token, req.context.now)?).version(token.version))
}
