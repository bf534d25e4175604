//! Whether a request that changes something was meant by the person whose cookie it carries.
//!
//! Browsers send a cookie along with whatever another site makes them send. What
//! such a site cannot do is read the session's CSRF token, or hide itself.

use svc_auth::session::CsrfToken;

use super::{Arrival, origin};
use crate::problem::{Code, Problem};

const HEADER: &str = "x-csrf-token";

/// Refuses an unsafe request (RFC 9110, section 9.2.1) without the token, or from another site.
pub(super) fn check(arrival: &Arrival, token: &CsrfToken) -> Result<(), Problem> {
    if arrival.parts.method.is_safe() {
        return Ok(());
    }
    origin::check(arrival)?;
    let mut lines = arrival.parts.headers.get_all(HEADER).iter();
    let presented = lines.next().and_then(|line| line.to_str().ok());
    match (presented, lines.next()) {
        (Some(presented), None) if token.matches(presented) => Ok(()),
        _ => Err(Problem::new(
            Code::CsrfRejected,
            "send the `csrfToken` of GET /session in the header X-CSRF-Token",
        )),
    }
}
