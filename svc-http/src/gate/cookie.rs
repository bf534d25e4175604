//! The cookie that carries a session's value.
//!
//! Over https it is `__Host-sid`: browsers then insist on `Secure`, on `Path=/`
//! and on no `Domain`, so neither a plain page nor a neighbouring host can set
//! it (RFC 6265bis, section 4.1.3.2). An API that is mounted below a prefix shares
//! its host with another program: there it is `__Secure-sid`, for that path
//! alone. On plain HTTP of this machine itself, where browsers would refuse
//! those names, it is `sid`.

use http::HeaderValue;
use http::header::COOKIE;
use svc_auth::session::SessionValue;

use super::Arrival;

/// The cookie for a new session.
pub(crate) fn set(prefix: &str, secure: bool, value: &SessionValue) -> String {
    // It ends with the browser, and in any case with the session, whose end the service knows.
    format!("{}={}; {}", name(prefix, secure), value.expose(), attributes(prefix, secure))
}

/// The cookie that removes the one of a session that ended.
pub(crate) fn clear(prefix: &str, secure: bool) -> String {
    format!("{}=; Max-Age=0; {}", name(prefix, secure), attributes(prefix, secure))
}

/// The session cookie of the request; several that differ are none. Bytes in other cookies,
/// which may be anything, do no harm.
pub(super) fn read(arrival: &Arrival) -> Option<&[u8]> {
    let name = name(arrival.app.settings.prefix(), arrival.secure).as_bytes();
    let lines = arrival.parts.headers.get_all(COOKIE).iter().map(HeaderValue::as_bytes);
    let pairs = lines.flat_map(|line| line.split(|byte| *byte == b';')).map(<[u8]>::trim_ascii);
    let mut values = pairs.filter_map(|pair| pair.strip_prefix(name)?.strip_prefix(b"="));
    let first = values.next()?;
    values.all(|other| other == first).then_some(first)
}

/// The name of the cookie of an API that is mounted below `prefix`.
pub(crate) fn name(prefix: &str, secure: bool) -> &'static str {
    match (secure, prefix) {
        (true, "") => "__Host-sid",
        (true, _) => "__Secure-sid",
        (false, _) => "sid",
    }
}

fn attributes(prefix: &str, secure: bool) -> String {
    let path = if prefix.is_empty() { "/" } else { prefix };
    let secure = if secure { "; Secure" } else { "" };
    format!("Path={path}{secure}; HttpOnly; SameSite=Lax")
}
