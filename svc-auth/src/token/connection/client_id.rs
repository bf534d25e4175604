//! The id of a client.

use std::fmt;
use std::str::FromStr;

use svc_core::id::RegisteredClientId;
use thiserror::Error;
use url::Url;

/// What a client is known by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ClientId {
    /// It registered itself (RFC 7591).
    Registered(RegisteredClientId),
    /// It has a document about itself, whose address is its id (draft-ietf-oauth-client-id-metadata-document).
    Document(DocumentUrl),
}

/// The address of a client's document: `https`, with a path, and neither user name, fragment nor `..` in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DocumentUrl(Url);

/// The text is the id of no client.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error(
    "expected the client_id of a registration, or the https URL of a client metadata document: with a path, at most \
     {} characters, without user name, fragment, `.` and `..`",
    DocumentUrl::MOST
)]
pub struct MalformedClientId;

impl DocumentUrl {
    /// Characters of the longest one.
    pub const MOST: usize = 500;

    /// Where the document is.
    #[must_use]
    pub const fn url(&self) -> &Url {
        &self.0
    }

    /// The host that answers for the client, with its port.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.0[url::Position::BeforeHost..url::Position::AfterPort]
    }
}

impl FromStr for DocumentUrl {
    type Err = MalformedClientId;

    fn from_str(text: &str) -> Result<Self, MalformedClientId> {
        let url = Url::parse(text).ok().filter(|_| text.len() <= Self::MOST).ok_or(MalformedClientId)?;
        // The id is compared letter by letter: what the reader of URLs would write otherwise is none. Dots go that way.
        let sound = url.scheme() == "https"
            && url.path() != "/"
            && url.username().is_empty()
            && url.password().is_none()
            && url.fragment().is_none()
            && url.as_str() == text;
        if sound { Ok(Self(url)) } else { Err(MalformedClientId) }
    }
}

impl FromStr for ClientId {
    type Err = MalformedClientId;

    fn from_str(text: &str) -> Result<Self, MalformedClientId> {
        match text.parse() {
            Ok(id) => Ok(Self::Registered(id)),
            Err(_) => text.parse().map(Self::Document),
        }
    }
}

impl fmt::Display for ClientId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Registered(id) => id.fmt(f),
            Self::Document(url) => f.write_str(url.0.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use svc_core::id::TypedId as _;

    use super::*;

    #[test]
    fn a_client_is_known_by_the_id_of_its_registration_or_by_its_document() {
        let registered = RegisteredClientId::from_uuid(uuid::Uuid::from_u128(7)).to_string();
        for id in [&*registered, "https://app.example/client.json", "https://app.example:8443/a/b?c=d"] {
            assert_eq!(id.parse::<ClientId>().map(|id| id.to_string()), Ok(id.to_owned()));
        }
        let ported: DocumentUrl = "https://app.example:8443/a".parse().expect("a document");
        assert_eq!((ported.host(), ported.url().path()), ("app.example:8443", "/a"));
        let long = format!("https://app.example/{}", "a".repeat(DocumentUrl::MOST));
        for text in [
            "",
            "my-app",
            "http://app.example/client.json",
            "https://app.example",
            "https://app.example/",
            "https://app.example/a/../client.json",
            "https://app.example/./client.json",
            "https://app.example/%2e%2e/client.json",
            "https://app.example:443/client.json",
            "https://APP.example/client.json",
            "https://me@app.example/client.json",
            "https://me:x@app.example/client.json",
            "https://app.example/client.json#x",
            "https://app.example/client.json ",
            "https://exämple.com/client.json",
            "file:///etc/passwd",
            &long,
        ] {
            assert_eq!(text.parse::<ClientId>(), Err(MalformedClientId), "{text}");
        }
    }
}
