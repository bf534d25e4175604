//! The events of a company, newest first.

use askama::Template;
use axum::response::Response;
use svc_core::event::{EventDeclaration, EventType};
use svc_core::id::EventId;
use svc_http::Problem;
use svc_webhooks::ports::{EventFilter, LoggedEvent};

use super::became;
use crate::frame::{Frame, Place};
use crate::gate::{Developer, Seen};
use crate::instant::{Instant, day_after, first_of_day};
use crate::page;
use crate::pager::{self, Pager};
use crate::subscriptions::subscribable;

#[derive(Template)]
#[template(path = "event_log/list.html")]
struct View {
    f: Frame,
    events: Vec<(&'static str, bool)>,
    object: String,
    from: String,
    to: String,
    rows: Vec<Row>,
    pager: Pager,
}

struct Row {
    id: EventId,
    occurred: Instant,
    kind: String,
    object: String,
    became: Vec<(String, &'static str)>,
}

/// GET /companies/{company}/events
pub(crate) async fn list(seen: Seen<Developer>) -> Result<Response, Problem> {
    let (query, t) = (seen.visit.query(), &seen.texts().event_log);
    let (kind, object) = (query.text("event"), query.text("object"));
    let all = || subscribable(&seen).all();
    let chosen: Vec<EventType> =
        all().filter(|event| kind.is_empty() || event.name() == kind).map(EventDeclaration::kind).collect();
    let filter = EventFilter {
        companies: Vec::new(),
        types: chosen.into_iter().collect(),
        object: (!object.is_empty()).then(|| object.to_owned()),
        from: first_of_day(query.text("from")),
        before: day_after(query.text("to")),
    };
    let reader = seen.visit.app().webhooks.events();
    let page = reader.page(&seen.at().scope, &filter, pager::asked(query)).await?;
    let row = |LoggedEvent { event, deliveries }: &LoggedEvent| Row {
        id: event.id,
        occurred: event.occurred_at.into(),
        kind: event.kind.name().to_owned(),
        object: event.object_id.clone(),
        became: became(*deliveries, t),
    };
    page::ok(&View {
        f: Frame::of(&seen, Place::Events),
        events: all().map(|event| (event.name(), event.name() == kind)).collect(),
        object: object.to_owned(),
        from: query.text("from").to_owned(),
        to: query.text("to").to_owned(),
        rows: page.items.iter().map(row).collect(),
        pager: Pager::of(&page, seen.visit.uri(), seen.texts()),
    })
}
