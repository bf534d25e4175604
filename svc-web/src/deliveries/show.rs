//! One delivery: what was sent, each attempt with its answer, and the next one.

use std::str;

use askama::Template;
use axum::response::Response;
use svc_core::id::{DeliveryId, EventId, SubscriptionId};
use svc_http::Problem;
use svc_webhooks::delivery::{Attempt, Delivery, headers};
use svc_webhooks::ports::{Answer, LoggedDelivery, Notification};
use svc_webhooks::subscription::{MASK, Subscription};

use super::state;
use super::waterfall::{self, Waterfall};
use crate::frame::{Frame, Place};
use crate::gate::{Developer, Seen};
use crate::instant::{Instant, millis};
use crate::once;
use crate::page;
use crate::subscriptions::found;
use crate::texts::{Deliveries, filled};

#[derive(Template)]
#[template(path = "deliveries/show.html")]
struct View {
    f: Frame,
    id: DeliveryId,
    kind: String,
    event: EventId,
    subscription: SubscriptionId,
    name: String,
    url: String,
    state: (&'static str, &'static str),
    ended: bool,
    active: bool,
    created: Instant,
    next: Option<Instant>,
    attempts: Vec<Tried>,
    request: Option<Sent>,
    once: String,
}

/// The request of an attempt.
struct Sent {
    headers: Vec<(String, String)>,
    body: String,
}

/// An attempt as the page shows it.
struct Tried {
    title: String,
    at: Instant,
    /// Status or failure, and its colour.
    outcome: (String, &'static str),
    error: Option<String>,
    took: String,
    peer: Option<String>,
    waterfall: Waterfall,
    answer: Option<Answered>,
}

/// What a receiver answered: untrusted text.
struct Answered {
    headers: Vec<(String, String)>,
    body: Body,
    /// Whether there was more than is kept.
    cut: bool,
}

enum Body {
    None,
    Text(String),
    Binary(String),
}

/// GET /companies/{company}/deliveries/{id}
pub(crate) async fn show(seen: Seen<Developer>) -> Result<Response, Problem> {
    let (app, scope, t) = (seen.visit.app(), &seen.at().scope, &seen.texts().deliveries);
    let logged = app.webhooks.deliveries().find(scope, seen.id()?).await?.ok_or_else(Problem::not_found)?;
    let LoggedDelivery { delivery, attempts } = logged;
    let subscription = found(&seen, delivery.subscription).await?;
    let event = app.webhooks.events().find(scope, delivery.event).await?;
    let request =
        event.map(|logged| sent(&seen, &delivery, &subscription, &Notification::from(&logged.event)));
    page::ok(&View {
        f: Frame::of(&seen, Place::Webhooks),
        id: delivery.id,
        kind: delivery.event_type.name().to_owned(),
        event: delivery.event,
        subscription: subscription.id,
        url: subscription.endpoint.as_str().to_owned(),
        state: state(delivery.status(), t),
        ended: delivery.status().is_ended(),
        active: subscription.is_active(),
        created: delivery.created_at.into(),
        next: delivery.next_attempt_at().map(Instant::from),
        attempts: attempts.iter().map(|attempt| tried(attempt, t)).collect(),
        request,
        once: once::mark(&*app.random),
        name: subscription.name,
    })
}

/// The request, its headers at the instant of the latest attempt.
fn sent(seen: &Seen<Developer>, delivery: &Delivery, of: &Subscription, notification: &Notification) -> Sent {
    let at = delivery.created_at;
    let signature = "t=…,sha256=…".to_owned();
    let contract = headers(delivery.id, notification, at, signature, &seen.visit.app().attempts);
    let contract = contract.into_iter().map(|(name, value)| (name.to_string(), value));
    let own = of.headers.iter().map(|(name, _)| (name.to_owned(), MASK.to_owned()));
    Sent {
        headers: contract.chain(own).collect(),
        body: String::from_utf8_lossy(&notification.body).into_owned(),
    }
}

fn tried(attempt: &Attempt, t: &Deliveries) -> Tried {
    let outcome = &attempt.outcome;
    let told = outcome.status_code.map_or_else(|| t.no_answer.to_owned(), |code| code.to_string());
    Tried {
        title: filled(t.attempt, attempt.number),
        at: attempt.at.into(),
        outcome: (told, if outcome.arrived() { "good" } else { "bad" }),
        error: outcome.error.clone(),
        took: millis(outcome.duration),
        peer: attempt.peer.map(|peer| filled(t.reached, peer)),
        waterfall: waterfall::of(attempt.timings, t),
        answer: attempt.answer.as_ref().map(|answer| answered(answer, t)),
    }
}

fn answered(answer: &Answer, t: &Deliveries) -> Answered {
    let text = |(name, value): (&str, &[u8])| (name.to_owned(), String::from_utf8_lossy(value).into_owned());
    Answered {
        headers: answer.headers.iter().map(text).collect(),
        body: body(&answer.body, t),
        cut: answer.truncated,
    }
}

/// The body as text; the limit may have cut its last character, which is left out then.
fn body(bytes: &[u8], t: &Deliveries) -> Body {
    let text = match str::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) if error.error_len().is_none() => {
            bytes.get(..error.valid_up_to()).and_then(|whole| str::from_utf8(whole).ok())
        }
        Err(_) => None,
    };
    match text {
        Some("") => Body::None,
        Some(text) => Body::Text(text.to_owned()),
        None => Body::Binary(filled(t.binary, bytes.len())),
    }
}
