//! The id of an event, as its sender wrote it.

use std::borrow::{Borrow, Cow};
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, de};
use svc_core::id::EventId;
use thiserror::Error;

/// The id of an event as text of any form: what repeats are known by.
///
/// 1 to [`EventKey::MOST`] visible ASCII characters, as it is in a header too. One of this project's own service
/// is read with `parse::<EventId>()`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventKey(Arc<str>);

/// The text cannot be the id of an event.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("not the id of an event: expected 1 to {} visible ASCII characters", EventKey::MOST)]
pub struct MalformedKey;

impl EventKey {
    /// Characters of the longest id.
    pub const MOST: usize = 128;

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for EventKey {
    type Err = MalformedKey;

    fn from_str(text: &str) -> Result<Self, MalformedKey> {
        let sound =
            (1..=Self::MOST).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if sound { Ok(Self(text.into())) } else { Err(MalformedKey) }
    }
}

impl From<EventId> for EventKey {
    fn from(id: EventId) -> Self {
        Self(id.to_string().into())
    }
}

impl Deref for EventKey {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for EventKey {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl PartialEq<EventId> for EventKey {
    fn eq(&self, other: &EventId) -> bool {
        self.parse::<EventId>().as_ref() == Ok(other)
    }
}

impl fmt::Display for EventKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for EventKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for EventKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<'de, str>::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use svc_core::id::TypedId as _;

    use super::*;

    #[test]
    fn a_key_is_visible_text_of_bounded_length() {
        for good in ["1", "evt_00000000000000000000000001", "7d9e-4f/ab", &"x".repeat(EventKey::MOST)] {
            assert_eq!(good.parse::<EventKey>().as_deref(), Ok(good));
        }
        for bad in ["", " ", "a b", "a\nb", "é", "\u{7f}", &"x".repeat(EventKey::MOST + 1)] {
            assert_eq!(bad.parse::<EventKey>(), Err(MalformedKey), "{bad:?}");
        }
    }

    #[test]
    fn a_key_is_the_typed_id_with_its_text_and_no_other() {
        let [ours, other] = [1, 2].map(|number| EventId::from_uuid(uuid::Uuid::from_u128(number)));
        let key = EventKey::from(ours);
        assert!(key == ours && key != other);
        assert_eq!(key.parse(), Ok(ours));
        assert!("evt_1".parse::<EventKey>().expect("a key").parse::<EventId>().is_err());
    }
}
