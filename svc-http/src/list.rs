//! The envelope of a list (specification, part 2.7).

use std::borrow::Cow;

use serde::Serialize;
use svc_core::page::Page;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

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
        Self {
            total: page.total,
            page: page.request.page(),
            limit: page.request.limit(),
            has_more: page.has_more(),
            items: page.items.iter().map(view).collect(),
        }
    }
}

/// Described by hand: each list needs a name of its own, made from that of its items.
impl<T: ToSchema> PartialSchema for Listed<T> {
    fn schema() -> RefOr<Schema> {
        let items = ArrayBuilder::new().items(Ref::from_schema_name(T::name()));
        let members = ObjectBuilder::new()
            .property("items", items)
            .property("total", u64::schema())
            .property("page", u32::schema())
            .property("limit", u32::schema())
            .property("hasMore", bool::schema());
        let members =
            ["items", "total", "page", "limit", "hasMore"].into_iter().fold(members, ObjectBuilder::required);
        members.description(Some("A page of items; `total` counts those of all pages.")).into()
    }
}

impl<T: ToSchema> ToSchema for Listed<T> {
    fn name() -> Cow<'static, str> {
        format!("{}List", T::name()).into()
    }

    fn schemas(all: &mut Vec<(String, RefOr<Schema>)>) {
        all.push((T::name().into_owned(), T::schema()));
        T::schemas(all);
    }
}
