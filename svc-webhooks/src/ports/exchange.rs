//! One request and all that is known of it afterwards.

use std::net::SocketAddr;
use std::time::Duration;

use super::{Answer, SendError};

/// A request that was sent, or should have been.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The whole answer, or what prevented it.
    pub result: Result<Answer, Failure>,
    /// How long it took, step by step.
    pub timings: Timings,
    /// The address that carried it; that of the last try when no connection came about, and none
    /// when none was tried.
    pub peer: Option<SocketAddr>,
}

/// Why there is no whole answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What went wrong.
    pub error: SendError,
    /// What had arrived by then: there is a status once the answer's head was there.
    pub answer: Option<Answer>,
}

/// The steps of an exchange.
///
/// Name resolution, connection and TLS have a time only when this exchange opened a connection and got
/// as far as that step; one that failed or was cut off counts up to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    /// Resolving the name; absent for an address in the URL as well.
    pub dns: Option<Duration>,
    /// Opening the connection, every address that was tried included.
    pub connect: Option<Duration>,
    /// Setting up TLS.
    pub tls: Option<Duration>,
    /// From the start of all until the answer's head was there; absent when it never was.
    pub first_byte: Option<Duration>,
    /// From the start of all to the end of all.
    pub total: Duration,
}

/// The kinds of failed attempts, as the delivery log names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErrorClass {
    /// `dns`: the name did not resolve.
    Dns,
    /// `refused`: the target must not be reached, so nothing was sent.
    Refused,
    /// `connect`: no connection.
    Connect,
    /// `tls`: no TLS session.
    Tls,
    /// `timeout`: no whole answer in time.
    Timeout,
    /// `status`: a whole answer, with a status other than 2xx and 3xx.
    Status,
    /// `redirect`: a whole answer that points elsewhere, which is never followed.
    Redirect,
    /// `body`: an answer that broke off or was no HTTP.
    Body,
}

impl Exchange {
    /// An exchange of which only the end is known.
    #[must_use]
    pub fn ended(result: Result<Answer, SendError>) -> Self {
        Self { result: result.map_err(Failure::from), timings: Timings::default(), peer: None }
    }

    /// The answer's status, when at least its head arrived.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.answer().map(|answer| answer.status)
    }

    /// What arrived of the answer.
    #[must_use]
    pub fn answer(&self) -> Option<&Answer> {
        match &self.result {
            Ok(answer) => Some(answer),
            Err(failure) => failure.answer.as_ref(),
        }
    }

    /// Why the attempt failed; `None` for a whole answer with a 2xx, which alone is a success
    /// (specification, part 3.3).
    #[must_use]
    pub fn error_class(&self) -> Option<ErrorClass> {
        match &self.result {
            Ok(Answer { status: 200..=299, .. }) => None,
            Ok(Answer { status: 300..=399, .. }) => Some(ErrorClass::Redirect),
            Ok(Answer { .. }) => Some(ErrorClass::Status),
            Err(Failure { error, .. }) => Some(match error {
                SendError::Dns => ErrorClass::Dns,
                SendError::Refused(_) => ErrorClass::Refused,
                SendError::Connect(_) => ErrorClass::Connect,
                SendError::Tls(_) => ErrorClass::Tls,
                SendError::Timeout => ErrorClass::Timeout,
                SendError::Protocol(_) => ErrorClass::Body,
            }),
        }
    }

    /// Why the attempt failed, in words that show nothing of the answer but its status.
    #[must_use]
    pub fn error(&self) -> Option<String> {
        match &self.result {
            Ok(Answer { status: 200..=299, .. }) => None,
            Ok(Answer { status: status @ 300..=399, .. }) => {
                Some(format!("redirect ({status}) is not followed"))
            }
            Ok(Answer { status, .. }) => Some(format!("answered {status}")),
            Err(Failure { error, .. }) => Some(error.to_string()),
        }
    }
}

impl From<SendError> for Failure {
    fn from(error: SendError) -> Self {
        Self { error, answer: None }
    }
}

svc_core::wire_names!(ErrorClass {
    Dns = "dns",
    Refused = "refused",
    Connect = "connect",
    Tls = "tls",
    Timeout = "timeout",
    Status = "status",
    Redirect = "redirect",
    Body = "body",
});
