//! Every error answer: `application/problem+json` (RFC 9457).
//!
//! A refusal is a [`Code`] with what a client needs to act on it. The status
//! belongs to the code and is decided here alone; the files below turn each
//! error of the use cases into a problem by an exhaustive match.

mod auth;
mod bank;
mod books;
mod business;
mod code;
mod documents;
mod explained;
mod people;
mod purchases;
mod report;
mod sales;
mod session;
mod signature;
mod store;
mod tax;
mod tokens;
mod webhooks;

use axum::body::Body;
use axum::response::Response;
use http::header::{CACHE_CONTROL, CONTENT_RANGE, CONTENT_TYPE, ETAG, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderValue, StatusCode};
use svc_auth::limit::LimitStatus;
use svc_core::error::{FieldError, ValidationErrors};
use svc_core::id::RequestId;
use svc_core::rerun::MayBeUndone;
use svc_core::resource::Version;
use svc_core::wire::Form;
use svc_core::wire_view;

pub use self::code::Code;
use crate::precondition;

/// A refusal in the making: an error answer of the API, or a page that tells of it.
///
/// Every error of the use cases becomes one by `From`.
#[derive(Debug)]
pub struct Problem {
    pub(crate) code: Code,
    detail: String,
    errors: Vec<FieldError>,
    members: Box<Members>,
}

/// Members that only some problems have.
#[derive(Debug, Default)]
struct Members {
    required_permission: Option<String>,
    missing_permissions: Vec<String>,
    current_state: Option<String>,
    existing_id: Option<String>,
    version: Option<Version>,
    retry_after: Option<u64>,
    limits: Option<LimitStatus>,
    size: Option<u64>,
    undone: bool,
}

