//! GET /webhooks/events: what the token can subscribe to.

pub(super) mod schema;

use http::StatusCode;
use svc_core::event::{Event, EventType, Language};
use svc_core::wire::Form;
use svc_core::wire_view;

use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;
use crate::query::{Kind, Param};

pub(super) const LANG: Param =
    Param::new("lang", Kind::OneOf(Language::NAMES), "Language of the descriptions; English when left out.");

wire_view! {
    /// The events that the token can subscribe to.
    #[derive(Debug)]
    pub(crate) struct Catalogue as "EventCatalogue" {
        /// In which the events are described.
        lang: Language,
        items: Vec<Entry>,
    }
}

wire_view! {
    /// An event type.
    #[derive(Debug)]
    struct Entry as "EventCatalogueEntry" {
        /// What a subscription lists: `contact.create`.
        r#type: EventType,
        /// Functional area.
        area: &'static str => Form::ANY.example("contacts"),
        /// Resource type: `data.object` of the notification.
        object: &'static str => Form::ANY.example("contact"),
        /// When it is sent.
        description: &'static str => Form::ANY.example("a contact is created"),
        /// What the token needs to subscribe to it.
        required_permission: &'static str => Form::ANY.example("contacts:contacts.read"),
        /// The route that returns the resource.
        route: &'static str => Form::ANY.example("/contacts/{id}"),
        /// The route that returns the JSON Schema of its notifications.
        schema: String => Form::ANY.example("/webhooks/events/contact.create/schema"),
        /// The body of a notification, as it would be sent.
        sample: Event,
    }
}

pub(super) async fn events(req: ApiRequest) -> Result<Answer, Problem> {
    let language = req.query.parse(LANG.name)?.unwrap_or_default();
    let held = &req.caller.principal.grants;
    let entry = |kind: EventType| {
        let permission = kind.permission().filter(|needed| held.cover(*needed))?;
        Some(Entry {
            r#type: kind,
            area: kind.area(),
            object: kind.object(),
            description: kind.description(language),
            required_permission: permission.name(),
            route: kind.route(),
            schema: schema::PATH.replace("{type}", kind.name()),
            sample: kind.example(),
        })
    };
    Ok(Answer::plain(
        StatusCode::OK,
        &Catalogue { lang: language, items: EventType::catalogue().filter_map(entry).collect() },
    ))
}
