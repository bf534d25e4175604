//! POST /webhooks/subscriptions

use http::StatusCode;
use std::collections::BTreeMap;

use svc_core::event::EventType;
use svc_core::id::SubscriptionId;
use svc_core::wire::Form;
use svc_core::{wire_request, wire_view};
use svc_webhooks::subscription::{self, CreateRequest, Draft, HeaderSecret, Subscription};

use super::{EVENTS, SAVE_THE_SECRET, SECRET_WAS_SHOWN, masked};
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};

use crate::problem::Problem;

wire_request! {
    /// The subscription to create.
    #[derive(Debug)]
    pub(crate) struct Body as "SubscriptionCreate" of subscription {
        /// How it is called.
        name: String => Form::text(1, 100).example("Shop"),
        /// https, with a public address behind its name.
        url: String => Form::URI.length(1, 2_000).example("https://shop.example/hooks"),
        /// Which events it gets.
        events: Vec<String> => EVENTS,
        /// Headers for its notifications: `Authorization`, and names that begin with `X-` but not with `X-SVC-`;
        /// values are visible ASCII characters, never shown again.
        #[serde(default)]
        headers: BTreeMap<String, HeaderSecret> => Form::list(0, 10, &Form::ANY).keys(100),
        /// How many attempts may be under way at a time: 32 when left out.
        max_in_flight: Option<u32> => Form::range(1, 256),
    }
}

wire_view! {
    /// The new subscription with its secret.
    #[derive(Debug)]
    pub(crate) struct Created as "SubscriptionCreated" {
        id: SubscriptionId,
        name: String => Form::ANY.example("Shop"),
        url: String => Form::URI.example("https://shop.example/hooks"),
        events: Vec<EventType> => Form::ANY.json(r#"["contact.create"]"#),
        /// The names of its headers with `***` for their values; absent when there are none.
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        [optional] headers: BTreeMap<String, &'static str>,
        /// The HMAC key, starting with `whsec_`: in this answer only, `null` in a replay.
        secret: Option<String> => Form::ANY.example("whsec_…"),
        /// A reminder to save the secret, or, in a replay, how to get another one.
        message: &'static str => Form::ANY.example(SAVE_THE_SECRET),
    }
}

pub(crate) async fn create(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let Body { name, url, events, headers, max_in_flight: in_flight } = req.json()?;
    let principal = &req.caller.principal;
    // Resolves the URL's name, so no unit may be open yet.
    let request = CreateRequest { name, url, events, headers, in_flight };
    let draft = Draft::check(request, req.subscribable(), &*req.app.sender).await?;
    let unit = req.app.webhooks.begin().await?;
    let scope = req.primary_scope()?;
    let call = req.call_in(&scope);
    let created = subscription::create(unit.as_ref(), call, principal.primary, draft).await?;
    let answer = Answer::once(StatusCode::CREATED, &view(&created, true), &view(&created, false))
        .location(&format!("/webhooks/subscriptions/{}", created.id))
        .version(created.version)
        .of(created.account);
    pending.finish(unit, answer).await
}

/// With the secret, or as a kept reply has it.
fn view(created: &Subscription, with_secret: bool) -> Created {
    Created {
        id: created.id,
        name: created.name.clone(),
        url: created.endpoint.as_str().to_owned(),
        events: created.events.iter().cloned().collect(),
        headers: masked(&created.headers),
        secret: with_secret.then(|| created.secret.expose().to_owned()),
        message: if with_secret { SAVE_THE_SECRET } else { SECRET_WAS_SHOWN },
    }
}
