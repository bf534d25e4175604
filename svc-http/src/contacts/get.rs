//! GET /contacts/{id}

use http::StatusCode;

use super::view;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let id = req.id("id")?;
    let found = req.app.business.contacts().find(&req.caller.principal.scope, id).await?;
    Ok(view::answer(StatusCode::OK, found.ok_or_else(Problem::not_found)?))
}
