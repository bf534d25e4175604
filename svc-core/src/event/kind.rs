//! Types of events by their names.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

use crate::name;

/// The name of a type of events: `order.placed`.
///
/// What it means is said by an [`EventDeclaration`](super::EventDeclaration). A name that was read need not be
/// declared: it is kept, matched and sent like any other.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventType(Cow<'static, str>);

/// The text cannot be the name of an event type.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "not the name of an event type: expected words of letters, digits, `_` and `-`, with dots between them"
)]
pub struct MalformedEventType(pub String);

impl EventType {
    /// The type with this name; a constant of it is checked at compile time.
    ///
    /// ```compile_fail,E0080
    /// # use svc_core::event::EventType;
    /// const PLACED: EventType = EventType::of("order placed");
    /// ```
    ///
    /// # Panics
    /// When the name is not made of words of letters, digits, `_` and `-` with dots between them, or has more
    /// than 100 characters.
    #[must_use]
    pub const fn of(name: &'static str) -> Self {
        assert!(
            name::is_event_type(name),
            "an event type is words of letters, digits, _ and -, with dots between them"
        );
        Self(Cow::Borrowed(name))
    }

    /// The name: `order.placed`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl FromStr for EventType {
    type Err = MalformedEventType;

    fn from_str(text: &str) -> Result<Self, MalformedEventType> {
        Self::try_from(text.to_owned())
    }
}

impl TryFrom<String> for EventType {
    type Error = MalformedEventType;

    fn try_from(text: String) -> Result<Self, MalformedEventType> {
        if name::is_event_type(&text) { Ok(Self(text.into())) } else { Err(MalformedEventType(text)) }
    }
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for EventType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for EventType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(String::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}
