//! Who asks: a client that registered itself, or one that has a document about itself.

mod metadata;

use svc_core::clock::Timestamp;

pub use self::metadata::{ClientMetadata, MetadataError, MetadataErrorCode, Registration};
use crate::oauth::RedirectUri;
use crate::token::ClientId;

/// An application that asks to act for people. It is public: it keeps no secret, and proves with each code that it is
/// who asked for it (RFC 7636).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// Its id.
    pub id: ClientId,
    /// What it calls itself: 1 to 100 characters of one line. It proves nothing.
    pub name: String,
    /// Where people may be sent back to, at least one.
    pub redirects: Vec<RedirectUri>,
    /// When it registered, or its document was read.
    pub known_since: Timestamp,
}

impl Client {
    /// Whether people may be sent back to this address.
    #[must_use]
    pub fn admits(&self, redirect: &RedirectUri) -> bool {
        self.redirects.iter().any(|known| known.admits(redirect))
    }
}
