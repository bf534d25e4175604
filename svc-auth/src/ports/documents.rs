//! Documents that clients have about themselves.

use std::time::Duration;

use async_trait::async_trait;
use thiserror::Error;

use crate::token::DocumentUrl;

/// A document as its server has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The whole text.
    pub body: Vec<u8>,
    /// How long its server lets others keep it (RFC 9111, section 5.2.2.1), where it says so.
    pub max_age: Option<Duration>,
}

/// Why a document was not read, for the person who was sent by its client.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct Unreadable(pub String);

/// Reads client metadata documents (draft-ietf-oauth-client-id-metadata-document, section 4).
///
/// # Implementing this port
/// The address is what a stranger wrote. Connect to public addresses alone, follow no redirect, take an answer of the
/// status 200 with at most 16 KiB, and give up after five seconds. `svc_egress::HyperSender::fetch` does all this.
#[async_trait]
pub trait ClientDocuments: Send + Sync {
    /// The document at this address.
    async fn read(&self, url: &DocumentUrl) -> Result<Document, Unreadable>;
}
