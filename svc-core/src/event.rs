//! Events: the catalogue as data, and one event with its signed body
//! (specification, parts 2.3 and 6.8).

mod catalogue;
mod extra;
mod schema;

use std::fmt;
use std::str::FromStr;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use thiserror::Error;

use self::catalogue::{CATALOGUE, Entry};
pub use self::extra::Extra;
use crate::clock::Timestamp;
use crate::id::{AccountId, EventId, TypedId};
use crate::permission::{Permission, same};
use crate::random::RandomSource;

/// A type of event: one of the 44 of the catalogue, or `webhook.test`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventType(u8);

/// The text is not the name of an event type.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("not an event type of the catalogue (GET /webhooks/events lists them)")]
pub struct UnknownEventType(pub String);

/// A language in which the catalogue describes its events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Spanish.
    Spanish,
}

crate::wire_names!(Language { English = "en", Spanish = "es" });

impl EventType {
    /// The event of the test operation; it cannot be subscribed to.
    pub const TEST: Self = Self(u8::MAX);

    /// The type with this name, checked when it is used in a constant.
    ///
    /// # Panics
    /// When the catalogue has no such type.
    #[must_use]
    #[expect(
        clippy::indexing_slicing,
        reason = "const code cannot use `get` with iterators; the bound is checked"
    )]
    pub const fn of(name: &str) -> Self {
        let mut at = 0;
        while at < CATALOGUE.len() {
            if same(CATALOGUE[at].name, name) {
                #[expect(clippy::cast_possible_truncation, reason = "the catalogue has 44 entries")]
                return Self(at as u8);
            }
            at += 1;
        }
        panic!("no such event type in the catalogue")
    }

    /// The 44 types that can be subscribed to, in the order of the specification.
    pub fn catalogue() -> impl Iterator<Item = Self> {
        (0..CATALOGUE.len()).filter_map(|at| u8::try_from(at).ok()).map(Self)
    }

    fn entry(self) -> Option<&'static Entry> {
        CATALOGUE.get(usize::from(self.0))
    }

    /// The name: `contact.create`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.entry().map_or("webhook.test", |entry| entry.name)
    }

    /// The functional area: the part of its permission before the colon.
    #[must_use]
    pub fn area(self) -> &'static str {
        self.permission().map_or("developers", Permission::area)
    }

    /// The resource type: `data.object` of the body.
    #[must_use]
    pub fn object(self) -> &'static str {
        self.entry().map_or("webhook_subscription", |entry| entry.object)
    }

    /// The read permission that a subscriber needs; none for `webhook.test`.
    #[must_use]
    pub fn permission(self) -> Option<Permission> {
        self.entry().map(|entry| entry.permission)
    }

    /// When the event is sent, in a sentence fragment.
    #[must_use]
    pub fn description(self, language: Language) -> &'static str {
        match (self.entry(), language) {
            (Some(entry), Language::English) => entry.english,
            (Some(entry), Language::Spanish) => entry.spanish,
            (None, Language::English) => "test of a subscription",
            (None, Language::Spanish) => "prueba de una suscripción",
        }
    }

    /// Template of the route that returns the resource: `/contacts/{id}`.
    #[must_use]
    pub fn route(self) -> &'static str {
        self.entry().map_or("/webhooks/subscriptions/{id}", |entry| entry.route)
    }

    /// Whether a subscription may list this type.
    #[must_use]
    pub fn is_subscribable(self) -> bool {
        self.entry().is_some()
    }
}

impl FromStr for EventType {
    type Err = UnknownEventType;

    fn from_str(text: &str) -> Result<Self, UnknownEventType> {
        Self::catalogue()
            .chain([Self::TEST])
            .find(|known| known.name() == text)
            .ok_or_else(|| UnknownEventType(text.to_owned()))
    }
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for EventType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Something that happened, as subscribers are told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Identical on every attempt and resend.
    pub id: EventId,
    /// What happened.
    pub kind: EventType,
    /// When it happened.
    pub occurred_at: Timestamp,
    /// The company that it belongs to.
    pub account: Option<AccountId>,
    /// Id of the resource that it is about.
    pub object_id: String,
    /// Further members of `data`.
    pub extras: Vec<Extra>,
}

