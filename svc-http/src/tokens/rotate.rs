//! POST /tokens/{id}/rotate

use http::StatusCode;
use svc_auth::token;

use super::expected;
use super::view::Valued;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::idempotency::{Committed, PendingReply};
use crate::precondition::began_at;
use crate::problem::Problem;

pub(super) async fn rotate(
    req: ApiRequest<PersonCaller>,
    pending: PendingReply,
) -> Result<Committed, Problem> {
    let id = req.id("id")?;
    let expected = expected(&req, id).await?;
    req.no_body()?;
    let app = &req.app;
    let unit = app.auth.begin().await?;
    let (token, value) = token::rotate(unit.as_ref(), req.call(), id, &app.peppers).await?;
    began_at(expected, token.version)?;
    let now = req.context.now;
    let shown = Valued::of(&token, Some(&value), now);
    let answer = Answer::once(StatusCode::OK, &shown, &Valued::of(&token, None, now))
        .version(token.version)
        .of(token.primary);
    let done = pending.finish(unit, answer).await;
    app.authenticator.forget();
    done
}
