//! The replays of a subscription, newest first.

use askama::Template;
use axum::response::Response;
use svc_core::id::{ReplayId, SubscriptionId};
use svc_http::Problem;
use svc_webhooks::replay::Replay;

use super::state;
use crate::frame::{Frame, Place};
use crate::gate::{Developer, Seen};
use crate::instant::Instant;
use crate::page;
use crate::pager::{self, Pager};
use crate::subscriptions::found;
use crate::texts::filled;

#[derive(Template)]
#[template(path = "replays/list.html")]
struct View {
    f: Frame,
    id: SubscriptionId,
    name: String,
    active: bool,
    rows: Vec<Row>,
    pager: Pager,
}

struct Row {
    id: ReplayId,
    started: Instant,
    state: (&'static str, &'static str),
    progress: String,
}

/// GET /companies/{company}/webhooks/{id}/replays
pub(crate) async fn list(seen: Seen<Developer>) -> Result<Response, Problem> {
    let one = found(&seen, seen.id()?).await?;
    let reader = seen.visit.app().replays.replays();
    let page = reader.page(&seen.at().scope, one.id, pager::asked(seen.visit.query())).await?;
    let t = &seen.texts().replays;
    let row = |replay: &Replay| Row {
        id: replay.id,
        started: replay.selection.asked_at.into(),
        state: state(replay.status(), t),
        progress: filled(&filled(t.progress_of, replay.sent), replay.matched),
    };
    page::ok(&View {
        f: Frame::of(&seen, Place::Webhooks),
        id: one.id,
        active: one.is_active(),
        rows: page.items.iter().map(row).collect(),
        pager: Pager::of(&page, seen.visit.uri(), seen.texts()),
        name: one.name,
    })
}
