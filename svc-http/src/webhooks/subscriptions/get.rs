//! GET /webhooks/subscriptions/{id}

use http::StatusCode;

use super::View;
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::problem::Problem;

pub(crate) async fn get(exchange: Exchange) -> Result<Answer, Problem> {
    let (id, scope) = (exchange.id("id")?, exchange.primary_scope()?);
    let found = exchange.app.webhooks.subscriptions().find(&scope, id).await?;
    let found = found.ok_or_else(Problem::not_found)?;
    Ok(Answer::plain(StatusCode::OK, &View::of(&found)).version(found.version))
}
