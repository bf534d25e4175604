//! What is known of a request before its caller is.

use svc_core::clock::Timestamp;
use svc_core::id::RequestId;

/// What every request has from the start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    /// Names the request in answers and logs.
    pub(crate) request: RequestId,
    /// The instant at which the caller was let in.
    pub(crate) now: Timestamp,
}
