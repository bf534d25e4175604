//! The cookie that carries a session's value.
//!
//! Over https it is `__Host-sid`: browsers then insist on `Secure`, on `Path=/`
//! and on no `Domain`, so neither a plain page nor a neighbouring host can set
//! it (RFC 6265bis, section 4.1.3.2); below a prefix too, as a path that other
//! programs of the host cannot reach would cost that. On plain HTTP of this
//! machine itself, where browsers would refuse that name, it is `sid`, for the
//! path of the prefix.

use std::time::Duration;

use http::header::COOKIE;
use http::{HeaderMap, HeaderValue};
use svc_auth::session::SessionValue;

use super::Arrival;

/// A cookie whose value scripts cannot read: its name on plain HTTP, and over https.
pub(crate) struct Cookie([&'static str; 2]);

/// That of a session.
pub(crate) const SESSION: Cookie = Cookie(["sid", "__Host-sid"]);
/// That of a browser that is not signed in: see [`crate::visit::Seed`].
pub(crate) const SEED: Cookie = Cookie(["visit", "__Host-visit"]);

/// That of a guest of a data room who proved a code: see [`crate::visit::GuestLed`]. It goes along with the pages of one link
/// alone, so it is none that belongs to the whole host.
pub(crate) const ROOM: Cookie = Cookie(["room", "__Secure-room"]);
/// That of a signer who proved a code: see [`crate::visit::Led`].
pub(crate) const SIGN: Cookie = Cookie(["sign", "__Secure-sign"]);

impl Cookie {
    /// With this value, for this path and what is below it, and for so long; nothing of it stays after no time.
    pub(crate) fn set_below(&self, path: &str, secure: bool, value: &str, lasts: Duration) -> String {
        let (name, seconds) = (self.name(secure), lasts.as_secs());
        let secure = if secure { "Secure; " } else { "" };
        format!("{name}={value}; Max-Age={seconds}; Path={path}; {secure}HttpOnly; SameSite=Lax")
    }

    /// With a new value.
    pub(crate) fn set(&self, prefix: &str, secure: bool, value: &SessionValue) -> String {
        // It ends with the browser, and in any case with the session, whose end the service knows.
        format!("{}={}; {}", self.name(secure), value.expose(), attributes(prefix, secure))
    }

    /// Removes the one of a session that ended.
    pub(crate) fn clear(&self, prefix: &str, secure: bool) -> String {
        format!("{}=; Max-Age=0; {}", self.name(secure), attributes(prefix, secure))
    }

    /// Its value in the request; several that differ are none. Bytes in other cookies, which may be anything, do no
    /// harm.
    pub(crate) fn read<'a>(&self, arrival: &'a Arrival) -> Option<&'a [u8]> {
        self.read_from(&arrival.parts.headers, arrival.secure)
    }

    /// The same from the headers of a request.
    pub(crate) fn read_from<'a>(&self, headers: &'a HeaderMap, secure: bool) -> Option<&'a [u8]> {
        let name = self.name(secure).as_bytes();
        let lines = headers.get_all(COOKIE).iter().map(HeaderValue::as_bytes);
        let pairs = lines.flat_map(|line| line.split(|byte| *byte == b';')).map(<[u8]>::trim_ascii);
        let mut values = pairs.filter_map(|pair| pair.strip_prefix(name)?.strip_prefix(b"="));
        let first = values.next()?;
        values.all(|other| other == first).then_some(first)
    }

    fn name(&self, secure: bool) -> &'static str {
        let Self([plain, host]) = self;
        if secure { host } else { plain }
    }
}

fn attributes(prefix: &str, secure: bool) -> String {
    match (secure, prefix) {
        (true, _) => "Path=/; Secure; HttpOnly; SameSite=Lax".to_owned(),
        (false, "") => "Path=/; HttpOnly; SameSite=Lax".to_owned(),
        (false, prefix) => format!("Path={prefix}; HttpOnly; SameSite=Lax"),
    }
}
