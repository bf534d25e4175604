//! GET /webhooks/events: what the token can subscribe to.

pub(super) mod schema;

use http::StatusCode;
use serde::{Serialize, Serializer};
use svc_core::event::{EventType, Language};
use utoipa::ToSchema;

use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;
use crate::query::{Kind, Param};

pub(super) const LANG: Param =
    Param::new("lang", Kind::OneOf(&["en", "es"]), "Language of the descriptions; English when left out.");

/// The events that the token can subscribe to.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EventCatalogue)]
pub(crate) struct Catalogue {
    /// `en` or `es`
    lang: &'static str,
    items: Vec<Entry>,
}

/// An event type.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = EventCatalogueEntry)]
struct Entry {
    /// What a subscription lists: `contact.create`.
    r#type: &'static str,
    /// Functional area.
    area: &'static str,
    /// Resource type: `data.object` of the notification.
    object: &'static str,
    /// When it is sent.
    description: &'static str,
    /// What the token needs to subscribe to it.
    required_permission: &'static str,
    /// The route that returns the resource.
    route: &'static str,
    /// The route that returns the JSON Schema of its notifications.
    schema: String,
    /// The body of a notification, as it would be sent.
    #[schema(value_type = Object)]
    sample: Sample,
}

/// The example of a type, in the order of a real body.
#[derive(Debug)]
struct Sample(EventType);

impl Serialize for Sample {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.example().serialize(serializer)
    }
}

pub(super) async fn events(req: ApiRequest) -> Result<Answer, Problem> {
    let language = req.query.with(LANG.name, |text| match text {
        "en" => Ok(("en", Language::English)),
        "es" => Ok(("es", Language::Spanish)),
        _ => Err("expected en or es".to_owned()),
    })?;
    let (lang, language) = language.unwrap_or(("en", Language::English));
    let held = &req.caller.principal.grants;
    let entry = |kind: EventType| {
        let permission = kind.permission().filter(|needed| held.cover(*needed))?;
        Some(Entry {
            r#type: kind.name(),
            area: kind.area(),
            object: kind.object(),
            description: kind.description(language),
            required_permission: permission.name(),
            route: kind.route(),
            schema: schema::PATH.replace("{type}", kind.name()),
            sample: Sample(kind),
        })
    };
    Ok(Answer::plain(
        StatusCode::OK,
        &Catalogue { lang, items: EventType::catalogue().filter_map(entry).collect() },
    ))
}
