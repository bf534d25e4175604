//! The envelope of a list (specification, part 2.7).

use std::convert::Infallible;

use serde::Serialize;
use serde_json::{Value, json};
use svc_core::page::Page;
use svc_core::wire::{Described, Parts};

/// A page of items.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Listed<T> {
    /// The items of this page.
    items: Vec<T>,
    /// Items on all pages.
    total: u64,
    /// Which page this is, from 1.
    page: u32,
    /// Items per page.
    limit: u32,
    /// Whether a further page has items.
    has_more: bool,
}

impl<T> Listed<T> {
    /// The page as the envelope shows it.
    pub(crate) fn of<S>(page: &Page<S>, view: impl Fn(&S) -> T) -> Self {
        let Ok(listed) = Self::try_of(page, |item| Ok::<_, Infallible>(view(item)));
        listed
    }

    /// The page as the envelope shows it, or the first item that cannot be shown.
    pub(crate) fn try_of<S, E>(page: &Page<S>, view: impl Fn(&S) -> Result<T, E>) -> Result<Self, E> {
        Ok(Self {
            total: page.total,
            page: page.request.page(),
            limit: page.request.limit(),
            has_more: page.has_more(),
            items: page.items.iter().map(view).collect::<Result<_, _>>()?,
        })
    }
}

/// Described by hand: each list needs a name of its own, made from that of its items.
impl<T: Described> Described for Listed<T> {
    fn schema(parts: &mut Parts) -> Value {
        let items = T::schema(parts);
        let name = items.get("$ref").and_then(Value::as_str).and_then(|path| path.rsplit('/').next());
        let name = format!("{}List", name.expect("the items of a list have a name"));
        parts.named::<Self>(&name, |_| {
            json!({
                "type": "object",
                "description": "A page of items; `total` counts those of all pages.",
                "properties": {
                    "items": { "type": "array", "items": items },
                    "total": { "type": "integer", "format": "int64", "minimum": 0 },
                    "page": { "type": "integer", "format": "int32", "minimum": 1 },
                    "limit": { "type": "integer", "format": "int32", "minimum": 1 },
                    "hasMore": { "type": "boolean" },
                },
                "required": ["items", "total", "page", "limit", "hasMore"],
            })
        })
    }
}
