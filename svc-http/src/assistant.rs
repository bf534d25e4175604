//! Assistants: callers of the API's routes by another channel of the same process (specification, part 1).
//!
//! What lets an assistant in is the [`Door`]: the access token of a connection, or a token without a list of addresses.
//! An [`Assistant`] then calls routes as any client does, with the same checks of its permissions, the same masks and the
//! same bounds; only the credential is not read again, and the budget was charged for the whole request.

mod approvals;
mod calls;
mod uploads;

use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::IntoResponse as _;
use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, IF_MATCH, RANGE};
use http::request::Parts;
use http::{HeaderName, HeaderValue, Method, StatusCode, Uri};
use http_body_util::{BodyExt as _, Limited};
use serde_json::Value;
use svc_auth::authenticate::Admitted;
use svc_auth::limit::LimitStatus;
use svc_auth::principal::Principal;
use svc_core::audit::{Actor, Who};
use svc_core::permission::Grants;
use svc_core::unit::CallContext;
use tower::ServiceExt as _;

pub use self::calls::Called;
pub use self::uploads::UploadPlace;
use crate::app::App;
use crate::body;
use crate::context::Context;
use crate::gate::{authorization, source, took_long};
use crate::limits;
use crate::oauth::Oauth;
use crate::observe::CalledBy;
use crate::problem::Problem;
use crate::shares::{Payer, Share, Shares, Weight};
use crate::visit::Door;

pub(crate) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// A caller that was let in elsewhere, as an extension of its request: only this crate can make one.
#[derive(Clone, Debug)]
pub(crate) struct Guest {
    pub(crate) principal: Arc<Principal>,
    pub(crate) limits: LimitStatus,
    pub(crate) from: Option<IpAddr>,
}

/// An assistant that was let in, for one request.
#[derive(Clone)]
pub struct Assistant {
    app: Arc<App>,
    shares: Arc<Shares>,
    api: Router,
    guest: Guest,
    context: Context,
}

/// What an assistant sent: a share of what its address may have under way, until it is dropped.
#[derive(Debug)]
pub struct Received {
    /// The body.
    pub body: Bytes,
    _share: Share,
}

/// What is asked of a route.
#[derive(Clone, Debug)]
pub struct Call {
    method: Method,
    path: String,
    query: Vec<(String, String)>,
    body: Option<Value>,
    headers: Vec<(HeaderName, String)>,
}

/// What the route answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The status.
    pub status: StatusCode,
    /// The body: a success, or a problem (RFC 9457); null where there is none.
    pub body: Value,
}

/// What a route answered that gives contents.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// The bytes that were asked for.
    Bytes(Bytes),
    /// It gave none: a problem (RFC 9457).
    Refused(Reply),
}

impl Door {
    /// Lets an assistant in, and charges its budget.
    ///
    /// # Errors
    /// The first check that failed: 401 `token_missing` and its neighbours, 403 `ip_restricted_token_not_allowed`, 429.
    pub async fn assistant(&self, parts: &Parts) -> Result<Assistant, Problem> {
        let Some(context) = parts.extensions.get::<Context>().copied() else {
            return Err(Problem::internal());
        };
        let app = Arc::clone(self.wiring());
        let from = source(&app, &parts.headers, &parts.extensions);
        let header = authorization(&parts.headers);
        let Admitted { principal, limits, .. } = app.authenticator.admit_assistant(header, from).await?;
        let (shares, api) = (Arc::clone(self.shares()), self.api().clone());
        Ok(Assistant { app, shares, api, guest: Guest { principal, limits, from }, context })
    }

    /// The answer to an assistant that was not let in.
    #[must_use]
    pub fn refuse(&self, parts: &Parts, problem: Problem) -> axum::response::Response {
        let public_url = &self.wiring().settings.public_url;
        match parts.extensions.get::<Context>() {
            Some(context) => problem.into_response(public_url, context.request),
            None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        }
    }
}

impl Assistant {
    /// Reads what it sends, `most` bytes at most; one that took long has its credential looked at again.
    ///
    /// The credential pays, since the routes that are called for it are paid by the company: both at once could wait for
    /// each other.
    ///
    /// # Errors
    /// 408, 413, 429, and those of [`Door::assistant`].
    pub async fn receive(&mut self, parts: &Parts, body: Body, most: usize) -> Result<Received, Problem> {
        let began = self.app.clock.now();
        let weight = Weight::bytes(body::declared(&parts.headers).unwrap_or(most).min(most));
        let share = self.shares.take(Payer::Credential(self.guest.principal.token), weight).await?;
        let body = body::read(&parts.headers, body, most).await?;
        let now = self.app.clock.now();
        if took_long(began, now) {
            let header = authorization(&parts.headers);
            let checks = &self.app.authenticator;
            self.guest.principal = checks.admit_assistant_again(header, self.guest.from).await?;
            self.context.now = now;
        }
        Ok(Received { body, _share: share })
    }

    /// The same with no more than these permissions.
    #[must_use]
    pub fn within(&self, bounds: &Grants) -> Self {
        let principal = Arc::new(self.guest.principal.within(bounds));
        Self { guest: Guest { principal, ..self.guest.clone() }, ..self.clone() }
    }

