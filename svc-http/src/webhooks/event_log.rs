//! GET /webhooks/event-log: what happened, and what became of it.

use std::collections::BTreeSet;
use svc_business::catalogue::event;

use http::StatusCode;
use serde::Serialize;
use serde_json::{Value, json};
use svc_core::event::{Event, EventCatalogue, EventDeclaration, EventType};
use svc_core::id::AccountId;
use svc_core::page::PageRules;
use svc_core::wire::{Described, Parts};
use svc_core::wire_view;
use svc_webhooks::ports::{DeliveryCounts, EventFilter, LoggedEvent};
use svc_webhooks::subscription::Subscribable;

use super::span;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::list::Listed;
use crate::problem::Problem;
use crate::query::{COMPANY, Kind, LIMIT, PAGE, Param};

pub(super) const ABOUT: &str = "Events are kept as long as deliveries are, with subscriptions to them and without. \
    Shown are those whose read permission the token holds; others are absent, and so is `webhook.test`.";

pub(super) const PARAMS: [Param; 7] = [
    PAGE,
    LIMIT,
    COMPANY,
    Param::new("type", Kind::Text, "Only these types of events: a comma list."),
    Param::new("objectId", Kind::Text, "Only about the resource with this id."),
    Param::new("from", Kind::Moment, "Occurred at this instant, or on this date (UTC), or later."),
    Param::new("to", Kind::Moment, "Occurred at this instant, or on this date (UTC), or earlier."),
];

wire_view! {
    /// An event of the log.
    #[derive(Debug)]
    pub(crate) struct View as "LoggedEvent" {
        /// The company that it belongs to.
        company_id: Option<AccountId>,
        /// The notification, as every receiver gets it.
        event: Notified,
        /// How many deliveries of it there are, redeliveries included.
        deliveries: Counts,
    }
}

wire_view! {
    /// Deliveries of an event by their status.
    #[derive(Debug)]
    struct Counts as "DeliveryCounts" {
        pending: u64,
        retrying: u64,
        delivered: u64,
        failed: u64,
    }
}

/// Described with the notifications of the document, each under its own type.
#[derive(Debug, Serialize)]
#[serde(transparent)]
struct Notified(Event);

impl Described for Notified {
    fn schema(parts: &mut Parts) -> Value {
        parts.named::<Self>("EventNotification", |_| {
            let about = "The body of a notification, as `webhooks` describes it for each type.";
            json!({ "type": "object", "description": about, "examples": [event("contact.create").example()] })
        })
    }
}

impl View {
    fn of(logged: &LoggedEvent) -> Self {
        let DeliveryCounts { pending, retrying, delivered, failed } = logged.deliveries;
        Self {
            company_id: logged.event.account(),
            event: Notified(logged.event.clone()),
            deliveries: Counts { pending, retrying, delivered, failed },
        }
    }
}

pub(super) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let query = &req.query;
    let request = query.page(PageRules::USUAL)?;
    let (from, before) = span::of(query)?;
    let principal = &req.caller.principal;
    let filter = EventFilter {
        types: types(query.with("type", |list| named(list, &req.app.events))?, req.subscribable()),
        object: query.text("objectId")?.map(str::to_owned),
        companies: req.companies()?,
        from,
        before,
    };
    let page = req.app.webhooks.events().page(&principal.scope, &filter, request).await?;
    Ok(Answer::plain(StatusCode::OK, &Listed::of(&page, View::of)))
}

/// The types that the list names.
fn named(list: &str, catalogue: &EventCatalogue) -> Result<BTreeSet<EventType>, String> {
    list.split(',')
        .map(|name| match name.trim() {
            name if name == EventDeclaration::TEST.name() => {
                Err(format!("{name} is in the log of its subscription's deliveries alone"))
            }
            name => catalogue.find(name).map(EventDeclaration::kind).map_err(|unknown| unknown.to_string()),
        })
        .collect()
}

/// Those of the types, or of all there are, whose permission is held.
fn types(named: Option<BTreeSet<EventType>>, subscribable: Subscribable<'_>) -> BTreeSet<EventType> {
    let mut types: BTreeSet<_> = subscribable.all().map(EventDeclaration::kind).collect();
    if let Some(named) = named {
        types.retain(|kind| named.contains(kind));
    }
    types
}
