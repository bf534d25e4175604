//! What a client says of itself, when it registers or in its document.

use serde::Deserialize;
use svc_core::clock::Timestamp;
use svc_core::id::{RegisteredClientId, TypedId as _};
use svc_core::random::RandomSource;
use svc_core::text::is_hidden;
use thiserror::Error;

use super::Client;
use crate::oauth::RedirectUri;
use crate::token::{ClientId, DocumentUrl};

/// So many addresses a client may have.
const MOST_REDIRECTS: usize = 10;
/// Characters of a name that are kept.
const LONGEST_NAME: usize = 100;

/// The members that count of a client's metadata (RFC 7591, section 2); others are ignored, as the standard has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct ClientMetadata {
    /// The address of the document itself; only in a document.
    #[serde(default)]
    pub client_id: Option<String>,
    /// What the client calls itself.
    #[serde(default)]
    pub client_name: Option<String>,
    /// Where people may be sent back to.
    #[serde(default)]
    pub redirect_uris: Vec<String>,
    /// How it wants to be given tokens; `authorization_code` where it does not say.
    #[serde(default)]
    pub grant_types: Option<Vec<String>>,
    /// What it wants to be sent back with; `code` where it does not say.
    #[serde(default)]
    pub response_types: Option<Vec<String>>,
    /// How it wants to prove who it is. Whatever it is, the service makes `none` of it in a registration (section
    /// 2: the server may replace what is asked for); a document cannot be answered, and must say `none` or nothing.
    #[serde(default)]
    pub token_endpoint_auth_method: Option<String>,
}

/// What is kept of a registration, and answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// The name, cleaned; without one, the host of the first address.
    pub name: String,
    /// The addresses.
    pub redirects: Vec<RedirectUri>,
}

/// Why the metadata of a client is refused.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{description}")]
pub struct MetadataError {
    /// What the client is told.
    pub code: MetadataErrorCode,
    /// Which member is wrong, and what would be right.
    pub description: String,
}

/// The errors of a registration (RFC 7591, section 3.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetadataErrorCode {
    /// `invalid_redirect_uri`
    RedirectUri,
    /// `invalid_client_metadata`
    Metadata,
}

svc_core::wire_names!(MetadataErrorCode {
    RedirectUri = "invalid_redirect_uri",
    Metadata = "invalid_client_metadata",
});

impl ClientMetadata {
    /// What is kept when a client registers itself with this.
    ///
    /// # Errors
    /// [`MetadataError`].
    pub fn register(&self) -> Result<Registration, MetadataError> {
        let redirects = self.redirects()?;
        includes("grant_types", self.grant_types.as_deref(), "authorization_code")?;
        includes("response_types", self.response_types.as_deref(), "code")?;
        Ok(Registration { name: self.name(&redirects), redirects })
    }

    /// The client whose document this is, read at `now` from the address that is its id.
    ///
    /// # Errors
    /// [`MetadataError`] when the document is of another client, or asks for what the service does not do.
    pub fn document(&self, id: &DocumentUrl, now: Timestamp) -> Result<Client, MetadataError> {
        if self.client_id.as_deref() != Some(id.url().as_str()) {
            return Err(MetadataError::metadata("client_id is not the address of the document"));
        }
        if self.token_endpoint_auth_method.as_deref().is_some_and(|method| method != "none") {
            return Err(MetadataError::metadata(
                "token_endpoint_auth_method must be none: clients keep no secret here",
            ));
        }
        let Registration { name, redirects } = self.register()?;
        Ok(Client { id: ClientId::Document(id.clone()), name, redirects, known_since: now })
    }

    fn redirects(&self) -> Result<Vec<RedirectUri>, MetadataError> {
        if !(1..=MOST_REDIRECTS).contains(&self.redirect_uris.len()) {
            let description = format!("redirect_uris must have 1 to {MOST_REDIRECTS} members");
            return Err(MetadataError { code: MetadataErrorCode::RedirectUri, description });
        }
        let read = |(number, text): (usize, &String)| {
            RedirectUri::parse(text).map_err(|error| MetadataError {
                code: MetadataErrorCode::RedirectUri,
                description: format!("redirect_uris[{number}]: {error}"),
            })
        };
        self.redirect_uris.iter().enumerate().map(read).collect()
    }

