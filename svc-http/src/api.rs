//! Routes: who may call them, what they are called with and what they answer.
//!
//! A [`Route`] cannot be made without its [`Access`], and a handler cannot be
//! attached without the description that the `OpenAPI` document is built from.

use std::marker::PhantomData;
use std::pin::Pin;

use http::{Method, StatusCode};
use svc_auth::authenticate::Access;
use svc_core::permission::Permission;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::idempotency::{Done, Work};
use crate::problem::{Code, Problem};
use crate::query::Param;

type Pending<T> = Pin<Box<dyn Future<Output = Result<T, Problem>> + Send>>;

/// Answers a GET, PATCH or DELETE.
pub(crate) type PlainHandler = Box<dyn Fn(Exchange) -> Pending<Answer> + Send + Sync>;
/// Answers a POST, through a unit of work.
pub(crate) type PostHandler = Box<dyn Fn(Exchange, Work) -> Pending<Done> + Send + Sync>;

/// What a route does once its caller is admitted.
pub(crate) enum Handler {
    /// A GET.
    Read(PlainHandler),
    /// A PATCH or DELETE.
    Change(PlainHandler),
    /// A POST.
    Post(PostHandler),
    /// Nothing yet: only the client area's sessions may call it, and the checks refuse every token.
    SessionOnly,
}

/// A route of the API.
pub(crate) struct Route {
    pub(crate) about: About,
    pub(crate) handler: Handler,
}

/// What is known of a route.
pub(crate) struct About {
    pub(crate) method: Method,
    /// Below `/api/v1`, with `{name}` for ids.
    pub(crate) path: &'static str,
    pub(crate) access: Access,
    pub(crate) tag: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) description: &'static str,
    pub(crate) params: Vec<Param>,
    pub(crate) request: Option<Type>,
    pub(crate) required: &'static [&'static str],
    pub(crate) status: StatusCode,
    pub(crate) answer: Option<Type>,
    pub(crate) refusals: Vec<StatusCode>,
    pub(crate) personal: bool,
    pub(crate) versioned: bool,
    pub(crate) permissions_per_item: &'static [Permission],
}

/// A type of the wire: its name and how to describe it and all that it is made of.
#[derive(Clone, Copy)]
pub(crate) struct Type {
    pub(crate) name: fn() -> String,
    pub(crate) collect: fn(&mut Vec<(String, RefOr<Schema>)>),
}

impl Type {
    pub(crate) fn of<T: ToSchema>() -> Self {
        Self {
            name: || T::name().into_owned(),
            collect: |all| {
                all.push((T::name().into_owned(), T::schema()));
                T::schemas(all);
            },
        }
    }
}

/// Marks a route that reads.
pub(crate) struct Reads;
/// Marks a route that changes one resource.
pub(crate) struct Changes;
/// Marks a route that answers through a unit of work.
pub(crate) struct Posts;

/// A route without its handler.
pub(crate) struct Draft<M> {
    about: About,
    kind: PhantomData<M>,
}

pub(crate) fn get(path: &'static str, access: Access, summary: &'static str) -> Draft<Reads> {
    Draft::new(Method::GET, path, access, summary)
}

pub(crate) fn post(path: &'static str, access: Access, summary: &'static str) -> Draft<Posts> {
    Draft::new(Method::POST, path, access, summary)
}

pub(crate) fn patch(path: &'static str, access: Access, summary: &'static str) -> Draft<Changes> {
    Draft::new(Method::PATCH, path, access, summary)
}

pub(crate) fn delete(path: &'static str, access: Access, summary: &'static str) -> Draft<Changes> {
    Draft::new(Method::DELETE, path, access, summary)
}

impl<M> Draft<M> {
    fn new(method: Method, path: &'static str, access: Access, summary: &'static str) -> Self {
        let about = About {
            method,
            path,
            access,
            tag: path.split('/').nth(1).unwrap_or_default(),
            summary,
            description: "",
            params: Vec::new(),
            request: None,
            required: &[],
            status: StatusCode::OK,
            answer: None,
            refusals: Vec::new(),
            personal: false,
            versioned: false,
            permissions_per_item: &[],
        };
        Self { about, kind: PhantomData }
    }

    /// Says more than the summary.
    pub(crate) fn about(mut self, description: &'static str) -> Self {
        self.about.description = description;
        self
    }

    /// Names the query parameters; every other one is refused.
    pub(crate) fn params(mut self, params: &[Param]) -> Self {
        self.about.params.extend_from_slice(params);
        self
    }

    /// Names the type of the body, and the members that must be there.
    pub(crate) fn body<T: ToSchema>(mut self, required: &'static [&'static str]) -> Self {
        self.about.request = Some(Type::of::<T>());
        self.about.required = required;
        self
    }

    /// Names the type of the answer.
    pub(crate) fn answers<T: ToSchema>(mut self, status: StatusCode) -> Self {
        self.about.status = status;
        self.about.answer = Some(Type::of::<T>());
        self
    }

    /// The answer has no body.
    pub(crate) fn answers_nothing(mut self) -> Self {
        self.about.status = StatusCode::NO_CONTENT;
        self
    }

    /// Names refusals beside those that follow from the route's form.
    pub(crate) fn refuses(mut self, statuses: &[StatusCode]) -> Self {
        self.about.refusals.extend_from_slice(statuses);
        self
    }

    /// The answer carries personal data, masked or in full.
    pub(crate) fn personal(mut self) -> Self {
        self.about.personal = true;
        self
    }

    /// The answer is one resource with a version; conditions on it are honoured.
    pub(crate) fn versioned(mut self) -> Self {
        self.about.versioned = true;
        self
    }

    /// One of these permissions is needed per item, whatever the route itself asks for.
    pub(crate) fn permissions_per_item(mut self, permissions: &'static [Permission]) -> Self {
        self.about.permissions_per_item = permissions;
        self
    }

    fn with(self, handler: Handler) -> Route {
        Route { about: self.about, handler }
    }

    /// Ends a route that refuses every token.
    pub(crate) fn session_only(self) -> Route {
        self.with(Handler::SessionOnly)
    }
}

impl Draft<Reads> {
    pub(crate) fn to<F, R>(self, handler: F) -> Route
    where
        F: Fn(Exchange) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Answer, Problem>> + Send + 'static,
    {
        self.with(Handler::Read(Box::new(move |exchange| Box::pin(handler(exchange)))))
    }
}

impl Draft<Changes> {
    pub(crate) fn to<F, R>(self, handler: F) -> Route
    where
        F: Fn(Exchange) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Answer, Problem>> + Send + 'static,
    {
        self.with(Handler::Change(Box::new(move |exchange| Box::pin(handler(exchange)))))
    }
}

impl Draft<Posts> {
    pub(crate) fn to<F, R>(self, handler: F) -> Route
    where
        F: Fn(Exchange, Work) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Done, Problem>> + Send + 'static,
    {
        self.with(Handler::Post(Box::new(move |exchange, work| Box::pin(handler(exchange, work)))))
    }
}

impl Code {
    /// Whether the same request meets the same refusal again, so that it may be kept.
    pub(crate) fn is_final(self) -> bool {
        self.status() != StatusCode::TOO_MANY_REQUESTS
            && !matches!(self, Self::Conflict | Self::IdempotencyInProgress)
    }
}

/// Every route of the API.
pub(crate) fn routes() -> Vec<Route> {
    [
        crate::auth::routes(),
        crate::contacts::routes(),
        crate::accounts::routes(),
        crate::groups::routes(),
        crate::webhooks::routes(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
