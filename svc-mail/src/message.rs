//! Mail in the form of RFC 5322.

use lettre::Message;
use lettre::address::AddressError;
use lettre::message::header::ContentType;
use lettre::message::{Attachment, Mailbox, MultiPart, SinglePart};
use svc_business::mail::{Mail, MailError};
use svc_business::party::Email;
use thiserror::Error;

/// The address that all mail comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sender(lettre::Address);

/// Not an e-mail address.
#[derive(Debug, Error)]
#[error("expected an e-mail address, such as billing@example.com")]
pub struct InvalidSender(#[from] AddressError);

impl std::str::FromStr for Sender {
    type Err = InvalidSender;

    fn from_str(text: &str) -> Result<Self, InvalidSender> {
        Ok(Self(text.parse()?))
    }
}

/// The message of a mail, with a `Message-ID` made of its id.
pub(crate) fn message(mail: &Mail, sender: &Sender) -> Result<Message, MailError> {
    let failed = |error: &dyn std::fmt::Display| MailError::ForGood(error.to_string());
    let mailbox = |email: &Email| {
        let address = email.as_str().parse().map_err(|error: AddressError| failed(&error))?;
        Ok::<_, MailError>(Mailbox::new(None, address))
    };
    let name = Some(mail.from_name.clone()).filter(|name| !name.is_empty());
    let mut builder = Message::builder()
        .message_id(Some(format!("<{}@{}>", mail.id, sender.0.domain())))
        .from(Mailbox::new(name, sender.0.clone()))
        .subject(&mail.subject);
    if let Some(reply_to) = &mail.reply_to {
        builder = builder.reply_to(mailbox(reply_to)?);
    }
    for email in &mail.to {
        builder = builder.to(mailbox(email)?);
    }
    for email in &mail.cc {
        builder = builder.cc(mailbox(email)?);
    }
    let mut parts = MultiPart::mixed().singlepart(SinglePart::plain(mail.text.clone()));
    for file in &mail.attachments {
        let media = ContentType::parse(file.media_type).map_err(|error| failed(&error))?;
        parts = parts.singlepart(Attachment::new(file.name.clone()).body(file.content.clone(), media));
    }
    builder.multipart(parts).map_err(|error| failed(&error))
}
