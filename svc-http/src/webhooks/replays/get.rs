//! GET /webhooks/replays/{id}

use http::StatusCode;

use super::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;

pub(crate) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let (id, scope) = (req.id("id")?, req.primary_scope()?);
    let found = req.app.replays.replays().find(&scope, id).await?;
    Ok(Answer::plain(StatusCode::OK, &View::of(&found.ok_or_else(Problem::not_found)?)))
}
