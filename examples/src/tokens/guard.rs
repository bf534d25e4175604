//! The five checks before a handler, and the answers when one fails.
//!
//! A route gets its guard together with what it asks for: a [`check`] layer
//! over [`Guard::asks`]. It runs [`Authenticator::admit`] and hands the
//! [`Principal`](svc_auth::principal::Principal) over as an extension. A route
//! that forgot its guard has no principal to take, and answers 500 instead of
//! data.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use ipnet::IpNet;
use serde_json::json;
use svc_auth::authenticate::{Access, Authenticator, Denied};
use svc_auth::client_address::client_address;
use svc_auth::limit::Budget;

/// What every guarded route shares.
#[derive(Clone, Debug)]
pub struct Guard {
    /// Runs the checks.
    pub authenticator: Arc<Authenticator>,
    /// Our own proxies: only they may say for whom they speak.
    pub trusted_proxies: Arc<[IpNet]>,
}

/// A guard with what one route asks of its callers: the state of [`check`].
#[derive(Clone, Debug)]
pub struct Asks {
    guard: Guard,
    access: Access,
}

impl Guard {
    /// This guard for a route that asks for `access`.
    #[must_use]
    pub fn asks(&self, access: Access) -> Asks {
        Asks { guard: self.clone(), access }
    }

    fn source(&self, request: &Request) -> Option<IpAddr> {
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>()?.0.ip();
        let lines = request.headers().get_all("x-forwarded-for");
        // A line that is no text still stands for a hop, one that matches no address.
        let lines: Vec<_> = lines.iter().map(|line| line.to_str().unwrap_or("?")).collect();
        client_address(peer, &lines, &self.trusted_proxies)
    }
}

/// The middleware: lets a request pass with its [`Principal`](svc_auth::principal::Principal), or answers it.
pub async fn check(State(asks): State<Asks>, mut request: Request, next: Next) -> Response {
    let source = asks.guard.source(&request);
    let header = credential(request.headers()).map(str::to_owned);
    match asks.guard.authenticator.admit(header.as_deref(), asks.access, source).await {
        Ok(admitted) => {
            request.extensions_mut().insert(admitted.principal);
            next.run(request).await
        }
        Err(refused) => refusal(&refused.denied),
    }
}

/// The one `Authorization` header; two of them, or one that is no text, are as good as junk.
fn credential(headers: &HeaderMap) -> Option<&str> {
    let mut lines = headers.get_all(AUTHORIZATION).iter();
    let first = lines.next()?;
    if lines.next().is_some() {
        return Some("");
    }
    Some(first.to_str().unwrap_or_default())
}

/// The answer to a request that failed a check (RFC 9457).
fn refusal(denied: &Denied) -> Response {
    let (status, code) = status_and_code(denied);
    let mut body =
        json!({ "type": "about:blank", "title": title(denied), "status": status.as_u16(), "code": code });
    if let (Denied::MissingPermission { required }, Some(members)) = (denied, body.as_object_mut()) {
        members.insert("required_permission".to_owned(), json!(required));
    }
    let mut response = (status, body.to_string()).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    if status == StatusCode::UNAUTHORIZED {
        headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    if let Denied::LimitExceeded { retry_after, .. } | Denied::TooManyFailures { retry_after } = denied {
        // Rounded up, so that no client comes back too early.
        headers.insert(RETRY_AFTER, HeaderValue::from(retry_after.as_secs() + 1));
    }
    response
}

fn title(denied: &Denied) -> String {
    if matches!(denied, Denied::CreatorLostRole) {
        return "the tenant of the token is gone".to_owned();
    }
    denied.to_string()
}

fn status_and_code(denied: &Denied) -> (StatusCode, &'static str) {
    match denied {
        Denied::TokenMissing => (StatusCode::UNAUTHORIZED, "token_missing"),
        Denied::TokenInvalid => (StatusCode::UNAUTHORIZED, "token_invalid"),
        Denied::TokenDisabled => (StatusCode::UNAUTHORIZED, "token_disabled"),
        Denied::TokenRevoked => (StatusCode::UNAUTHORIZED, "token_revoked"),
        Denied::TokenExpired => (StatusCode::UNAUTHORIZED, "token_expired"),
        // The tenants of this service stand alone: no person carries a token.
        Denied::CreatorLostRole => (StatusCode::UNAUTHORIZED, "tenant_gone"),
        Denied::AccountTokenNotAccepted => (StatusCode::FORBIDDEN, "account_token_not_accepted"),
        Denied::MissingPermission { .. } => (StatusCode::FORBIDDEN, "missing_permission"),
        Denied::IpNotAllowed => (StatusCode::FORBIDDEN, "ip_not_allowed"),
        // Of assistants, which do not come to this service.
        Denied::IpRestrictedToken => (StatusCode::FORBIDDEN, "ip_restricted_token_not_allowed"),
        Denied::LimitExceeded { budget: Budget::Minute, .. } => {
            (StatusCode::TOO_MANY_REQUESTS, "rate_limited")
        }
        Denied::LimitExceeded { budget: Budget::Month, .. } => {
            (StatusCode::TOO_MANY_REQUESTS, "quota_exceeded")
        }
        Denied::TooManyFailures { .. } => (StatusCode::TOO_MANY_REQUESTS, "rate_limited"),
        // The cause belongs into the log, not into the answer.
        Denied::Store(_) => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
    }
}
