//! GET /webhooks/subscriptions/{id}/deliveries

use http::StatusCode;
use svc_core::event::{EventCatalogue, EventDeclaration, EventType, UnknownEventType};
use svc_core::id::EventId;
use svc_core::page::PageRules;
use svc_webhooks::delivery::Status;
use svc_webhooks::ports::DeliveryFilter;

use super::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::list::Listed;
use crate::problem::Problem;
use crate::query::{Kind, Param, Query};

pub(crate) const FILTERS: [Param; 5] = [
    Param::new("status", Kind::OneOf(Status::NAMES), "Only this status."),
    Param::new("eventType", Kind::Text, "Only this type of event."),
    Param::new("eventId", Kind::id::<EventId>(), "Only this event."),
    Param::new("from", Kind::Moment, "Created at this instant, or on this date (UTC), or later."),
    Param::new("to", Kind::Moment, "Created at this instant, or on this date (UTC), or earlier."),
];

pub(crate) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let (id, scope) = (req.id("id")?, req.primary_scope()?);
    let page = req.query.page(PageRules::USUAL)?;
    let filter = filter(&req.query, &req.app.events)?;
    let storage = &req.app.webhooks;
    storage.subscriptions().find(&scope, id).await?.ok_or_else(Problem::not_found)?;
    let page = storage.deliveries().page(&scope, id, &filter, page).await?;
    let view = Listed::of(&page, |logged| View::of(&logged.delivery, &logged.attempts));
    Ok(Answer::plain(StatusCode::OK, &view))
}

fn filter(query: &Query, catalogue: &EventCatalogue) -> Result<DeliveryFilter, Problem> {
    let (from, before) = query.span()?;
    Ok(DeliveryFilter {
        status: query.parse("status")?,
        event_type: query.with("eventType", |name| named(name, catalogue))?,
        event: query.parse("eventId")?,
        from,
        before,
    })
}

/// The type of this name; the test event has deliveries too.
fn named(name: &str, catalogue: &EventCatalogue) -> Result<EventType, String> {
    let declared = catalogue.get(name).ok_or_else(|| UnknownEventType(name.to_owned()));
    declared.map(EventDeclaration::kind).map_err(|unknown| unknown.to_string())
}
