//! What a client is answered: JSON that pages of any site may read and no cache keeps.

use axum::Json;
use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_MAX_AGE, CACHE_CONTROL, CONTENT_TYPE, PRAGMA, RETRY_AFTER, WWW_AUTHENTICATE,
};
use http::{HeaderName, HeaderValue, StatusCode};
use serde::Serialize;
use svc_core::error::StoreError;

use crate::problem::Problem;

const EVERY_SITE: (HeaderName, HeaderValue) = (ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));

/// Why a client is given nothing (RFC 6749, section 5.2; RFC 7591, section 3.2.2).
#[derive(Debug)]
pub(super) struct Told {
    status: StatusCode,
    error: &'static str,
    description: String,
    retry_after: Option<u64>,
}

#[derive(Serialize)]
struct Refusal<'a> {
    error: &'a str,
    error_description: &'a str,
}

impl Told {
    /// A 400.
    pub(super) fn new(error: &'static str, description: impl Into<String>) -> Self {
        Self { status: StatusCode::BAD_REQUEST, error, description: description.into(), retry_after: None }
    }

    /// `invalid_request`
    pub(super) fn invalid(description: impl Into<String>) -> Self {
        Self::new("invalid_request", description)
    }

    /// `invalid_client`: it forgets all that it has, and registers anew.
    pub(super) fn invalid_client(description: impl Into<String>) -> Self {
        Self { status: StatusCode::UNAUTHORIZED, ..Self::new("invalid_client", description) }
    }

    /// So many requests that this one has to come again.
    pub(super) fn later(description: &str, retry_after: u64) -> Self {
        let told = Self::new("temporarily_unavailable", description);
        Self { status: StatusCode::TOO_MANY_REQUESTS, retry_after: Some(retry_after), ..told }
    }

    pub(super) fn into_response(self) -> Response {
        let body = Refusal { error: self.error, error_description: &self.description };
        let mut response = kept_by_none(self.status, &body);
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// What has no word of its own in the standards: limits of size, time and number, and failures of the service.
impl From<Problem> for Told {
    fn from(problem: Problem) -> Self {
        let status = problem.status();
        let error = match status {
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => "temporarily_unavailable",
            status if status.is_server_error() => "server_error",
            _ => "invalid_request",
        };
        Self {
            status,
            error,
            description: problem.detail().to_owned(),
            retry_after: problem.retry_after_seconds(),
        }
    }
}

impl From<StoreError> for Told {
    fn from(error: StoreError) -> Self {
        Problem::from(error).into()
    }
}

/// An answer with a body that no cache keeps (RFC 6749, section 5.1).
pub(super) fn kept_by_none(status: StatusCode, body: &impl Serialize) -> Response {
    let mut response = (status, Json(body)).into_response();
    response.headers_mut().extend([
        EVERY_SITE,
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (PRAGMA, HeaderValue::from_static("no-cache")),
    ]);
    response
}

/// A document that says what the server is.
pub(super) fn document(text: Bytes) -> Response {
    let mut response = Response::new(Body::from(text));
    response.headers_mut().extend([
        EVERY_SITE,
        (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (CACHE_CONTROL, HeaderValue::from_static("max-age=300")),
    ]);
    response
}

/// What a browser asks before a page of another site may send what no form can (Fetch, section 3.3.3).
pub(super) async fn preflight() -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    response.headers_mut().extend([
        EVERY_SITE,
        (ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST")),
        (ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("Content-Type, Mcp-Protocol-Version")),
        (ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("3600")),
    ]);
    response
}
