//! The deliveries of a subscription, newest first, and what the list is narrowed by.

use askama::Template;
use axum::response::Response;
use svc_core::event::{EventDeclaration, EventType};
use svc_core::id::SubscriptionId;
use svc_http::Problem;
use svc_http::visit::Form;
use svc_webhooks::delivery::Status;
use svc_webhooks::ports::DeliveryFilter;
use svc_webhooks::subscription::Subscription;

use super::row::{self, Row};
use super::{STATUSES, state};
use crate::frame::{Frame, Place};
use crate::gate::{Developer, Seen};
use crate::instant::{day_after, first_of_day};
use crate::page;
use crate::pager::{self, Pager};
use crate::subscriptions::found;

#[derive(Template)]
#[template(path = "deliveries/list.html")]
struct View {
    f: Frame,
    id: SubscriptionId,
    name: String,
    /// Value, text, and whether it is chosen.
    statuses: Vec<(&'static str, &'static str, bool)>,
    events: Vec<(String, bool)>,
    event: String,
    from: String,
    to: String,
    rows: Vec<Row>,
    pager: Pager,
}

/// GET /companies/{company}/webhooks/{id}/deliveries
pub(crate) async fn list(seen: Seen<Developer>) -> Result<Response, Problem> {
    let one = found(&seen, seen.id()?).await?;
    let (query, texts) = (seen.visit.query(), seen.texts());
    let (filter, request) = (filter(query, &seen), pager::asked(query));
    let reader = seen.visit.app().webhooks.deliveries();
    let page = reader.page(&seen.at().scope, one.id, &filter, request).await?;
    let status = |one: Status| (one.name(), state(one, &texts.deliveries).0, filter.status == Some(one));
    page::ok(&View {
        f: Frame::of(&seen, Place::Webhooks),
        id: one.id,
        statuses: STATUSES.map(status).to_vec(),
        events: events(&one, filter.event_type.as_ref()),
        event: query.text("eventId").to_owned(),
        from: query.text("from").to_owned(),
        to: query.text("to").to_owned(),
        rows: page.items.iter().map(|logged| row::of(logged, texts)).collect(),
        pager: Pager::of(&page, seen.visit.uri(), texts),
        name: one.name,
    })
}

/// What the query names; what it names wrongly narrows nothing.
fn filter(query: &Form, seen: &Seen<Developer>) -> DeliveryFilter {
    let declared = seen.visit.app().events.get(query.text("event"));
    DeliveryFilter {
        status: query.text("status").parse().ok(),
        event_type: declared.map(EventDeclaration::kind),
        event: query.text("eventId").parse().ok(),
        from: first_of_day(query.text("from")),
        before: day_after(query.text("to")),
    }
}

/// The events of the subscription, and that of its tests.
fn events(of: &Subscription, chosen: Option<&EventType>) -> Vec<(String, bool)> {
    let test = EventDeclaration::TEST.kind();
    let all = of.events.iter().chain([&test]);
    all.map(|event| (event.name().to_owned(), Some(event) == chosen)).collect()
}
