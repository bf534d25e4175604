//! POST /webhooks/subscriptions

use http::StatusCode;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use svc_core::event::EventType;
use svc_core::id::SubscriptionId;
use svc_webhooks::subscription::{self, CreateRequest, Draft, HeaderSecret, Subscription};
use utoipa::ToSchema;

use super::{SAVE_THE_SECRET, masked};
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::json::{COMPUTED, Input};
use crate::problem::Problem;

/// The subscription to create.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schema(as = SubscriptionCreate)]
pub(crate) struct Body {
    /// 1 to 100 characters.
    name: String,
    /// https, with a public address behind its name.
    url: String,
    /// Names of event types, at least one.
    events: Vec<String>,
    /// Headers for its notifications: names that begin with `X-`, but not with `X-SVC-`, or
    /// `Authorization`; 10 at most, values of 1 to 1000 visible ASCII characters, never shown again.
    #[serde(default)]
    #[schema(value_type = BTreeMap<String, String>, required = false)]
    headers: BTreeMap<String, HeaderSecret>,
    /// How many attempts may be under way at a time: 1 to 256, 32 when left out.
    max_in_flight: Option<u32>,
}

impl Input for Body {
    const READ_ONLY: &'static [&'static str] = &COMPUTED;
}

/// The new subscription with its secret.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SubscriptionCreated)]
pub(crate) struct Created {
    #[schema(value_type = String)]
    id: SubscriptionId,
    name: String,
    url: String,
    #[schema(value_type = Vec<String>)]
    events: Vec<EventType>,
    /// The names of its headers with `***` for their values; absent when there are none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    headers: BTreeMap<String, &'static str>,
    /// The HMAC key, starting with `whsec_`: shown in this answer only.
    secret: String,
    /// A reminder to save the secret.
    message: &'static str,
}

pub(crate) async fn create(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let Body { name, url, events, headers, max_in_flight: in_flight } = req.json()?;
    let principal = &req.caller.principal;
    // Resolves the URL's name, so no unit may be open yet.
    let request = CreateRequest { name, url, events, headers, in_flight };
    let draft = Draft::check(request, &principal.grants, &*req.app.sender).await?;
    let unit = req.app.webhooks.begin().await?;
    let scope = req.primary_scope()?;
    let call = req.call_in(&scope);
    let created =
        subscription::create(unit.as_ref(), call, principal.primary, principal.token, draft).await?;
    let answer = Answer::plain(StatusCode::CREATED, &view(&created))
        .location(&format!("/webhooks/subscriptions/{}", created.id))
        .version(created.version)
        .of(created.account);
    pending.finish(unit, answer).await
}

fn view(created: &Subscription) -> Created {
    Created {
        id: created.id,
        name: created.name.clone(),
        url: created.endpoint.as_str().to_owned(),
        events: created.events.iter().copied().collect(),
        headers: masked(&created.headers),
        secret: created.secret.expose().to_owned(),
        message: SAVE_THE_SECRET,
    }
}
