//! What the types that members are made of look like in JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

use serde_json::{Value, json};

use super::{Described, Parts, nullable};
use crate::audit::Details;
use crate::clock::Timestamp;
use crate::event::{Event, EventType};
use crate::patch::Patch;
use crate::pii::Shown;

macro_rules! described {
    ($($kind:ty: $schema:tt;)*) => {$(
        impl Described for $kind {
            fn schema(_: &mut Parts) -> Value {
                json!($schema)
            }
        }
    )*};
}

described! {
    bool: { "type": "boolean" };
    String: { "type": "string" };
    &str: { "type": "string" };
    i64: { "type": "integer", "format": "int64" };
    u8: { "type": "integer", "format": "int32", "minimum": 0 };
    u16: { "type": "integer", "format": "int32", "minimum": 0 };
    u32: { "type": "integer", "format": "int32", "minimum": 0 };
    u64: { "type": "integer", "format": "int64", "minimum": 0 };
    usize: { "type": "integer", "format": "int64", "minimum": 0 };
    f64: { "type": "number", "format": "double" };
    Timestamp: { "type": "string", "format": "date-time" };
    IpAddr: { "type": "string", "anyOf": [{ "format": "ipv4" }, { "format": "ipv6" }] };
    Value: { "type": "object" };
    Details: { "type": "object" };
    Event: { "type": "object" };
}

/// A document that knows the catalogue of its service adds the names.
impl Described for EventType {
    fn schema(parts: &mut Parts) -> Value {
        parts.named::<Self>(
            "EventType",
            |_| json!({ "type": "string", "description": "The name of an event type." }),
        )
    }
}

impl<T: Described> Described for Option<T> {
    const REQUIRED: bool = false;

    fn schema(parts: &mut Parts) -> Value {
        nullable(T::schema(parts))
    }

    fn present(parts: &mut Parts) -> Value {
        T::present(parts)
    }
}

impl<T: Described> Described for Patch<T> {
    const REQUIRED: bool = false;

    fn schema(parts: &mut Parts) -> Value {
        nullable(T::schema(parts))
    }

    fn present(parts: &mut Parts) -> Value {
        T::present(parts)
    }
}

/// What is masked may be shown as null; a member that may be is an `Option` of it.
impl<T: Described> Described for Shown<T> {
    fn schema(parts: &mut Parts) -> Value {
        T::schema(parts)
    }
}

impl<T: Described> Described for Vec<T> {
    fn schema(parts: &mut Parts) -> Value {
        json!({ "type": "array", "items": T::schema(parts) })
    }
}

impl<T: Described> Described for &[T] {
    fn schema(parts: &mut Parts) -> Value {
        Vec::<T>::schema(parts)
    }
}

impl<T: Described> Described for BTreeSet<T> {
    fn schema(parts: &mut Parts) -> Value {
        Vec::<T>::schema(parts)
    }
}

impl<T: Described> Described for BTreeMap<String, T> {
    fn schema(parts: &mut Parts) -> Value {
        json!({ "type": "object", "additionalProperties": T::schema(parts) })
    }
}
