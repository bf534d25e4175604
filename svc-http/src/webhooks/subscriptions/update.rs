//! PATCH /webhooks/subscriptions/{id}

use std::collections::BTreeMap;

use http::StatusCode;
use serde::Deserialize;
use svc_core::error::Validator;
use svc_core::patch::Patch;
use svc_webhooks::subscription::{self, Change, HeaderChanges, HeaderSecret, UpdateRequest};
use utoipa::ToSchema;

use super::{shown, version};
use crate::answer::Answer;
use crate::api_request::ApiRequest;
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
    /// Headers to set, and with null to drop; `***` keeps a value, and null in the place of all drops
    /// all. Those that are not named stay, unless the URL leads to another host: then all are needed.
    #[serde(default)]
    #[schema(value_type = Option<BTreeMap<String, Option<String>>>)]
    headers: Patch<BTreeMap<String, Option<HeaderSecret>>>,
}

impl Input for Body {
    const READ_ONLY: &'static [&'static str] = &COMPUTED;
}

pub(crate) async fn update(req: ApiRequest) -> Result<Answer, Problem> {
    let (id, scope) = (req.id("id")?, req.primary_scope()?);
    let expected = req.expected(version(&req, &scope, id)).await?;
    let request = request(req.json()?)?;
    let change = Change::check(request, &req.caller.principal.grants, &*req.app.sender).await?;
    let unit = req.app.webhooks.begin().await?;
    let updated = subscription::update(unit.as_ref(), req.call_in(&scope), id, expected, change).await?;
    unit.commit().await?;
    let view = shown(&req, &scope, &updated).await?;
    Ok(Answer::plain(StatusCode::OK, &view).version(updated.version))
}

/// No member of a subscription can be cleared but its headers.
fn request(body: Body) -> Result<UpdateRequest, Problem> {
    let mut validator = Validator::new();
    let request = UpdateRequest {
        name: kept(&mut validator, "name", body.name),
        url: kept(&mut validator, "url", body.url),
        events: kept(&mut validator, "events", body.events),
        active: kept(&mut validator, "active", body.active),
        in_flight: kept(&mut validator, "maxInFlight", body.max_in_flight),
        headers: match body.headers {
            Patch::Absent => None,
            Patch::Null => Some(HeaderChanges::Clear),
            Patch::Value(changes) => Some(HeaderChanges::Merge(changes)),
        },
    };
    validator.finish()?;
    Ok(request)
}
