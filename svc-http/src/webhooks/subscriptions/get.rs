//! GET /webhooks/subscriptions/{id}

use http::StatusCode;

use super::shown;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;

pub(crate) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let (id, scope) = (req.id("id")?, req.primary_scope()?);
    let found = req.app.webhooks.subscriptions().find(&scope, id).await?;
    let found = found.ok_or_else(Problem::not_found)?;
    let view = shown(&req, &scope, &found).await?;
    Ok(Answer::plain(StatusCode::OK, &view).version(found.version))
}
