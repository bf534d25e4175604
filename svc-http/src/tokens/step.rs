//! POST /tokens/{id}/disable, /enable and /revoke

use http::StatusCode;
use svc_auth::token;

use super::expected;
use super::view::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::idempotency::{Committed, PendingReply};
use crate::precondition::began_at;
use crate::problem::Problem;

/// A step of a token's life that needs nothing but the token.
enum Step {
    Disable,
    Enable,
    Revoke,
}

pub(super) async fn disable(
    req: ApiRequest<PersonCaller>,
    pending: PendingReply,
) -> Result<Committed, Problem> {
    take(Step::Disable, req, pending).await
}

pub(super) async fn enable(
    req: ApiRequest<PersonCaller>,
    pending: PendingReply,
) -> Result<Committed, Problem> {
    take(Step::Enable, req, pending).await
}

pub(super) async fn revoke(
    req: ApiRequest<PersonCaller>,
    pending: PendingReply,
) -> Result<Committed, Problem> {
    take(Step::Revoke, req, pending).await
}

async fn take(
    step: Step,
    req: ApiRequest<PersonCaller>,
    pending: PendingReply,
) -> Result<Committed, Problem> {
    let id = req.id("id")?;
    let expected = expected(&req, id).await?;
    req.no_body()?;
    let (app, call) = (&req.app, req.call());
    let unit = app.auth.begin().await?;
    let token = match step {
        Step::Disable => token::disable(unit.as_ref(), call, id).await?,
        Step::Enable => token::enable(unit.as_ref(), call, id).await?,
        Step::Revoke => token::revoke(unit.as_ref(), call, id).await?,
    };
    began_at(expected, token.version)?;
    let view = View::of(&token, req.context.now);
    let answer = Answer::plain(StatusCode::OK, &view).version(token.version).of(token.primary);
    let done = pending.finish(unit, answer).await;
    app.authenticator.forget();
    done
}
