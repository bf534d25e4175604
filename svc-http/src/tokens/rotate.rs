//! POST /tokens/{id}/rotate

use http::StatusCode;
use svc_auth::token;

use super::expected;
use super::view::Valued;
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::gate::PersonCaller;
use crate::idempotency::{Done, Work};
use crate::precondition::began_at;
use crate::problem::Problem;

pub(super) async fn rotate(exchange: Exchange<PersonCaller>, work: Work) -> Result<Done, Problem> {
    let id = exchange.id("id")?;
    let expected = expected(&exchange, id).await?;
    exchange.no_body()?;
    let app = &exchange.app;
    let unit = app.auth.begin().await?;
    let (token, value) = token::rotate(unit.as_ref(), exchange.call(), id, &app.peppers).await?;
    began_at(expected, token.version)?;
    let now = exchange.context.now;
    let shown = Valued::of(&token, Some(&value), now);
    let answer = Answer::once(StatusCode::OK, &shown, &Valued::of(&token, None, now))
        .version(token.version)
        .of(token.primary);
    let done = work.finish(unit, answer).await;
    app.authenticator.forget();
    done
}
