//! What the server says of itself.

use serde_json::{Value, json};
use svc_auth::oauth::{CodeChallenge, Issuer, Scope};

/// The MCP server, as a resource (RFC 9728, section 2).
pub(super) fn resource(issuer: &Issuer) -> Value {
    json!({
        "resource": issuer.resource(),
        "authorization_servers": [issuer.as_str()],
        "scopes_supported": [Scope::Read.name()],
        "bearer_methods_supported": ["header"],
    })
}

/// The authorization server (RFC 8414, section 2).
pub(super) fn server(issuer: &Issuer) -> Value {
    let at = |path: &str| format!("{issuer}{path}");
    json!({
        "issuer": issuer.as_str(),
        "authorization_endpoint": at("/oauth/authorize"),
        "token_endpoint": at("/oauth/token"),
        "revocation_endpoint": at("/oauth/revoke"),
        "registration_endpoint": at("/oauth/register"),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "code_challenge_methods_supported": [CodeChallenge::METHOD],
        "scopes_supported": Scope::ALL.map(Scope::name),
        "client_id_metadata_document_supported": true,
        "authorization_response_iss_parameter_supported": true,
    })
}
