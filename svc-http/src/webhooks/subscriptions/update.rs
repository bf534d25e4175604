//! PATCH /webhooks/subscriptions/{id}

use http::StatusCode;
use serde::Deserialize;
use svc_core::error::Checks;
use svc_core::patch::Patch;
use svc_webhooks::subscription::{self, Change, UpdateRequest};
use utoipa::ToSchema;

use super::{View, version};
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::json::{COMPUTED, Input, kept};
use crate::problem::Problem;

/// A merge patch of a subscription.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schema(as = SubscriptionUpdate)]
pub(crate) struct Body {
    /// 1 to 100 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>, nullable = false)]
    name: Patch<String>,
    /// https, with a public address behind its name.
    #[serde(default)]
    #[schema(value_type = Option<String>, nullable = false)]
    url: Patch<String>,
    /// Names of event types, in place of the present ones.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>, nullable = false)]
    events: Patch<Vec<String>>,
    /// Whether events are delivered.
    #[serde(default)]
    #[schema(value_type = Option<bool>, nullable = false)]
    active: Patch<bool>,
    /// How many attempts may be under way at a time: 1 to 256, 32 unless changed.
    #[serde(default)]
    #[schema(value_type = Option<u32>, nullable = false)]
    max_in_flight: Patch<u32>,
}

impl Input for Body {
    const READ_ONLY: &'static [&'static str] = &COMPUTED;
}

pub(crate) async fn update(exchange: Exchange) -> Result<Answer, Problem> {
    let (id, scope) = (exchange.id("id")?, exchange.primary_scope()?);
    let expected = exchange.expected(version(&exchange, &scope, id)).await?;
    let request = request(exchange.json()?)?;
    let change = Change::check(request, &exchange.caller.principal.grants, &*exchange.app.sender).await?;
    let unit = exchange.app.webhooks.begin().await?;
    let updated = subscription::update(unit.as_ref(), exchange.call_in(&scope), id, expected, change).await?;
    unit.commit().await?;
    Ok(Answer::plain(StatusCode::OK, &View::of(&updated)).version(updated.version))
}

/// No member of a subscription can be cleared.
fn request(body: Body) -> Result<UpdateRequest, Problem> {
    let mut checks = Checks::new();
    let request = UpdateRequest {
        name: kept(&mut checks, "name", body.name),
        url: kept(&mut checks, "url", body.url),
        events: kept(&mut checks, "events", body.events),
        active: kept(&mut checks, "active", body.active),
        in_flight: kept(&mut checks, "maxInFlight", body.max_in_flight),
    };
    checks.finish()?;
    Ok(request)
}
