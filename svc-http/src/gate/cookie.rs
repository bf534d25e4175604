//! The cookie that carries a session's value.
//!
//! Over https it is `__Host-sid`: browsers then insist on `Secure`, on `Path=/`
//! and on no `Domain`, so neither a plain page nor a neighbouring host can set
//! it (RFC 6265bis, section 4.1.3.2); below a prefix too, as a path that other
//! programs of the host cannot reach would cost that. On plain HTTP of this
//! machine itself, where browsers would refuse that name, it is `sid`, for the
//! path of the prefix.

use http::HeaderValue;
use http::header::COOKIE;
use svc_auth::session::SessionValue;

use super::Arrival;

/// The cookie for a new session.
pub(crate) fn set(prefix: &str, secure: bool, value: &SessionValue) -> String {
    // It ends with the browser, and in any case with the session, whose end the service knows.
    format!("{}={}; {}", name(secure), value.expose(), attributes(prefix, secure))
}

/// The cookie that removes the one of a session that ended.
pub(crate) fn clear(prefix: &str, secure: bool) -> String {
    format!("{}=; Max-Age=0; {}", name(secure), attributes(prefix, secure))
}

/// The session cookie of the request; several that differ are none. Bytes in other cookies,
/// which may be anything, do no harm.
pub(super) fn read(arrival: &Arrival) -> Option<&[u8]> {
    let name = name(arrival.secure).as_bytes();
    let lines = arrival.parts.headers.get_all(COOKIE).iter().map(HeaderValue::as_bytes);
    let pairs = lines.flat_map(|line| line.split(|byte| *byte == b';')).map(<[u8]>::trim_ascii);
    let mut values = pairs.filter_map(|pair| pair.strip_prefix(name)?.strip_prefix(b"="));
    let first = values.next()?;
    values.all(|other| other == first).then_some(first)
}

fn name(secure: bool) -> &'static str {
    if secure { "__Host-sid" } else { "sid" }
}

fn attributes(prefix: &str, secure: bool) -> String {
    match (secure, prefix) {
        (true, _) => "Path=/; Secure; HttpOnly; SameSite=Lax".to_owned(),
        (false, "") => "Path=/; HttpOnly; SameSite=Lax".to_owned(),
        (false, prefix) => format!("Path={prefix}; HttpOnly; SameSite=Lax"),
    }
}
