//! Mail, and the port that sends it.

use async_trait::async_trait;
use thiserror::Error;

use crate::party::Email;

/// A mail that is ready to be sent. The address that it comes from is the sender's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// Tells it from all others: sent again, it is the same, so that mail servers and readers can tell.
    pub id: String,
    /// In whose name it is sent.
    pub from_name: String,
    /// Where answers go.
    pub reply_to: Option<Email>,
    /// Recipients: one at least.
    pub to: Vec<Email>,
    /// Recipients of copies.
    pub cc: Vec<Email>,
    /// One line.
    pub subject: String,
    /// Plain text.
    pub text: String,
    /// Files.
    pub attachments: Vec<Attachment>,
}

/// A file of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Its name.
    pub name: String,
    /// Its media type: `application/pdf`.
    pub media_type: &'static str,
    /// Its content.
    pub content: Vec<u8>,
}

/// Why a mail was not accepted.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum MailError {
    /// It may be accepted later: the server cannot be reached, or says so.
    #[error("{0}")]
    ForNow(String),
    /// It will never be accepted as it is.
    #[error("{0}")]
    ForGood(String),
}

/// Sends mail.
///
/// # Implementing this port
/// `Ok` means that a mail server has taken it, or whatever stands for one. A mail may be handed over again with the same
/// [`Mail::id`] when the service died before it wrote down that the mail was accepted.
#[async_trait]
pub trait Mailer: Send + Sync {
    /// Hands a mail over.
    async fn send(&self, mail: &Mail) -> Result<(), MailError>;
}
