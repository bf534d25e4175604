//! One replay, and how far it is.

use askama::Template;
use axum::response::Response;
use svc_core::id::{ReplayId, SubscriptionId};
use svc_http::Problem;
use svc_webhooks::replay::{Source, State, Why};

use super::state;
use crate::frame::{Frame, Place};
use crate::gate::{Developer, Seen};
use crate::instant::Instant;
use crate::once;
use crate::page;
use crate::subscriptions::found;

#[derive(Template)]
#[template(path = "replays/show.html")]
struct View {
    f: Frame,
    id: ReplayId,
    subscription: SubscriptionId,
    name: String,
    what: &'static str,
    events: Vec<String>,
    from: Option<Instant>,
    to: Instant,
    state: (&'static str, &'static str),
    running: bool,
    switched_off: bool,
    sent: u64,
    matched: u64,
    started: Instant,
    ended: Option<Instant>,
    once: String,
}

/// GET /companies/{company}/replays/{id}
pub(crate) async fn show(seen: Seen<Developer>) -> Result<Response, Problem> {
    let (app, t) = (seen.visit.app(), &seen.texts().replays);
    let replay =
        app.replays.replays().find(&seen.at().scope, seen.id()?).await?.ok_or_else(Problem::not_found)?;
    let selection = &replay.selection;
    let subscription = found(&seen, selection.subscription).await?;
    page::ok(&View {
        f: Frame::of(&seen, Place::Webhooks),
        id: replay.id,
        subscription: subscription.id,
        what: match selection.source {
            Source::Events => t.events,
            Source::Deliveries { .. } => t.failed,
        },
        events: selection.types.iter().map(|event| event.name().to_owned()).collect(),
        from: selection.from.map(Instant::from),
        to: selection.until.into(),
        state: state(replay.status(), t),
        running: replay.due_at().is_some(),
        switched_off: matches!(replay.state, State::Cancelled { why: Why::SubscriptionInactive, .. }),
        sent: replay.sent,
        matched: replay.matched,
        started: selection.asked_at.into(),
        ended: replay.ended_at().map(Instant::from),
        once: once::mark(&*app.random),
        name: subscription.name,
    })
}