    fn name(&self, redirects: &[RedirectUri]) -> String {
        let given: String =
            self.client_name.iter().flat_map(|name| name.chars()).filter(|sign| !is_hidden(*sign)).collect();
        let words: Vec<_> = given.split_whitespace().collect();
        let name: String = words.join(" ").chars().take(LONGEST_NAME).collect();
        let origin = || redirects.first().map(RedirectUri::origin).unwrap_or_default();
        if name.is_empty() { origin() } else { name }
    }
}

impl Registration {
    /// A client that was never there before.
    #[must_use]
    pub fn client(self, now: Timestamp, random: &dyn RandomSource) -> Client {
        let id = ClientId::Registered(RegisteredClientId::generate(now, random));
        Client { id, name: self.name, redirects: self.redirects, known_since: now }
    }
}

impl MetadataError {
    fn metadata(description: impl Into<String>) -> Self {
        Self { code: MetadataErrorCode::Metadata, description: description.into() }
    }
}

/// Whether what is asked for has what there is.
fn includes(member: &str, asked: Option<&[String]>, wanted: &str) -> Result<(), MetadataError> {
    if asked.is_none_or(|asked| asked.iter().any(|one| one == wanted)) {
        return Ok(());
    }
    Err(MetadataError::metadata(format!("{member} must include {wanted}")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn metadata(value: serde_json::Value) -> ClientMetadata {
        serde_json::from_value(value).expect("metadata")
    }

    fn id() -> DocumentUrl {
        "https://app.example/client.json".parse().expect("a document")
    }

    #[test]
    fn what_clients_of_the_field_send_is_taken() {
        // Members beyond those that count, a way to authenticate that the service replaces.
        let registration = metadata(json!({
            "client_name": " Claude\u{202e}\n Code ",
            "redirect_uris": ["http://localhost:33418/callback", "https://app.example/cb"],
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": "client_secret_post",
            "logo_uri": "https://app.example/logo.png",
            "scope": "mcp:read",
        }))
        .register();
        let registration = registration.expect("taken");
        assert_eq!(registration.name, "Claude Code");
        assert_eq!(registration.redirects.len(), 2);
        let bare = metadata(json!({ "redirect_uris": ["https://app.example/cb"] })).register();
        assert_eq!(bare.map(|bare| bare.name), Ok("https://app.example".to_owned()));
        let long = json!({ "client_name": "é".repeat(300), "redirect_uris": ["https://app.example/cb"] });
        assert_eq!(metadata(long).register().map(|long| long.name), Ok("é".repeat(100)));
    }

    #[test]
    fn the_member_that_is_wrong_is_named() {
        let redirect = MetadataErrorCode::RedirectUri;
        let eleven: Vec<_> = (0..11).map(|number| format!("https://app.example/{number}")).collect();
        for (value, code, member) in [
            (json!({}), redirect, "redirect_uris"),
            (json!({ "redirect_uris": eleven }), redirect, "redirect_uris"),
            (
                json!({ "redirect_uris": ["https://app.example/", "http://app.example/"] }),
                redirect,
                "redirect_uris[1]",
            ),
            (
                json!({ "redirect_uris": ["https://a.example/"], "grant_types": ["implicit"] }),
                MetadataErrorCode::Metadata,
                "grant_types",
            ),
            (
                json!({ "redirect_uris": ["https://a.example/"], "response_types": ["token"] }),
                MetadataErrorCode::Metadata,
                "response_types",
            ),
        ] {
            let error = metadata(value).register().expect_err("refused");
            assert_eq!(error.code, code, "{error}");
            assert!(error.description.starts_with(member), "{error}");
        }
    }

    #[test]
    fn a_document_is_that_of_its_address_alone() {
        let document = |client_id: &str, method: &str| {
            metadata(json!({
                "client_id": client_id,
                "client_name": "App",
                "redirect_uris": ["https://app.example/cb"],
                "token_endpoint_auth_method": method,
            }))
            .document(&id(), Timestamp::from_unix_seconds(7))
        };
        let client = document("https://app.example/client.json", "none").expect("its own");
        assert_eq!((client.id, &*client.name), (ClientId::Document(id()), "App"));
        for other in ["https://app.example/client.json?", "https://app.example/other.json", ""] {
            let error = document(other, "none").expect_err("another's");
            assert!(error.description.starts_with("client_id"), "{error}");
        }
        let error = document("https://app.example/client.json", "private_key_jwt").expect_err("a key");
        assert!(error.description.starts_with("token_endpoint_auth_method"), "{error}");
    }
}
