//! GET /webhooks/events: what the token can subscribe to.

pub(super) mod schema;

use http::StatusCode;
use svc_core::event::{Event, EventDeclaration, EventType, Language};
use svc_core::permission::Permission;
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
        /// What a token needs to subscribe to it; null when any may.
        required_permission: Option<&'static str> => Form::ANY.example("contacts:contacts.read"),
        /// The route that returns the resource; null when there is none.
        route: Option<&'static str> => Form::ANY.example("/contacts/{id}"),
        /// The route that returns the JSON Schema of its notifications.
        schema: String => Form::ANY.example("/webhooks/events/contact.create/schema"),
        /// The body of a notification, as it would be sent.
        sample: Event,
    }
}

pub(super) async fn events(req: ApiRequest) -> Result<Answer, Problem> {
    let language = req.query.parse(LANG.name)?.unwrap_or_default();
    let entry = |declared: &EventDeclaration| Entry {
        r#type: declared.kind(),
        area: declared.area(),
        object: declared.object(),
        description: declared.description(language),
        required_permission: declared.permission().map(Permission::name),
        route: declared.route(),
        schema: schema::PATH.replace("{type}", declared.name()),
        sample: declared.example(),
    };
    Ok(Answer::plain(
        StatusCode::OK,
        &Catalogue { lang: language, items: req.subscribable().all().map(entry).collect() },
    ))
}
