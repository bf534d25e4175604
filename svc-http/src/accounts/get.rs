//! GET /accounts/{id}

use http::StatusCode;

use super::view;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let id = req.id("id")?;
    let found = req.app.business.accounts().find(&req.caller.principal.scope, id).await?;
    let found = found.ok_or_else(Problem::not_found)?;
    let duplicates = view::duplicates(&req, &found).await?;
    Ok(view::answer(StatusCode::OK, found, duplicates))
}
