//! Routes: who may call them, what they are called with and what they answer.
//!
//! A [`Route`] cannot be made without its [`Gate`], a handler takes the caller
//! of that gate and no other, and it cannot be attached without the description
//! that the `OpenAPI` document is built from.

pub(crate) mod about;
pub(crate) mod handler;

use std::marker::PhantomData;
use std::sync::Arc;

use http::{Method, StatusCode};
use svc_core::permission::Permission;
use svc_core::wire::Described;

use self::about::{About, Type};
use self::handler::Handler;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::{Acting, Gate};
use crate::idempotency::{Committed, PendingReply};
use crate::problem::Problem;
use crate::query::Param;
use crate::serve::{Serve, Served};
use crate::upload::Owner;

/// A route of the API.
pub(crate) type Route = Arc<dyn Serve>;

/// Marks a route that reads.
pub(crate) struct Reads;
/// Marks a route that changes one resource.
pub(crate) struct Changes;
/// Marks a route that answers through a unit of work, once per `Idempotency-Key`.
pub(crate) struct Posts;
/// Marks a POST of which nothing is kept, because secrets are in it.
pub(crate) struct Acts;

/// A route without its handler.
pub(crate) struct Draft<M, G> {
    about: About,
    gate: G,
    kind: PhantomData<M>,
}

pub(crate) fn get<G: Gate>(path: &'static str, gate: G, summary: &'static str) -> Draft<Reads, G> {
    Draft::new(Method::GET, path, gate, summary)
}

pub(crate) fn post<G: Gate>(path: &'static str, gate: G, summary: &'static str) -> Draft<Posts, G> {
    let mut draft = Draft::new(Method::POST, path, gate, summary);
    draft.about.repeatable = true;
    draft
}

/// A POST that honours no `Idempotency-Key`: not even a hash of its body may be kept.
pub(crate) fn act<G: Gate>(path: &'static str, gate: G, summary: &'static str) -> Draft<Acts, G> {
    Draft::new(Method::POST, path, gate, summary)
}

pub(crate) fn patch<G: Gate>(path: &'static str, gate: G, summary: &'static str) -> Draft<Changes, G> {
    Draft::new(Method::PATCH, path, gate, summary)
}

pub(crate) fn delete<G: Gate>(path: &'static str, gate: G, summary: &'static str) -> Draft<Changes, G> {
    Draft::new(Method::DELETE, path, gate, summary)
}

impl<M, G: Gate> Draft<M, G> {
    fn new(method: Method, path: &'static str, gate: G, summary: &'static str) -> Self {
        Self { about: About::new(method, path, summary, gate.notice()), gate, kind: PhantomData }
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

    /// Names the type of the body.
    pub(crate) fn body<T: Described>(mut self) -> Self {
        self.about.request = Some(Type::of::<T>());
        self
    }

    /// Names the type of a body of several parts (`multipart/form-data`) with a file among them, and its longest in bytes.
    pub(crate) fn upload<T: Described>(mut self, bytes: usize) -> Self {
        self.about.upload = Some(bytes);
        self.body::<T>()
    }

    /// Names the type of the answer.
    pub(crate) fn answers<T: Described>(mut self, status: StatusCode) -> Self {
        self.about.status = status;
        self.about.answer = Some(Type::of::<T>());
        self
    }

    /// Names the type of the answer that shows what was created, with its first `ETag`.
    pub(crate) fn creates<T: Described>(mut self) -> Self {
        self.about.created = true;
        self.answers::<T>(StatusCode::CREATED)
    }

    /// Names a further success, and the type of its answer.
    pub(crate) fn or_answers<T: Described>(mut self, status: StatusCode) -> Self {
        self.about.others.push((status, Type::of::<T>()));
        self
    }

    /// Names the type of an answer of another media type than `application/json`.
    pub(crate) fn answers_as<T: Described>(mut self, status: StatusCode, media: &'static str) -> Self {
        self.about.media = media;
        self.answers::<T>(status)
    }

    /// Names another media type that the same answer has for clients that like it better.
    pub(crate) fn or_as(mut self, media: &'static str) -> Self {
        self.about.also = Some(media);
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

    /// A part of the answer changes without its version: `If-None-Match` is not honoured.
    pub(crate) fn unconditional(mut self) -> Self {
        self.about.unconditional = true;
        self
    }

    /// Its answer stays in memory until it is sent: it counts as so many bytes of what its caller has under way.
    pub(crate) fn holding(mut self, bytes: usize) -> Self {
        self.about.holds = bytes;
        self
    }

    /// One of these permissions is needed per item, whatever the route itself asks for.
    pub(crate) fn permissions_per_item(mut self, permissions: &'static [Permission]) -> Self {
        self.about.permissions_per_item = permissions;
        self
    }

    /// Takes bodies of so many bytes at most: for routes that need no token, and have to judge a body before they know
    /// whose it is.
    pub(crate) fn at_most(mut self, bytes: usize) -> Self {
        self.about.most = Some(bytes);
        self
    }

    fn with(self, handler: Handler<G::Caller>) -> Route {
        Arc::new(Served { about: self.about, gate: self.gate, handler })
    }
}

impl<G: Gate> Draft<Reads, G> {
    pub(crate) fn to<F, R>(self, handler: F) -> Route
    where
        F: Fn(ApiRequest<G::Caller>) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Answer, Problem>> + Send + 'static,
    {
        self.with(Handler::read(handler))
    }
}

impl<G: Gate> Draft<Changes, G> {
    pub(crate) fn to<F, R>(self, handler: F) -> Route
    where
        F: Fn(ApiRequest<G::Caller>) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Answer, Problem>> + Send + 'static,
    {
        self.with(Handler::change(handler))
    }
}

impl<G: Gate> Draft<Acts, G> {
    pub(crate) fn to<F, R>(self, handler: F) -> Route
    where
        F: Fn(ApiRequest<G::Caller>) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Answer, Problem>> + Send + 'static,
    {
        self.with(Handler::change(handler))
    }
}

impl<G: Gate> Draft<Posts, G>
where
    G::Caller: Acting,
{
    pub(crate) fn to<F, R>(self, handler: F) -> Route
    where
        F: Fn(ApiRequest<G::Caller>, PendingReply) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Committed, Problem>> + Send + 'static,
    {
        self.with(Handler::post(handler))
    }

    /// The same with a body of several parts of the type `T`, whose file goes straight into the content store of its `owner`:
    /// in the place of another body where the route names one.
    pub(crate) fn stores<T: Described, F, R>(mut self, owner: Owner<G::Caller>, handler: F) -> Route
    where
        F: Fn(ApiRequest<G::Caller>, PendingReply) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Committed, Problem>> + Send + 'static,
    {
        self.about.stores = Some(Type::of::<T>());
        self.with(Handler::post(handler).storing(owner))
    }
}
