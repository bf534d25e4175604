//! What is known of a route, for its checks and for the `OpenAPI` document.

use http::{Method, StatusCode};
use serde_json::Value;
use svc_core::permission::Permission;
use svc_core::wire::{Described, Parts};

use crate::gate::Notice;
use crate::query::Param;

/// What is known of a route.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says one thing that a route does, and they mix freely"
)]
pub(crate) struct About {
    pub(crate) method: Method,
    /// Below `/api/v1`, with `{name}` for ids.
    pub(crate) path: &'static str,
    pub(crate) notice: Notice,
    pub(crate) tag: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) description: &'static str,
    pub(crate) params: Vec<Param>,
    pub(crate) request: Option<Type>,
    /// The longest body, in bytes, of a route that takes a file as a part of it.
    pub(crate) upload: Option<usize>,
    /// A body of several parts whose file goes straight into the content store: alone, or in the place of `request`.
    pub(crate) stores: Option<Type>,
    pub(crate) status: StatusCode,
    pub(crate) answer: Option<Type>,
    /// Further successes, each with its type.
    pub(crate) others: Vec<(StatusCode, Type)>,
    /// Media type of the answer.
    pub(crate) media: &'static str,
    /// Another one that the client may like better.
    pub(crate) also: Option<&'static str>,
    pub(crate) refusals: Vec<StatusCode>,
    pub(crate) personal: bool,
    pub(crate) versioned: bool,
    /// Whether the answer shows what was created, with its version.
    pub(crate) created: bool,
    /// Whether `If-None-Match` is left aside.
    pub(crate) unconditional: bool,
    /// Whether an `Idempotency-Key` is honoured.
    pub(crate) repeatable: bool,
    pub(crate) permissions_per_item: &'static [Permission],
    /// Bytes of an answer that stay in memory until they are sent, where it is no page of records.
    pub(crate) holds: usize,
    /// The longest body, in bytes, where that is less than the setting of all routes.
    pub(crate) most: Option<usize>,
}

impl About {
    pub(crate) fn new(method: Method, path: &'static str, summary: &'static str, notice: Notice) -> Self {
        Self {
            method,
            path,
            notice,
            tag: path.split('/').nth(1).unwrap_or_default(),
            summary,
            description: "",
            params: Vec::new(),
            request: None,
            upload: None,
            stores: None,
            status: StatusCode::OK,
            answer: None,
            others: Vec::new(),
            media: "application/json",
            also: None,
            refusals: Vec::new(),
            personal: false,
            versioned: false,
            created: false,
            unconditional: false,
            repeatable: false,
            permissions_per_item: &[],
            holds: 0,
            most: None,
        }
    }
}

/// A type of the wire: how to describe it and all that it is made of.
#[derive(Clone, Copy)]
pub(crate) struct Type {
    pub(crate) schema: fn(&mut Parts) -> Value,
}

impl Type {
    pub(crate) const fn of<T: Described>() -> Self {
        Self { schema: T::schema }
    }
}
