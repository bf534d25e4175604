//! One event: its notification, and where its deliveries are.

use askama::Template;
use axum::response::Response;
use svc_core::id::{EventId, SubscriptionId};
use svc_core::page::PageRules;
use svc_http::Problem;

use super::became;
use crate::frame::{Frame, Place};
use crate::gate::{Developer, Seen};
use crate::instant::Instant;
use crate::page;

#[derive(Template)]
#[template(path = "event_log/show.html")]
struct View {
    f: Frame,
    id: EventId,
    kind: String,
    object: String,
    occurred: Instant,
    became: Vec<(String, &'static str)>,
    body: String,
    /// Subscriptions that list the event.
    webhooks: Vec<(SubscriptionId, String)>,
}

/// GET /companies/{company}/events/{id}
pub(crate) async fn show(seen: Seen<Developer>) -> Result<Response, Problem> {
    let (app, scope) = (seen.visit.app(), &seen.at().scope);
    let logged = app.webhooks.events().find(scope, seen.id()?).await?.ok_or_else(Problem::not_found)?;
    let event = &logged.event;
    let all = PageRules::USUAL.page(None, Some(PageRules::USUAL.max)).map_err(|_| Problem::internal())?;
    let subscriptions = app.webhooks.subscriptions().page(scope, all).await?.items;
    let listing = subscriptions.into_iter().filter(|one| one.events.contains(&event.kind));
    page::ok(&View {
        f: Frame::of(&seen, Place::Events),
        id: event.id,
        kind: event.kind.name().to_owned(),
        object: event.object_id.clone(),
        occurred: event.occurred_at.into(),
        became: became(logged.deliveries, &seen.texts().event_log),
        body: serde_json::to_string_pretty(event).map_err(|_| Problem::internal())?,
        webhooks: listing.map(|one| (one.id, one.name)).collect(),
    })
}
