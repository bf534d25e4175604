//! POST /webhooks/subscriptions/{id}/rotate-secret

use http::StatusCode;
use svc_core::id::SubscriptionId;
use svc_core::wire::Form;
use svc_core::wire_view;
use svc_webhooks::subscription;

use super::{SAVE_THE_SECRET, SECRET_WAS_SHOWN};
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::problem::Problem;

wire_view! {
    /// The new secret.
    #[derive(Debug)]
    pub(crate) struct Rotated as "SecretRotated" {
        id: SubscriptionId,
        /// The HMAC key, starting with `whsec_`: in this answer only, `null` in a replay.
        secret: Option<String> => Form::ANY.example("whsec_…"),
        /// A reminder to save the secret, or, in a replay, how to get another one.
        message: &'static str => Form::ANY.example(SAVE_THE_SECRET),
    }
}

pub(crate) async fn rotate_secret(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let (id, scope) = (req.id("id")?, req.primary_scope()?);
    let unit = req.app.webhooks.begin().await?;
    let opened = subscription::open(unit.as_ref(), req.call_in(&scope), id, &req.if_match()).await?;
    req.no_body()?;
    req.subscribable().require(opened.events())?;
    let rotated = subscription::rotate_secret(opened, &req.app.attempts.names).await?;
    let secret = rotated.secret.expose().to_owned();
    let shown = Rotated { id: rotated.id, secret: Some(secret), message: SAVE_THE_SECRET };
    let kept = Rotated { id: rotated.id, secret: None, message: SECRET_WAS_SHOWN };
    let answer = Answer::once(StatusCode::OK, &shown, &kept).version(rotated.version).of(rotated.account);
    pending.finish(unit, answer).await
}
