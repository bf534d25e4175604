//! POST /tokens/{id}/disable, /enable and /revoke

use http::StatusCode;
use svc_auth::token;

use super::view::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::idempotency::{Committed, PendingReply};
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
    let app = &req.app;
    let unit = app.auth.begin().await?;
    let opened = token::open(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    req.no_body()?;
    let token = match step {
        Step::Disable => token::disable(opened).await?,
        Step::Enable => token::enable(opened).await?,
        Step::Revoke => token::revoke(opened).await?,
    };
    let view = View::of(&token, req.context.now)?;
    let answer = Answer::plain(StatusCode::OK, &view).version(token.version).of(token.primary);
    let done = pending.finish(unit, answer).await;
    app.authenticator.forget();
    done
}
