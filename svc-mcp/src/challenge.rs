//! What an assistant is asked for that may not go on (RFC 6750, section 3; RFC 9728, section 5.1).

use axum::response::Response;
use http::header::WWW_AUTHENTICATE;
use http::{HeaderValue, StatusCode};
use svc_auth::oauth::{Issuer, Scope, Scopes};
use svc_auth::token::ConnectionRole;
use svc_http::Code;

/// Adds to a 401 where an access token is had, and that the presented one is no good if there was one.
pub(crate) fn unauthorized(response: &mut Response, issuer: &Issuer, code: Code) {
    if response.status() != StatusCode::UNAUTHORIZED {
        return;
    }
    let error = if code == Code::TokenMissing { "" } else { "error=\"invalid_token\", " };
    let challenge = format!("Bearer {error}{}, scope=\"{}\"", metadata(issuer), Scope::Read.name());
    set(response, &challenge);
}

/// Adds to a 403 which scopes the call needs: the client asks its person for them.
pub(crate) fn insufficient_scope(response: &mut Response, issuer: &Issuer, role: ConnectionRole) {
    let scopes = Scopes::of(role);
    let needed = Scope::ALL.into_iter().filter(|scope| *scope != Scope::OfflineAccess && scopes.has(*scope));
    let needed: Vec<_> = needed.map(Scope::name).collect();
    let challenge =
        format!("Bearer error=\"insufficient_scope\", scope=\"{}\", {}", needed.join(" "), metadata(issuer));
    set(response, &challenge);
}

fn metadata(issuer: &Issuer) -> String {
    format!("resource_metadata=\"{issuer}/.well-known/oauth-protected-resource/mcp\"")
}

fn set(response: &mut Response, challenge: &str) {
    if let Ok(value) = HeaderValue::try_from(challenge) {
        response.headers_mut().insert(WWW_AUTHENTICATE, value);
    }
}
