//! PATCH /webhooks/subscriptions/{id}

use std::collections::BTreeMap;

use http::StatusCode;
use svc_core::error::Validator;
use svc_core::patch::Patch;
use svc_core::wire::Form;
use svc_core::wire_request;
use svc_webhooks::subscription::{self, Change, HeaderChanges, HeaderSecret, UpdateRequest};

use super::{EVENTS, shown};
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::json::kept;
use crate::problem::Problem;

wire_request! {
    /// A merge patch of a subscription.
    #[derive(Debug, Default)]
    pub(crate) struct Body as "SubscriptionUpdate" of subscription {
        /// How it is called.
        #[serde(default)]
        [kept] name: Patch<String> => Form::text(1, 100).example("Shop"),
        /// https, with a public address behind its name.
        #[serde(default)]
        [kept] url: Patch<String> => Form::URI.length(1, 2_000),
        /// Which events it gets, in place of the present ones.
        #[serde(default)]
        [kept] events: Patch<Vec<String>> => EVENTS,
        /// Whether events are delivered.
        #[serde(default)]
        [kept] active: Patch<bool> => Form::ANY.json("true"),
        /// How many attempts may be under way at a time: 32 unless changed.
        #[serde(default)]
        [kept] max_in_flight: Patch<u32> => Form::range(1, 256),
        /// Headers to set, and with null to drop; `***` keeps a value, and null in the place of all drops
        /// all. Those that are not named stay, unless the URL changes, if only its path: then all are needed.
        #[serde(default)]
        headers: Patch<BTreeMap<String, Option<HeaderSecret>>> => Form::ANY.keys(100),
    }
}

pub(crate) async fn update(req: ApiRequest) -> Result<Answer, Problem> {
    let (id, scope) = (req.id("id")?, req.primary_scope()?);
    let (expected, app) = (req.if_match(), &req.app);
    // A URL is resolved before the unit is opened, and the body is judged after the record.
    let known = app.webhooks.subscriptions().find(&scope, id).await?.ok_or_else(Problem::not_found)?;
    expected.check(known.version)?;
    let request = request(req.json()?)?;
    let change = Change::check(request, req.subscribable(), &*app.sender).await?;
    let unit = app.webhooks.begin().await?;
    let opened = subscription::open(unit.as_ref(), req.call_in(&scope), id, &expected).await?;
    let updated = subscription::update(opened, change).await?;
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
