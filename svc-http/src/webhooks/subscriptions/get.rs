//! GET /webhooks/subscriptions/{id}

use http::StatusCode;

use super::shown;
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::problem::Problem;

pub(crate) async fn get(exchange: Exchange) -> Result<Answer, Problem> {
    let (id, scope) = (exchange.id("id")?, exchange.primary_scope()?);
    let found = exchange.app.webhooks.subscriptions().find(&scope, id).await?;
    let found = found.ok_or_else(Problem::not_found)?;
    let view = shown(&exchange, &scope, &found).await?;
    Ok(Answer::plain(StatusCode::OK, &view).version(found.version))
}
