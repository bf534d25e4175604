//! POST /webhooks/subscriptions/{id}/rotate-secret

use http::StatusCode;
use serde::Serialize;
use svc_core::id::SubscriptionId;
use svc_webhooks::subscription;
use utoipa::ToSchema;

use super::{SAVE_THE_SECRET, version};
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::idempotency::{Done, Work};
use crate::problem::Problem;

/// The new secret.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SecretRotated)]
pub(crate) struct Rotated {
    #[schema(value_type = String)]
    id: SubscriptionId,
    /// The HMAC key, starting with `whsec_`: shown in this answer only.
    secret: String,
    /// A reminder to save the secret.
    message: &'static str,
}

pub(crate) async fn rotate_secret(exchange: Exchange, work: Work) -> Result<Done, Problem> {
    let (id, scope) = (exchange.id("id")?, exchange.primary_scope()?);
    let expected = exchange.expected(version(&exchange, &scope, id)).await?;
    exchange.no_body()?;
    let unit = exchange.app.webhooks.begin().await?;
    let rotated = subscription::rotate_secret(unit.as_ref(), exchange.call_in(&scope), id, expected).await?;
    let secret = rotated.secret.expose().to_owned();
    let view = Rotated { id: rotated.id, secret, message: SAVE_THE_SECRET };
    let answer = Answer::plain(StatusCode::OK, &view).version(rotated.version).of(rotated.account);
    work.finish(unit, answer).await
}
