//! Mail by a mail server.

use std::net::IpAddr;
use std::time::Duration;

use async_trait::async_trait;
use lettre::transport::smtp;
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Tokio1Executor};
use svc_business::mail::{Mail, MailError, Mailer};
use thiserror::Error;
use tokio::time::timeout;
use url::Url;

use crate::message::{Sender, message};

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(30);
/// How long a whole conversation may take: the library bounds the connection alone.
const LONGEST: Duration = Duration::from_mins(2);
/// What a server says of whom it talks to, not of the mail (RFC 4954, section 6).
const OF_THE_LOGIN: [u16; 4] = [530, 534, 535, 538];

/// Hands mail to a mail server (RFC 5321), with a connection for each.
#[derive(Debug)]
pub struct SmtpMailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    sender: Sender,
}

/// Why a URL names no mail server.
#[derive(Debug, Error)]
pub enum InvalidSmtpUrl {
    /// It is no URL of the kind.
    #[error("expected smtps://USER:PASSWORD@HOST:465 or smtp://USER:PASSWORD@HOST:587?tls=required")]
    Form,
    /// Mail and password would travel in the clear.
    #[error("add ?tls=required: without it, mail and password would travel in the clear")]
    InTheClear,
}

impl SmtpMailer {
    /// A mailer for the server of this URL: `smtps://…` talks TLS from the first byte, `smtp://…?tls=required` begins it by
    /// `STARTTLS`. Only a server on this machine may be talked to in the clear.
    ///
    /// # Errors
    /// [`InvalidSmtpUrl`]; no connection is made here.
    pub fn new(url: &str, sender: Sender) -> Result<Self, InvalidSmtpUrl> {
        let parsed = Url::parse(url).map_err(|_| InvalidSmtpUrl::Form)?;
        // The host of a scheme that is not the web's is text.
        let host = parsed.host_str().filter(|host| !host.is_empty()).ok_or(InvalidSmtpUrl::Form)?;
        let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
        let is_local = address.map_or(host == "localhost", |address| address.is_loopback());
        let required = parsed.query_pairs().any(|(name, value)| name == "tls" && value == "required");
        match parsed.scheme() {
            "smtps" => {}
            "smtp" if required || is_local => {}
            "smtp" => return Err(InvalidSmtpUrl::InTheClear),
            _ => return Err(InvalidSmtpUrl::Form),
        }
        let builder =
            AsyncSmtpTransport::<Tokio1Executor>::from_url(url).map_err(|_| InvalidSmtpUrl::Form)?;
        Ok(Self { transport: builder.timeout(Some(CONNECT)).build(), sender })
    }
}

#[async_trait]
impl Mailer for SmtpMailer {
    async fn send(&self, mail: &Mail) -> Result<(), MailError> {
        let message = message(mail, &self.sender)?;
        match timeout(LONGEST, self.transport.send(message)).await {
            Ok(sent) => sent.map(drop).map_err(|error| refused(&error)),
            Err(_) => Err(MailError::ForNow("the mail server did not answer within two minutes".to_owned())),
        }
    }
}

/// A server that says 5xx has judged the mail, unless it speaks of the login; anything else may pass.
fn refused(error: &smtp::Error) -> MailError {
    let text = svc_core::error::chain(error);
    let is_of_login = error.status().is_some_and(|status| OF_THE_LOGIN.contains(&status.into()));
    if error.is_permanent() && !is_of_login { MailError::ForGood(text) } else { MailError::ForNow(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_never_travels_in_the_clear() {
        let of = |url| SmtpMailer::new(url, "billing@example.com".parse().expect("an address"));
        for good in [
            "smtps://user:secret@mail.example.com:465",
            "smtp://user:secret@mail.example.com:587?tls=required",
            "smtp://localhost:2525",
            "smtp://127.0.0.1:2525",
            "smtp://[::1]:2525",
        ] {
            assert!(of(good).is_ok(), "{good}");
        }
        for open in ["smtp://user:secret@mail.example.com:587", "smtp://mail.example.com?tls=opportunistic"] {
            assert!(matches!(of(open), Err(InvalidSmtpUrl::InTheClear)), "{open}");
        }
        for wrong in ["mail.example.com", "https://mail.example.com", "smtp:", ""] {
            assert!(matches!(of(wrong), Err(InvalidSmtpUrl::Form)), "{wrong}");
        }
    }
}
