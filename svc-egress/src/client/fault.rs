//! What went wrong, in the words of the port.

use std::error::Error as StdError;
use std::io;

use svc_webhooks::ports::SendError;

use crate::connector::ConnectError;
use crate::write_timeout::Stalled;

/// Finds what went wrong below hyper's wrapping.
pub(super) fn classify(error: &(dyn StdError + 'static)) -> SendError {
    let mut innermost = error;
    let mut next = Some(error);
    while let Some(cause) = next {
        if let Some(error) = cause.downcast_ref::<ConnectError>() {
            return match error {
                ConnectError::Dns => SendError::Dns,
                ConnectError::Refused(refusal) => SendError::Refused(refusal.clone()),
                ConnectError::Connect(error) => SendError::Connect(error.to_string()),
                ConnectError::Tls(error) => SendError::Tls(error.to_string()),
                ConnectError::Timeout => SendError::Timeout,
            };
        }
        // What the streams below hyper failed with: TLS 1.3 reports some failures, a missing client
        // certificate among them, only with the first bytes that are read.
        if let Some(inner) = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            if let Some(tls) = inner.downcast_ref::<rustls::Error>() {
                return SendError::Tls(tls.to_string());
            }
            if inner.is::<Stalled>() {
                return SendError::Timeout;
            }
        }
        innermost = cause;
        next = cause.source();
    }
    SendError::Protocol(innermost.to_string())
}
