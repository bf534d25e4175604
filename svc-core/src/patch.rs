//! Members of a JSON merge patch (RFC 7396): left out, null, or a value.

use serde::{Deserialize, Deserializer};

/// What a client says of one member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Patch<T> {
    /// The member is not there: leave it as it is.
    #[default]
    Absent,
    /// The member is `null`: clear it.
    Null,
    /// The member has this value.
    Value(T),
}

impl<T> Patch<T> {
    /// The member after the patch, where it was `current` before.
    #[must_use]
    pub fn over(self, current: Option<T>) -> Option<T> {
        match self {
            Self::Absent => current,
            Self::Null => None,
            Self::Value(value) => Some(value),
        }
    }

    /// The value, if there is one.
    #[must_use]
    pub fn value(self) -> Option<T> {
        self.over(None)
    }

    /// The same with the value borrowed.
    pub const fn as_ref(&self) -> Patch<&T> {
        match self {
            Self::Absent => Patch::Absent,
            Self::Null => Patch::Null,
            Self::Value(value) => Patch::Value(value),
        }
    }

    /// The same with the value turned into something else.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Patch<U> {
        match self {
            Self::Absent => Patch::Absent,
            Self::Null => Patch::Null,
            Self::Value(value) => Patch::Value(change(value)),
        }
    }

    /// Whether the member was left out.
    #[must_use]
    pub const fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }
}

/// Use with `#[serde(default)]`, which supplies [`Patch::Absent`].
impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::deserialize(deserializer).map(|value| value.map_or(Self::Null, Self::Value))
    }
}
