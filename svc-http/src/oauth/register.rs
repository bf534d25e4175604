//! POST /oauth/register: a client tells who it is (RFC 7591, section 3).

use axum::response::Response;
use http::StatusCode;
use serde::Serialize;
use svc_auth::oauth::{Client, ClientMetadata, MetadataError, MetadataErrorCode, RedirectUri};

use super::Sent;
use super::answer::{Told, kept_by_none};
use crate::limits::whole_seconds;

/// What is kept of it, and what became of what it asked for.
#[derive(Serialize)]
struct Registered<'a> {
    client_id: String,
    /// Seconds since 1970.
    client_id_issued_at: i64,
    client_name: &'a str,
    redirect_uris: Vec<&'a str>,
    token_endpoint_auth_method: &'static str,
    grant_types: [&'static str; 2],
    response_types: [&'static str; 1],
}

impl<'a> From<&'a Client> for Registered<'a> {
    fn from(client: &'a Client) -> Self {
        Self {
            client_id: client.id.to_string(),
            client_id_issued_at: client.known_since.unix_seconds(),
            client_name: &client.name,
            redirect_uris: client.redirects.iter().map(RedirectUri::as_str).collect(),
            token_endpoint_auth_method: "none",
            grant_types: ["authorization_code", "refresh_token"],
            response_types: ["code"],
        }
    }
}

pub(super) async fn register(sent: Sent) -> Result<Response, Told> {
    let now = sent.context.now;
    sent.oauth
        .registers(sent.from, now)
        .map_err(|wait| Told::later("too many registrations from this address", whole_seconds(wait)))?;
    let metadata: ClientMetadata = serde_json::from_slice(&sent.body).map_err(|error| {
        let description =
            format!("the body is no client metadata: line {}, column {}", error.line(), error.column());
        Told::new(MetadataErrorCode::Metadata.name(), description)
    })?;
    let client = metadata.register()?.client(now, &*sent.app.random);
    let unit = sent.oauth.storage().begin().await?;
    let client = unit.clients().register(&client).await?;
    unit.commit().await?;
    Ok(kept_by_none(StatusCode::CREATED, &Registered::from(&client)))
}

impl From<MetadataError> for Told {
    fn from(error: MetadataError) -> Self {
        Self::new(error.code.name(), error.description)
    }
}
