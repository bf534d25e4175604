//! The browser of a request, by its own word.

use http::HeaderMap;
use http::header::USER_AGENT;
use svc_auth::session::Device;

/// What it calls itself.
pub(crate) fn of(headers: &HeaderMap) -> Option<Device> {
    Device::named(&String::from_utf8_lossy(headers.get(USER_AGENT)?.as_bytes()))
}
