//! POST /tokens/{id}/disable, /enable and /revoke

use http::StatusCode;
use svc_auth::token;

use super::expected;
use super::view::View;
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::gate::PersonCaller;
use crate::idempotency::{Done, Work};
use crate::precondition::began_at;
use crate::problem::Problem;

/// A step of a token's life that needs nothing but the token.
enum Step {
    Disable,
    Enable,
    Revoke,
}

pub(super) async fn disable(exchange: Exchange<PersonCaller>, work: Work) -> Result<Done, Problem> {
    take(Step::Disable, exchange, work).await
}

pub(super) async fn enable(exchange: Exchange<PersonCaller>, work: Work) -> Result<Done, Problem> {
    take(Step::Enable, exchange, work).await
}

pub(super) async fn revoke(exchange: Exchange<PersonCaller>, work: Work) -> Result<Done, Problem> {
    take(Step::Revoke, exchange, work).await
}

async fn take(step: Step, exchange: Exchange<PersonCaller>, work: Work) -> Result<Done, Problem> {
    let id = exchange.id("id")?;
    let expected = expected(&exchange, id).await?;
    exchange.no_body()?;
    let (app, call) = (&exchange.app, exchange.call());
    let unit = app.auth.begin().await?;
    let token = match step {
        Step::Disable => token::disable(unit.as_ref(), call, id).await?,
        Step::Enable => token::enable(unit.as_ref(), call, id).await?,
        Step::Revoke => token::revoke(unit.as_ref(), call, id).await?,
    };
    began_at(expected, token.version)?;
    let view = View::of(&token, exchange.context.now);
    let answer = Answer::plain(StatusCode::OK, &view).version(token.version).of(token.primary);
    let done = work.finish(unit, answer).await;
    app.authenticator.forget();
    done
}
