//! Why a notification is not to be trusted, in words that tell what to do.

use std::time::Duration;

use thiserror::Error;

use crate::names::{HeaderName, Mark};

/// Why a notification is not to be trusted. A receiver answers 400 to each.
///
/// The texts hold no part of what arrived: they may be logged.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum VerifyError {
    /// A header that every notification has is absent.
    #[error("{0} is missing: is this a webhook, and do all proxies pass its headers on?")]
    MissingHeader(HeaderName),
    /// The header with the signature is not `t=<unix>,sha256=<hex>`; the text says which part is wrong.
    #[error("the signature is not t=<unix>,sha256=<hex>: {0}")]
    MalformedHeader(&'static str),
    /// `t` lies further back than the tolerance.
    #[error(
        "signed {} s ago, and {} s are allowed: is it a replay, or is this machine's clock ahead?",
        age.as_secs(), tolerance.as_secs()
    )]
    TooOld {
        /// How long ago `t` was.
        age: Duration,
        /// How long ago it may have been.
        tolerance: Duration,
    },
    /// `t` lies further ahead than the tolerance.
    #[error(
        "signed {} s in the future, and {} s are allowed: is this machine's clock behind?",
        ahead.as_secs(), tolerance.as_secs()
    )]
    InTheFuture {
        /// How far ahead `t` is.
        ahead: Duration,
        /// How far ahead it may be.
        tolerance: Duration,
    },
    /// Another secret, or other bytes.
    #[error(
        "no secret matches: is it this subscription's secret, and are these the exact bytes that arrived?"
    )]
    Mismatch,
    /// The signature is right, but the body is not a notification of contract `v1`.
    #[error("the body is signed but is no notification (line {line}, column {column}): is the contract v1?")]
    MalformedBody {
        /// Line of the first fault, from 1.
        line: usize,
        /// Column of the first fault.
        column: usize,
    },
    /// The signature is right, but the header with the id has another one than the body.
    #[error("the id in the header is not the one in the body: the header was changed on the way")]
    IdMismatch,
}

impl VerifyError {
    /// A name that does not change, for logs and metrics: `no_secret_matched`.
    ///
    /// The shared test vectors use the same names.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::MissingHeader(_) => "missing_header",
            Self::MalformedHeader(_) => "malformed_header",
            Self::TooOld { .. } => "too_old",
            Self::InTheFuture { .. } => "in_the_future",
            Self::Mismatch => "no_secret_matched",
            Self::MalformedBody { .. } => "malformed_body",
            Self::IdMismatch => "id_mismatch",
        }
    }
}

/// Why no receiver can verify with these secrets.
///
/// Every sender can sign with an empty secret, so a variable that was never set must
/// stop the receiver, not the checking.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SecretError {
    /// None was given.
    #[error("no signing secret: give the text that was shown when the subscription was created")]
    Missing,
    /// One is not the mark and letters, digits, `-` or `_`.
    #[error(
        "secret number {place} is not {mark} followed by letters and digits: give it whole, without quotes or spaces"
    )]
    Malformed {
        /// Which one, from 1.
        place: usize,
        /// What it should begin with.
        mark: Mark,
    },
}
