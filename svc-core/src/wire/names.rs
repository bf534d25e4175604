//! Enums that are written by their names.

use std::fmt;

/// The text is none of the names that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// The names that are known.
    pub known: &'static [&'static str],
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.known {
            [only] => write!(f, "expected {only}"),
            [first, second] => write!(f, "expected {first} or {second}"),
            known => write!(f, "expected one of {}", known.join(", ")),
        }
    }
}

impl std::error::Error for UnknownName {}

/// Gives an enum without data its wire names: `ALL`, `NAMES`, `name()`, `Display`, `FromStr` with an error
/// that lists the names, serde by name, and a schema with the names.
///
/// ```
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// enum Side {
///     Left,
///     Right,
/// }
/// svc_core::wire_names!(Side { Left = "left", Right = "right" });
///
/// assert_eq!(Side::NAMES, ["left", "right"]);
/// assert_eq!("right".parse(), Ok(Side::Right));
/// let refused = "up".parse::<Side>().unwrap_err();
/// assert_eq!(refused.to_string(), "expected left or right");
/// ```
#[macro_export]
macro_rules! wire_names {
    ($kind:ident { $($variant:ident = $name:literal),+ $(,)? }) => {
        impl $kind {
            /// Every value.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// The wire names of [`Self::ALL`].
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            /// The wire name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }
        }

        impl ::std::fmt::Display for $kind {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl ::std::str::FromStr for $kind {
            type Err = $crate::wire::UnknownName;

            fn from_str(text: &str) -> Result<Self, $crate::wire::UnknownName> {
                let known = Self::ALL.into_iter().find(|value| value.name() == text);
                known.ok_or($crate::wire::UnknownName { known: Self::NAMES })
            }
        }

        impl $crate::__serde::Serialize for $kind {
            fn serialize<S: $crate::__serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> $crate::__serde::Deserialize<'de> for $kind {
            fn deserialize<D: $crate::__serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <::std::borrow::Cow<'de, str> as $crate::__serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err($crate::__serde::de::Error::custom)
            }
        }

        impl $crate::wire::Described for $kind {
            fn schema(_: &mut $crate::wire::Parts) -> $crate::__serde_json::Value {
                $crate::__serde_json::json!({ "type": "string", "enum": Self::NAMES })
            }
        }
    };
}

/// Gives the names of its states to an enum whose variants may hold data: `NAMES` and `name()`.
///
/// ```
/// #[derive(Clone, Copy)]
/// enum State {
///     Open,
///     Closed { at: u8 },
/// }
/// svc_core::state_names!(State { Open = "open", Closed { .. } = "closed" });
///
/// assert_eq!(State::NAMES, ["open", "closed"]);
/// assert_eq!((State::Open.name(), State::Closed { at: 3 }.name()), ("open", "closed"));
/// ```
#[macro_export]
macro_rules! state_names {
    ($kind:ident { $($variant:ident $({ $($data:tt)* })? = $name:literal),+ $(,)? }) => {
        impl $kind {
            /// The wire names of all states.
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            /// The wire name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant $({ $($data)* })? => $name),+
                }
            }
        }
    };
}
