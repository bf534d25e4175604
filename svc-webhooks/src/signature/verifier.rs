//! What a receiver verifies with.

use std::time::Duration;

use svc_core::clock::Timestamp;

use super::header::Signature;
use super::verified::Body;
use super::{SecretError, SigningSecret, TOLERANCE, Verified, VerifyError};
use crate::names::{HeaderName, Mark, Names};

/// Verifies what arrives for one subscription.
///
/// It takes several secrets: rotation ends the old one at once, while attempts
/// that carry it may still be in flight. The page of the crate opens with an example.
#[derive(Clone, Debug)]
pub struct Verifier {
    secrets: Vec<SigningSecret>,
    tolerance: Duration,
    names: Names,
}

impl Verifier {
    /// A verifier that accepts any of these secrets, each whole: `whsec_…`.
    ///
    /// # Errors
    /// [`SecretError`], so that a receiver without its secret does not start.
    pub fn new<S: Into<String>>(secrets: impl IntoIterator<Item = S>) -> Result<Self, SecretError> {
        Self::named(&Names::STANDARD, secrets)
    }

    /// A verifier of what a service sends that has names of its own: headers and secrets as these names say.
    ///
    /// # Errors
    /// [`SecretError`], so that a receiver without its secret does not start.
    pub fn named<S: Into<String>>(
        names: &Names,
        secrets: impl IntoIterator<Item = S>,
    ) -> Result<Self, SecretError> {
        let mark = names.secret;
        let secrets = secrets
            .into_iter()
            .zip(1..)
            .map(|(secret, place)| {
                let secret = SigningSecret::from_stored(secret.into());
                if is_whole(&secret, mark) { Ok(secret) } else { Err(SecretError::Malformed { place, mark }) }
            })
            .collect::<Result<Vec<_>, _>>()?;
        if secrets.is_empty() {
            return Err(SecretError::Missing);
        }
        Ok(Self { secrets, tolerance: TOLERANCE, names: *names })
    }

    /// The same verifier with another tolerance, in whole seconds, in place of 300.
    #[must_use]
    pub fn with_tolerance(self, tolerance: Duration) -> Self {
        Self { tolerance, ..self }
    }

    /// Checks a request: its headers, the exact bytes of its body, and the receiver's clock.
    ///
    /// Any pairs of names and values will do, `&http::HeaderMap` for one; names
    /// are compared without regard to case, and a repeated header is one value,
    /// joined by `, ` (RFC 9110, section 5.3). `body` must be the bytes as they
    /// came, not parsed and written again.
    ///
    /// # Errors
    /// [`VerifyError`]; a receiver answers 400 to each.
    pub fn verify<'a, N, V>(
        &self,
        headers: impl IntoIterator<Item = (N, V)>,
        body: &'a [u8],
        now: Timestamp,
    ) -> Result<Verified<'a>, VerifyError>
    where
        N: AsRef<[u8]>,
        V: AsRef<[u8]>,
    {
        let headers = Headers::collect(&self.names, headers);
        let signature = headers.signature.ok_or(VerifyError::MissingHeader(self.names.signature))?;
        let id = headers.id.ok_or(VerifyError::MissingHeader(self.names.id))?;

        let signature = Signature::parse(&signature)?;
        signature.check_age(now.unix_seconds(), self.tolerance)?;
        let secret = self.matching(&signature, body).ok_or(VerifyError::Mismatch)?;

        let Body { id: event, r#type, occurred_at, account_id, data } = Body::parse(body)?;
        if id != event.as_str().as_bytes() {
            return Err(VerifyError::IdMismatch);
        }
        Ok(Verified {
            event,
            type_name: r#type,
            occurred_at,
            account: account_id,
            object: data.object,
            object_id: data.id,
            delivery: headers.delivery.and_then(parse),
            attempted_at: headers.date.and_then(parse),
            signed_at: Timestamp::from_unix_seconds(signature.t),
            secret,
            body,
        })
    }

    /// The first secret that matches. All are tried, so that the time taken does not tell which.
    fn matching(&self, signature: &Signature<'_>, body: &[u8]) -> Option<usize> {
        self.secrets.iter().enumerate().fold(None, |found, (place, secret)| {
            let matches = signature.matches(secret.expose(), body);
            found.or(matches.then_some(place))
        })
    }
}

/// Whether nothing was cut off or added when the secret was copied.
fn is_whole(secret: &SigningSecret, mark: Mark) -> bool {
    let of_secret = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    secret
        .expose()
        .strip_prefix(mark.as_str())
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(of_secret))
}

fn parse<T: std::str::FromStr>(value: Vec<u8>) -> Option<T> {
    String::from_utf8(value).ok()?.parse().ok()
}

/// The headers that are looked at.
#[derive(Default)]
struct Headers {
    signature: Option<Vec<u8>>,
    id: Option<Vec<u8>>,
    delivery: Option<Vec<u8>>,
    date: Option<Vec<u8>>,
}

impl Headers {
    fn collect<N, V>(names: &Names, headers: impl IntoIterator<Item = (N, V)>) -> Self
    where
        N: AsRef<[u8]>,
        V: AsRef<[u8]>,
    {
        let mut found = Self::default();
        for (name, value) in headers {
            if let Some(place) = found.place(names, name.as_ref()) {
                match place {
                    Some(first) => first.extend([b", ", value.as_ref()].concat()),
                    None => *place = Some(value.as_ref().to_vec()),
                }
            }
        }
        found
    }

    fn place(&mut self, names: &Names, name: &[u8]) -> Option<&mut Option<Vec<u8>>> {
        let is = |known: &HeaderName| name.eq_ignore_ascii_case(known.as_ref());
        if is(&names.signature) {
            Some(&mut self.signature)
        } else if is(&names.id) {
            Some(&mut self.id)
        } else if is(&names.delivery) {
            Some(&mut self.delivery)
        } else if is(&names.date) {
            Some(&mut self.date)
        } else {
            None
        }
    }
}
