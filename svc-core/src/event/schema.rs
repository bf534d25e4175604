//! What receivers are shown of an event type: an example, and a JSON Schema of the body.
//!
//! Both are made from what is declared of the type,
//! so they cannot differ from what is sent: the example is an [`Event`] like any
//! other, with the body that its delivery would have.

use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::declaration::Holds;
use super::{Event, EventDeclaration, Language, Member};
use crate::clock::Timestamp;
use crate::id::{AccountId, EventId, TypedId, pattern};

/// When the examples happened: 2025-01-31, 09:15 UTC.
const EXAMPLE_AT: i64 = 1_738_314_900;
/// Their ids are from that instant too.
const EXAMPLE_ID: u128 = (1_738_314_900_000 << 80) | 0x7c4a_9b6e_3d21_8f05_a1b2;
/// As [`Timestamp`] writes itself.
const INSTANT: &str = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$";

impl EventDeclaration {
    /// An event of this type as it might happen, with every further member that the type can have.
    #[must_use]
    pub fn example(&self) -> Event {
        let further = self.members().iter().zip(2_u128..);
        let values = further.map(|(member, place)| (member.name, example_value(member, place)));
        Event {
            id: EventId::from_uuid(Uuid::from_u128(EXAMPLE_ID)),
            kind: self.kind(),
            occurred_at: Timestamp::from_unix_seconds(EXAMPLE_AT),
            tenant: Some(AccountId::from_uuid(Uuid::from_u128(EXAMPLE_ID - 1)).into()),
            object: self.object().into(),
            object_id: self.prefix().map_or_else(|| "1001".to_owned(), |prefix| example_id(prefix, 1)),
            data: values.collect(),
        }
    }

    /// The JSON Schema (draft 2020-12) of the bodies of this type.
    ///
    /// It is open: members may be added within the contract version, and
    /// receivers ignore those that they do not know.
    #[must_use]
    pub fn schema(&self) -> Value {
        let about_id = "Id of the resource.";
        let object_id = match self.prefix() {
            Some(prefix) => id(prefix, about_id),
            None => json!({ "type": "string", "description": about_id }),
        };
        let mut data = Map::from_iter([
            ("object".to_owned(), json!({ "const": self.object(), "description": "Resource type." })),
            ("id".to_owned(), object_id),
        ]);
        data.extend(self.members().iter().map(|member| (member.name.to_owned(), described(member))));
        let always = self.members().iter().filter(|member| member.always).map(|member| member.name);
        let needed: Vec<&str> = ["object", "id"].into_iter().chain(always).collect();
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": self.name(),
            "description": format!(
                "Sent when: {}. Members may be added: ignore those that you do not know.",
                self.description(Language::English)
            ),
            "type": "object",
            "required": ["id", "type", "occurred_at", "account_id", "data"],
            "properties": {
                "id": id(EventId::PREFIX, "Id of the event: the same on every attempt and resend."),
                "type": { "const": self.name() },
                "occurred_at": {
                    "type": "string",
                    "format": "date-time",
                    "pattern": INSTANT,
                    "description": "When it happened, UTC.",
                },
                "account_id": {
                    "type": ["string", "null"],
                    "pattern": AccountId::pattern(),
                    "description": "The company that it belongs to.",
                },
                "data": { "type": "object", "required": needed, "properties": data },
            },
        })
    }
}

fn described(member: &Member) -> Value {
    match member.holds {
        Holds::Id(prefix) => id(prefix, member.about),
        Holds::Count => json!({ "type": "integer", "minimum": 0, "description": member.about }),
        Holds::Json { schema, .. } => {
            let mut schema = parsed(schema);
            if let Some(members) = schema.as_object_mut() {
                members.insert("description".to_owned(), member.about.into());
            }
            schema
        }
    }
}

fn example_value(member: &Member, place: u128) -> Value {
    match member.holds {
        Holds::Id(prefix) => example_id(prefix, place).into(),
        Holds::Count => 12.into(),
        Holds::Json { example, .. } => parsed(example),
    }
}

/// JSON that the catalogue has looked at.
fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

fn id(prefix: &str, about: &str) -> Value {
    json!({ "type": "string", "pattern": pattern(prefix), "description": about })
}

fn example_id(prefix: &str, place: u128) -> String {
    let text = EventId::from_uuid(Uuid::from_u128(EXAMPLE_ID + place)).to_string();
    format!("{prefix}{}", text.trim_start_matches(EventId::PREFIX))
}
