//! One subscription: what it is told of, how its receiver answers, and what was sent to it last.

use askama::Template;
use axum::response::Response;
use svc_core::id::SubscriptionId;
use svc_core::page::PageRules;
use svc_http::Problem;
use svc_webhooks::ports::DeliveryFilter;

use super::{found, health, state};
use crate::deliveries::row::{self, Row};
use crate::frame::{Frame, Place};
use crate::gate::{Developer, Seen};
use crate::instant::Instant;
use crate::once;
use crate::page;

/// Deliveries that are shown beside the subscription.
const LATEST: PageRules = PageRules { default: 10, max: 10 };

#[derive(Template)]
#[template(path = "subscriptions/show.html")]
struct View {
    f: Frame,
    id: SubscriptionId,
    name: String,
    url: String,
    events: Vec<String>,
    headers: Vec<String>,
    in_flight: u16,
    active: bool,
    state: (&'static str, &'static str),
    health: health::Told,
    created: Instant,
    rows: Vec<Row>,
    once: String,
    /// The form that made it was sent again.
    again: bool,
}

/// GET /companies/{company}/webhooks/{id}
pub(crate) async fn show(seen: Seen<Developer>) -> Result<Response, Problem> {
    let one = found(&seen, seen.id()?).await?;
    let (scope, t, app) = (&seen.at().scope, &seen.texts().subscriptions, seen.visit.app());
    let healths = app.webhooks.subscriptions().health(scope, &[one.id]).await?;
    let request = LATEST.page(None, None).map_err(|_| Problem::internal())?;
    let latest = app.webhooks.deliveries().page(scope, one.id, &DeliveryFilter::default(), request).await?;
    page::ok(&View {
        f: Frame::of(&seen, Place::Webhooks),
        id: one.id,
        url: one.endpoint.as_str().to_owned(),
        events: one.events.iter().map(|event| event.name().to_owned()).collect(),
        headers: one.headers.iter().map(|(name, _)| name.to_owned()).collect(),
        in_flight: one.in_flight.get(),
        active: one.is_active(),
        state: state(&one, t),
        health: health::told(healths.get(&one.id), seen.visit.now(), t),
        created: one.created_at.into(),
        rows: latest.items.iter().map(|logged| row::of(logged, seen.texts())).collect(),
        once: once::mark(&*app.random),
        again: seen.visit.query().has("again"),
        name: one.name,
    })
}
