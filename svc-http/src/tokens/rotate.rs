//! POST /tokens/{id}/rotate

use http::StatusCode;
use svc_auth::token;

use super::view::Valued;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::idempotency::{Committed, PendingReply};
use crate::problem::Problem;

pub(super) async fn rotate(
    req: ApiRequest<PersonCaller>,
    pending: PendingReply,
) -> Result<Committed, Problem> {
    let app = &req.app;
    let unit = app.auth.begin().await?;
    let opened = token::open(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    req.no_body()?;
    let (token, value) = token::rotate(opened, &app.peppers).await?;
    let now = req.context.now;
    let shown = Valued::of(&token, Some(&value), now)?;
    let answer = Answer::once(StatusCode::OK, &shown, &Valued::of(&token, None, now)?)
        .version(token.version)
        .of(token.primary);
    let done = pending.finish(unit, answer).await;
    app.authenticator.forget();
    done
}
