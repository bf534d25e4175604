//! What went wrong, in the words of the port.

use std::error::Error as StdError;
use std::io;

use svc_webhooks::ports::SendError;

use crate::connector::ConnectError;
use crate::timely::Stalled;

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
        // TLS 1.3 reports some failures, a missing client certificate among
        // them, only with the first bytes that are read.
        if let Some(error) = cause.downcast_ref::<io::Error>()
            && let Some(tls) = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>())
        {
            return SendError::Tls(tls.to_string());
        }
        if let Some(error) = cause.downcast_ref::<io::Error>()
            && error.get_ref().and_then(|inner| inner.downcast_ref::<Stalled>()).is_some()
        {
            return SendError::Timeout;
        }
        innermost = cause;
        next = cause.source();
    }
    SendError::Protocol(innermost.to_string())
}