    /// Who it is, and what it may do.
    #[must_use]
    pub fn principal(&self) -> &Principal {
        &self.guest.principal
    }

    /// Calls a route.
    ///
    /// # Errors
    /// [`Problem::internal`] when the answer could not be read, or is none of JSON.
    pub async fn call(&self, call: Call) -> Result<Reply, Problem> {
        let (parts, body) = self.response(call).await?.into_parts();
        reply(parts.status, body).await
    }

    /// Calls a route that gives contents, for so many bytes of one at most, from this one on.
    ///
    /// # Errors
    /// As [`Assistant::call`], and also when the route gave more than was asked for.
    pub async fn bytes(&self, call: Call, from: u64, most: usize) -> Result<Given, Problem> {
        let last = from.saturating_add(most as u64).saturating_sub(1);
        let (parts, body) =
            self.response(call.header(RANGE, format!("bytes={from}-{last}"))).await?.into_parts();
        if !parts.status.is_success() {
            return Ok(Given::Refused(reply(parts.status, body).await?));
        }
        let read = Limited::new(body, most).collect().await;
        Ok(Given::Bytes(read.map_err(|_| Problem::internal())?.to_bytes()))
    }

    async fn response(&self, call: Call) -> Result<axum::response::Response, Problem> {
        match self.api.clone().oneshot(self.asked(call)?).await {
            Ok(response) => Ok(response),
            Err(never) => match never {},
        }
    }

    /// Tells in an answer what is left of the budgets, and in the log who called.
    pub fn tell_limits(&self, response: &mut axum::response::Response) {
        limits::tell(response, self.guest.limits);
        response.extensions_mut().insert(CalledBy(self.guest.principal.token));
    }

    fn oauth(&self) -> Result<&Oauth, Problem> {
        self.app.oauth.as_deref().ok_or_else(Problem::internal)
    }

    fn actor(&self) -> Actor {
        let who = Who::Token(self.principal().token);
        Actor { who, from: self.guest.from, request: Some(self.context.request) }
    }

    fn context<'a>(&'a self, actor: &'a Actor) -> CallContext<'a> {
        let principal = self.principal();
        let (now, random) = (self.context.now, &*self.app.random);
        CallContext { scope: &principal.scope, access: principal.access, actor, now, random }
    }

    fn asked(&self, call: Call) -> Result<Request, Problem> {
        let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(&call.query).finish();
        let separator = if query.is_empty() { "" } else { "?" };
        let uri: Uri =
            format!("/api/v1{}{separator}{query}", call.path).parse().map_err(|_| Problem::not_found())?;
        let body = call.body.map(|body| body.to_string()).unwrap_or_default();
        let length = body.len();
        let mut request = Request::new(Body::from(body));
        (*request.method_mut(), *request.uri_mut()) = (call.method, uri);
        let headers = request.headers_mut();
        if length > 0 {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
        }
        for (name, value) in call.headers {
            let value = HeaderValue::try_from(value)
                .map_err(|_| Problem::parameter(name.as_str(), "has letters that no header takes"))?;
            headers.insert(name, value);
        }
        request.extensions_mut().insert(self.context);
        request.extensions_mut().insert(self.guest.clone());
        Ok(request)
    }
}

impl Call {
    /// Of this route below `/api/v1`; ids in the path are percent-encoded by [`Call::segment`].
    #[must_use]
    pub fn new(method: Method, path: impl Into<String>) -> Self {
        Self { method, path: path.into(), query: Vec::new(), body: None, headers: Vec::new() }
    }

    /// A text as one segment of a path.
    #[must_use]
    pub fn segment(text: &str) -> String {
        form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
    }

    /// With this parameter in the query.
    #[must_use]
    pub fn query(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.query.push((name.into(), value.into()));
        self
    }

    /// With this body.
    #[must_use]
    pub fn body(self, body: Value) -> Self {
        Self { body: Some(body), ..self }
    }

    /// Done once, however often it is asked for with this key.
    #[must_use]
    pub fn once(self, key: &str) -> Self {
        self.header(IDEMPOTENCY_KEY, key.to_owned())
    }

    /// Only if the record is at this version.
    #[must_use]
    pub fn if_version(self, version: i64) -> Self {
        self.header(IF_MATCH, format!("\"{version}\""))
    }

    fn header(mut self, name: HeaderName, value: String) -> Self {
        self.headers.push((name, value));
        self
    }
}

/// The JSON that a route answered.
async fn reply(status: StatusCode, body: Body) -> Result<Reply, Problem> {
    let bytes = body.collect().await.map_err(|_| Problem::internal())?.to_bytes();
    let body = if bytes.is_empty() { Ok(Value::Null) } else { serde_json::from_slice(&bytes) };
    Ok(Reply { status, body: body.map_err(|_| Problem::internal())? })
}

impl std::fmt::Debug for Assistant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Assistant").field("token", &self.guest.principal.token).finish_non_exhaustive()
    }
}
