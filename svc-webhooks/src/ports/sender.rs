//! HTTP to receivers.

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use thiserror::Error;

use super::Exchange;
use crate::endpoint::Endpoint;
use crate::names::HeaderName;
use crate::subscription::CustomHeaders;

/// One HTTP POST to a receiver.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// Where to.
    pub endpoint: Endpoint,
    /// Header names and values, in the order in which they are sent.
    pub headers: Vec<(HeaderName, String)>,
    /// Headers of the receiver's own choice, sent after the others; their values are secrets.
    pub custom: CustomHeaders,
    /// The body, sent as it is.
    pub body: Bytes,
    /// For everything from name resolution to the last byte of the answer.
    pub timeout: Duration,
}

/// Why no whole answer came.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SendError {
    /// The name did not resolve.
    #[error("the host name does not resolve")]
    Dns,
    /// The target is not allowed; see [`Refusal`].
    #[error("{0}")]
    Refused(#[from] Refusal),
    /// No connection.
    #[error("connection failed: {0}")]
    Connect(String),
    /// No TLS session: a bad certificate, for example.
    #[error("TLS failed: {0}")]
    Tls(String),
    /// The time for the attempt ran out.
    #[error("no complete answer in time")]
    Timeout,
    /// The connection broke or spoke no HTTP.
    #[error("the exchange broke off: {0}")]
    Protocol(String),
}

/// Why a target must not be reached.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Refusal {
    /// Plain http to a target that is not exempt.
    #[error("the URL must start with https://")]
    NotHttps,
    /// A name for inside use: `localhost`, `*.local`, `*.internal` and the like.
    #[error("the host name `{0}` is for internal use")]
    InternalName(String),
    /// The name does not resolve.
    #[error("the host name `{0}` does not resolve")]
    Unresolvable(String),
    /// An address that is not public. The text does not tell which: the name may be public and the address one of
    /// a network that its owner shows to no client.
    #[error("the host leads to an address that is not public")]
    NotPublic {
        /// The address in question.
        address: std::net::IpAddr,
        /// What kind of address it is: `loopback`, `private`, `link-local`, …
        reason: &'static str,
    },
    /// A port that webhooks do not go to.
    #[error("port {0} is not allowed")]
    Port(u16),
}

/// Sends notifications to receivers.
///
/// # Implementing this port
/// Never follow redirects, never use an ambient proxy, decide about addresses
/// after resolution and connect to the address that was checked, keep to one
/// deadline for the whole exchange, read at most 16 KiB of the answer's body,
/// and take the timings from a clock that is never set (a monotonic one). The
/// receivers of `svc_testkit::hostile` show how an exchange with each may end.
#[async_trait]
pub trait HttpSender: Send + Sync {
    /// Whether the target may be reached as things stand: used at registration.
    async fn check(&self, endpoint: &Endpoint) -> Result<(), Refusal>;

    /// Sends one request and reads its answer; tells all that is known of it, whether or not an answer came.
    async fn send(&self, request: Outgoing) -> Exchange;
}