impl Problem {
    /// A refusal of this kind; `detail` says what is wrong with this request.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), errors: Vec::new(), members: Box::default() }
    }

    /// After how many seconds the request may come again, where it may.
    pub(crate) fn retry_after_seconds(&self) -> Option<u64> {
        self.members.retry_after
    }

    /// The same of a request of which the store undid everything.
    fn undone(mut self) -> Self {
        self.members.undone = true;
        self
    }

    /// The same of a request of which something took effect.
    pub(crate) fn partly_done(mut self) -> Self {
        self.members.undone = false;
        self
    }

    /// The one answer to an unknown id and to one out of reach.
    #[must_use]
    pub fn not_found() -> Self {
        Self::new(Code::NotFound, "there is nothing here, or it is out of reach")
    }

    /// No route has this path.
    pub(crate) fn unknown_path() -> Self {
        Self::new(Code::NotFound, "the API has no such path")
    }

    /// The bytes that are asked for are not among so many.
    pub(crate) fn no_such_bytes(size: u64) -> Self {
        let mut problem = Self::new(Code::RangeNotSatisfiable, format!("the file has {size} bytes"));
        problem.members.size = Some(size);
        problem
    }

    /// The person is no holder or administrator where the request needs it.
    #[must_use]
    pub fn role_required() -> Self {
        Self::new(Code::RoleRequired, "this is for holders and administrators of the company")
    }

    /// A failure that a client cannot act on; the code that makes it logs the reason.
    #[must_use]
    pub fn internal() -> Self {
        Self::new(
            Code::InternalError,
            "the service failed to answer; the request id helps support to find out why",
        )
    }

    /// A query parameter or header that cannot be understood.
    pub(crate) fn parameter(name: &str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self::new(Code::InvalidParameter, format!("`{name}`: {message}")).at(
            name,
            "invalid_parameter",
            message,
        )
    }

    /// Adds the place where the request is wrong.
    pub(crate) fn at(
        mut self,
        field: impl Into<String>,
        code: &'static str,
        message: impl Into<String>,
    ) -> Self {
        self.errors.push(FieldError { field: field.into(), code, message: message.into().into() });
        self
    }

    fn state(mut self, state: impl Into<String>) -> Self {
        self.members.current_state = Some(state.into());
        self
    }

    pub(crate) fn existing(mut self, id: &impl ToString) -> Self {
        self.members.existing_id = Some(id.to_string());
        self
    }

    pub(crate) fn requires(mut self, permission: &impl ToString) -> Self {
        self.members.required_permission = Some(permission.to_string());
        self
    }

    pub(crate) fn missing<P: ToString>(mut self, permissions: impl IntoIterator<Item = P>) -> Self {
        self.members.missing_permissions.extend(permissions.into_iter().map(|missing| missing.to_string()));
        self
    }

    /// Tells the version that the record is at, as its `ETag`.
    fn version(mut self, present: Version) -> Self {
        self.members.version = Some(present);
        self
    }

    pub(crate) fn retry_after(mut self, seconds: u64) -> Self {
        self.members.retry_after = Some(seconds);
        self
    }

    fn limits(mut self, status: LimitStatus) -> Self {
        self.members.limits = Some(status);
        self
    }

    /// What is left of the budgets, when the refusal came from them.
    pub(crate) fn limit_status(&self) -> Option<LimitStatus> {
        self.members.limits
    }

    /// What kind of refusal it is.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.code
    }

    /// The HTTP status.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.code.status()
    }

    /// What is wrong with this request.
    #[must_use]
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// Where it is wrong.
    #[must_use]
    pub fn errors(&self) -> &[FieldError] {
        &self.errors
    }

    /// Seconds after which it may be tried again.
    #[must_use]
    pub fn seconds_to_wait(&self) -> Option<u64> {
        self.members.retry_after
    }

    /// Whether there is no session that counts, and nothing else is wrong.
    pub(crate) fn is_of_session(&self) -> bool {
        matches!(self.code, Code::SessionMissing | Code::SessionInvalid)
    }

    /// The body, as it is sent and kept.
    pub(crate) fn body(&self, public_url: &str, request: RequestId) -> Document<'_> {
        Document {
            kind: format!("{public_url}/docs/errors/{}", self.code.name()),
            title: self.code.title(),
            status: self.status().as_u16(),
            code: self.code.name(),
            detail: &self.detail,
            request_id: request.to_string(),
            errors: self.errors.iter().map(Place::of).collect(),
            required_permission: self.members.required_permission.as_deref(),
            missing_permissions: &self.members.missing_permissions,
            current_state: self.members.current_state.as_deref(),
            existing_id: self.members.existing_id.as_deref(),
        }
    }

    /// The whole answer.
    pub(crate) fn into_response(self, public_url: &str, request: RequestId) -> Response {
        let body = serde_json::to_vec(&self.body(public_url, request)).unwrap_or_default();
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = self.status();
        // For the log and the metrics.
        response.extensions_mut().insert(self.code);
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if self.status() == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static(self.code.challenge()));
        }
        if let Some(Ok(tag)) =
            self.members.version.map(|version| HeaderValue::try_from(precondition::tag(version)))
        {
            headers.insert(ETAG, tag);
        }
        if let Some(Ok(size)) = self.members.size.map(|size| HeaderValue::try_from(format!("bytes */{size}")))
        {
            headers.insert(CONTENT_RANGE, size);
        }
        if let Some(seconds) = self.members.retry_after {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// Codes of single fields that say enough to be the code of the whole answer.
const TELLING: [(&str, Code); 6] = [
    ("fixed_at_creation", Code::FixedAtCreation),
    ("unknown_reference", Code::UnknownReference),
    ("masked_value_rejected", Code::MaskedValueRejected),
    ("invalid_tax_id", Code::InvalidTaxId),
    ("entry_unbalanced", Code::EntryUnbalanced),
    ("tax_tags_mismatch", Code::TaxTagsMismatch),
];

impl MayBeUndone for Problem {
    fn is_undone(&self) -> bool {
        self.members.undone
    }
}

impl From<ValidationErrors> for Problem {
    fn from(invalid: ValidationErrors) -> Self {
        let shared = |code: &str| invalid.0.iter().all(|error| error.code == code);
        let code = TELLING.into_iter().find(|(field, _)| !invalid.0.is_empty() && shared(field));
        let count = invalid.0.len();
        let detail = match invalid.0.as_slice() {
            [only] if !only.field.is_empty() => format!("`{}`: {}", only.field, only.message),
            [only] => only.message.to_string(),
            _ => format!("{count} fields are invalid"),
        };
        let mut problem = Self::new(code.map_or(Code::ValidationFailed, |(_, whole)| whole), detail);
        problem.errors = invalid.0;
        problem
    }
}

wire_view! {
    /// The wire form of a problem.
    #[derive(Debug)]
    pub(crate) struct Document <'a> as "Problem" {
        /// Where the code is explained.
        kind as "type": String => Form::URI.example("https://api.example.com/docs/errors#version_conflict"),
        /// What kind of problem it is, for a person.
        title: &'a str => Form::ANY.example("Version conflict"),
        /// The HTTP status again.
        status: u16 => Form::range(400, 599).number(412),
        /// What kind of problem it is, for a program.
        code: &'a str => Form::ANY.example("version_conflict"),
        /// What is wrong with this request.
        detail: &'a str => Form::ANY.example("it is at version 3"),
        /// Names the request in the service's logs.
        request_id: String => Form::ANY.like::<RequestId>(),
        /// Where the request is wrong.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        [optional] errors: Vec<Place<'a>>,
        /// The permission that the route requires and the token lacks.
        #[serde(skip_serializing_if = "Option::is_none")]
        [optional] required_permission as "required_permission": Option<&'a str>,
        /// Every permission that the request would need and the token lacks.
        #[serde(skip_serializing_if = "<[String]>::is_empty")]
        [optional] missing_permissions as "missing_permissions": &'a [String],
        /// The state that forbids the action.
        #[serde(skip_serializing_if = "Option::is_none")]
        [optional] current_state: Option<&'a str>,
        /// The record that is in the way.
        #[serde(skip_serializing_if = "Option::is_none")]
        [optional] existing_id: Option<&'a str> => Form::ID,
    }
}

wire_view! {
    /// One place where a request is wrong.
    #[derive(Debug)]
    pub(crate) struct Place <'a> as "FieldError" {
        /// Path of the member, such as `events[2]`, or name of the parameter.
        field: &'a str,
        /// What rule it breaks.
        code: &'a str,
        /// What would be right.
        message: &'a str,
    }
}

impl<'a> Place<'a> {
    fn of(error: &'a FieldError) -> Self {
        Self { field: &error.field, code: error.code, message: &error.message }
    }
}
