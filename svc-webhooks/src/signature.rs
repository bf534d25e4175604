//! Signing a notification, and verifying one (specification, parts 6.2 and 6.3).
//!
//! Both ends are here. The sender computes HMAC-SHA-256 with the whole secret
//! (`whsec_…`) as key over `<t>.<body>` and sends it with [`sign`] as
//! `X-SVC-Webhook-Signature: t=<unix>,sha256=<hex>`. A receiver gives what
//! arrived to a [`Verifier`], through any framework, and gets a
//! [`Verified`] notification or the reason why not.
//!
//! What is checked, in this order, so that the first failure tells most:
//!
//! 1. `X-SVC-Webhook-Signature` and `X-SVC-Webhook-Id` are there
//!    ([`VerifyError::MissingHeader`]).
//! 2. The signature has its one form ([`VerifyError::MalformedHeader`]).
//! 3. `t` is within the tolerance of the receiver's clock
//!    ([`VerifyError::TooOld`], [`VerifyError::InTheFuture`]).
//! 4. One of the receiver's secrets made it over exactly these bytes
//!    ([`VerifyError::Mismatch`]). Every secret is tried, and every byte is
//!    compared, also after one that differs.
//! 5. The body is a notification ([`VerifyError::MalformedBody`]) whose `id` is
//!    `X-SVC-Webhook-Id` ([`VerifyError::IdMismatch`]).
//!
//! Ids are text of any form, so a notification of every sender that signs like this is read: the event's
//! id is an [`EventKey`], and one of this service's own parses as the typed id.
//!
//! Only the body is signed. So what a receiver acts on is read from the body:
//! the headers that repeat its type and its account are not looked at, and
//! what stands in a header alone (the delivery, the date of the attempt) is
//! for logs. A repeat carries a valid signature by nature: [`crate::seen`]
//! keeps it from being worked on twice.
//!
//! The names of headers and the mark of secrets are those of [`crate::names`]; here they are called
//! by the standard ones.
//!
//! `docs/vectors/webhook-signatures.json` holds cases with their verdicts for
//! implementations in any language; `docs/verify.md` shows some.

mod error;
mod event_key;
mod header;
mod secret;
mod verified;
mod verifier;

use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use svc_core::hex::Hex;

pub use self::error::{SecretError, VerifyError};
pub use self::event_key::{EventKey, MalformedKey};
pub use self::secret::SigningSecret;
pub use self::verified::Verified;
pub use self::verifier::Verifier;

use self::header::Signature;
use crate::names::Names;

/// How far `t` may differ from the receiver's clock unless the receiver says otherwise.
pub const TOLERANCE: Duration = Duration::from_mins(5);

/// The header that holds the signature, unless the service has [`Names`] of its own.
pub const SIGNATURE_HEADER: &str = Names::STANDARD.signature.as_str();

/// The header that repeats the id of the event, unless the service has [`Names`] of its own.
pub const ID_HEADER: &str = Names::STANDARD.id.as_str();

/// The value of `X-SVC-Webhook-Signature` for a body sent at Unix second `t`: `t=<unix>,sha256=<hex>`.
#[must_use]
pub fn sign(secret: &str, t: i64, body: &[u8]) -> String {
    let mac = mac(secret, t.to_string().as_bytes(), body).finalize().into_bytes();
    format!("t={t},sha256={}", Hex(&mac))
}

/// Checks a signature header alone, with one secret and the standard tolerance.
///
/// For programs that look at deliveries without trusting them; a receiver wants
/// a [`Verifier`], which checks the id too. `body` must be the bytes as they
/// came; `now_unix` is the receiver's clock in Unix seconds.
///
/// # Errors
/// The [`VerifyError`]s of a signature: malformed, too old, in the future, no match.
pub fn verify(secret: &str, header: &str, body: &[u8], now_unix: i64) -> Result<(), VerifyError> {
    let signature = Signature::parse(header.as_bytes())?;
    signature.check_age(now_unix, TOLERANCE)?;
    if signature.matches(secret, body) { Ok(()) } else { Err(VerifyError::Mismatch) }
}

/// The HMAC of `<t>.<body>`, with the digits of `t` as they are in the header.
fn mac(secret: &str, t: &[u8], body: &[u8]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("HMAC takes a key of any length");
    mac.update(t);
    mac.update(b".");
    mac.update(body);
    mac
}