impl Event {
    /// An event of a company, happening now.
    pub fn new(
        kind: EventType,
        account: AccountId,
        object_id: impl fmt::Display,
        now: Timestamp,
        random: &dyn RandomSource,
    ) -> Self {
        Self {
            id: EventId::generate(now, random),
            kind,
            occurred_at: now,
            account: Some(account),
            object_id: object_id.to_string(),
            extras: Vec::new(),
        }
    }

    /// The same event with one more member of `data`.
    #[must_use]
    pub fn with(mut self, extra: Extra) -> Self {
        self.extras.push(extra);
        self.extras.sort();
        self
    }

    /// The JSON body that is signed and sent, keys in the order of the specification, part 2.3.
    #[must_use]
    pub fn body(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("ids, names and counts always serialise")
    }
}

/// As its receivers see it: the members of [`Event::body`].
impl Serialize for Event {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let body = Body {
            id: self.id,
            r#type: self.kind,
            occurred_at: self.occurred_at,
            account_id: self.account,
            data: Data { object: self.kind.object(), id: &self.object_id, extras: &self.extras },
        };
        body.serialize(serializer)
    }
}

#[derive(Serialize)]
struct Body<'a> {
    id: EventId,
    r#type: EventType,
    occurred_at: Timestamp,
    account_id: Option<AccountId>,
    data: Data<'a>,
}

struct Data<'a> {
    object: &'static str,
    id: &'a str,
    extras: &'a [Extra],
}

impl Serialize for Data<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.extras.len() + 2))?;
        map.serialize_entry("object", self.object)?;
        map.serialize_entry("id", self.id)?;
        for extra in self.extras {
            extra.write(&mut map)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use uuid::Uuid;

    use super::*;

    #[test]
    fn the_catalogue_holds_44_events_in_9_areas() {
        let mut areas: BTreeMap<&str, usize> = BTreeMap::new();
        for kind in EventType::catalogue() {
            *areas.entry(kind.area()).or_default() += 1;
            assert_eq!(kind.name().parse(), Ok(kind));
            assert!(kind.permission().is_some_and(|needed| needed.action() == "read"), "{kind}");
            assert!(kind.route().ends_with("{id}") || kind.route() == "/tax/profile", "{kind}");
        }
        let expected = [
            ("accounting", 6),
            ("contacts", 8),
            ("crm", 2),
            ("documents", 4),
            ("purchases", 3),
            ("sales", 7),
            ("sign", 6),
            ("tax", 4),
            ("treasury", 4),
        ];
        assert_eq!(areas, expected.into());
    }

    #[test]
    fn the_test_event_is_known_but_not_subscribable() {
        assert_eq!("webhook.test".parse(), Ok(EventType::TEST));
        assert!(!EventType::TEST.is_subscribable());
        assert!(EventType::catalogue().all(|kind| kind != EventType::TEST));
    }

    #[test]
    fn the_body_has_its_keys_in_the_order_of_the_specification() {
        let event = Event {
            id: EventId::from_uuid(Uuid::from_u128(1)),
            kind: EventType::of("contact.merge"),
            occurred_at: Timestamp::from_unix_seconds(1_738_314_900),
            account: None,
            object_id: "con_a".into(),
            extras: Vec::new(),
        }
        .with(Extra::SignerId("b".into()))
        .with(Extra::MergedId("con_b".into()));
        assert_eq!(
            String::from_utf8(event.body()).expect("JSON is UTF-8"),
            "{\"id\":\"evt_00000000000000000000000001\",\"type\":\"contact.merge\",\
             \"occurred_at\":\"2025-01-31T09:15:00.000Z\",\"account_id\":null,\
             \"data\":{\"object\":\"contact\",\"id\":\"con_a\",\"merged_id\":\"con_b\",\"signer_id\":\"b\"}}"
        );
    }
}
