//! What a service says of a type of events.

use super::EventType;
use crate::name;
use crate::permission::Permission;

/// A language in which events are described.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Spanish.
    Spanish,
}

crate::wire_names!(Language { English = "en", Spanish = "es" });

/// What a service says of a type of events, for its publishers, its subscribers and its reference.
///
/// ```
/// use svc_core::event::{EventDeclaration, Member};
/// use svc_core::permission::Permission;
///
/// const PLACED: EventDeclaration = EventDeclaration::new("order.placed", "order")
///     .described("order placed")
///     .requiring(Permission::of("orders:orders.read"))
///     .with(&[Member::count("total_cents", "What the order comes to, in cents.")]);
/// ```
///
/// A service whose types are known only when it starts keeps their texts with [`String::leak`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventDeclaration {
    name: &'static str,
    object: &'static str,
    prefix: Option<&'static str>,
    permission: Option<Permission>,
    english: &'static str,
    spanish: Option<&'static str>,
    route: Option<&'static str>,
    members: &'static [Member],
}

impl EventDeclaration {
    /// The event of the test operation; it cannot be subscribed to.
    pub const TEST: Self = Self::new("webhook.test", "webhook_subscription")
        .with_ids("whs")
        .described("test of a subscription")
        .in_spanish("prueba de una suscripción")
        .at("/webhooks/subscriptions/{id}");

    /// Events of this name about resources of this type, which everyone may subscribe to.
    ///
    /// # Panics
    /// When [`EventType::of`] does.
    #[must_use]
    pub const fn new(name: &'static str, object: &'static str) -> Self {
        assert!(
            name::is_event_type(name),
            "an event type is words of letters, digits, _ and -, with dots between them"
        );
        Self {
            name,
            object,
            prefix: None,
            permission: None,
            english: name,
            spanish: None,
            route: None,
            members: &[],
        }
    }

    /// When the event is sent, in a sentence fragment: `order placed`. Without it the name says it.
    #[must_use]
    pub const fn described(self, english: &'static str) -> Self {
        Self { english, ..self }
    }

    /// The same in Spanish.
    #[must_use]
    pub const fn in_spanish(self, spanish: &'static str) -> Self {
        Self { spanish: Some(spanish), ..self }
    }

    /// The permission that subscribers need.
    #[must_use]
    pub const fn requiring(self, permission: Permission) -> Self {
        Self { permission: Some(permission), ..self }
    }

    /// Template of the route that returns the resource: `/orders/{id}`.
    #[must_use]
    pub const fn at(self, route: &'static str) -> Self {
        Self { route: Some(route), ..self }
    }

    /// The prefix of the resource's ids when they are [typed ids](crate::id::TypedId), for examples and schema.
    #[must_use]
    pub const fn with_ids(self, prefix: &'static str) -> Self {
        Self { prefix: Some(prefix), ..self }
    }

    /// Further members of `data`.
    #[must_use]
    pub const fn with(self, members: &'static [Member]) -> Self {
        Self { members, ..self }
    }

    /// The one of `known` with this name; a constant of it is checked at compile time.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    #[expect(clippy::indexing_slicing, reason = "const code has no iterators; the bound is checked")]
    pub const fn among(known: &'static [Self], name: &str) -> &'static Self {
        let mut at = 0;
        while at < known.len() {
            if name::same(known[at].name, name) {
                return &known[at];
            }
            at += 1;
        }
        panic!("the list has no such event type")
    }

    /// The type.
    #[must_use]
    pub const fn kind(&self) -> EventType {
        EventType::of(self.name)
    }

    /// The name of the type: `order.placed`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The functional area: that of its permission, or else the first word of the name.
    #[must_use]
    pub fn area(&self) -> &'static str {
        match self.permission {
            Some(permission) => permission.area(),
            None => self.name.split('.').next().unwrap_or_default(),
        }
    }

    /// The resource type: `data.object` of the body.
    #[must_use]
    pub const fn object(&self) -> &'static str {
        self.object
    }

    /// The permission that a subscriber needs, if any.
    #[must_use]
    pub const fn permission(&self) -> Option<Permission> {
        self.permission
    }

    /// When the event is sent, in a sentence fragment; in English where there is no other.
    #[must_use]
    pub const fn description(&self, language: Language) -> &'static str {
        match (language, self.spanish) {
            (Language::Spanish, Some(spanish)) => spanish,
            (Language::Spanish | Language::English, _) => self.english,
        }
    }

    /// Template of the route that returns the resource, if there is one.
    #[must_use]
    pub const fn route(&self) -> Option<&'static str> {
        self.route
    }

    /// Further members of `data`.
    #[must_use]
    pub const fn members(&self) -> &'static [Member] {
        self.members
    }

    pub(super) const fn prefix(&self) -> Option<&'static str> {
        self.prefix
    }
}

/// A further member of `data`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) always: bool,
    pub(super) holds: Holds,
}

/// What a further member holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// A typed id with this prefix.
    Id(&'static str),
    /// A number from 0.
    Count,
    /// What a JSON Schema says.
    Json { schema: &'static str, example: &'static str },
}

impl Member {
    /// A [typed id](crate::id::TypedId) with this prefix, in every event of the type.
    #[must_use]
    pub const fn id(name: &'static str, prefix: &'static str, about: &'static str) -> Self {
        Self { name, about, always: true, holds: Holds::Id(prefix) }
    }

    /// A number from 0, in every event of the type.
    #[must_use]
    pub const fn count(name: &'static str, about: &'static str) -> Self {
        Self { name, about, always: true, holds: Holds::Count }
    }

    /// What this JSON Schema (draft 2020-12, as text) says, with an example of it (JSON too), in every event of
    /// the type.
    #[must_use]
    pub const fn json(
        name: &'static str,
        schema: &'static str,
        example: &'static str,
        about: &'static str,
    ) -> Self {
        Self { name, about, always: true, holds: Holds::Json { schema, example } }
    }

    /// The same, in some events of the type alone.
    #[must_use]
    pub const fn sometimes(self) -> Self {
        Self { always: false, ..self }
    }
}
