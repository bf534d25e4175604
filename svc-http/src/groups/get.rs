//! GET /groups/{id}

use http::StatusCode;

use super::View;
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::problem::Problem;

pub(super) async fn get(exchange: Exchange) -> Result<Answer, Problem> {
    let id = exchange.id("id")?;
    let found = exchange.app.business.groups().find(&exchange.caller.principal.scope, id).await?;
    let found = found.ok_or_else(Problem::not_found)?;
    Ok(Answer::plain(StatusCode::OK, &View::of(&found)).version(found.version))
}
