//! GET /tokens/{id}

use http::StatusCode;

use super::find;
use super::view::View;
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::gate::PersonCaller;
use crate::problem::Problem;

pub(super) async fn get(exchange: Exchange<PersonCaller>) -> Result<Answer, Problem> {
    let token = find(&exchange, exchange.id("id")?).await?.ok_or_else(Problem::not_found)?;
    Ok(Answer::plain(StatusCode::OK, &View::of(&token, exchange.context.now)).version(token.version))
}
