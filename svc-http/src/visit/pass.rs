//! What a browser keeps of a person who proved a code behind a link.
//!
//! A link alone may have been forwarded, or read by another. The browser in which a code is proved gets a cookie, for the
//! pages of this link alone and for some time. It is made of what the link leads to, the link and the instant at which it ends,
//! under the key of links: nothing is kept of it.

use std::time::Duration;

use axum::response::Response;
use http::HeaderValue;
use http::header::SET_COOKIE;
use svc_business::link::key::{LinkHash, LinkToken};
use svc_core::clock::Timestamp;
use svc_core::id::TypedId;

use super::Visit;
use crate::gate::cookie::Cookie;

/// The pass of a link.
pub(super) struct Pass<'l, I> {
    pub(super) cookie: &'static Cookie,
    /// What the link leads to.
    pub(super) of: I,
    pub(super) link: &'l LinkHash,
    /// The path of its pages, below the root.
    pub(super) path: String,
    pub(super) lasts: Duration,
}

impl Visit {
    /// Whether this browser has the pass, and for no longer than it lasts.
    pub(super) fn keeps<I: TypedId>(&self, pass: &Pass<'_, I>) -> bool {
        let value = pass.cookie.read_from(self.headers(), self.is_secure()).unwrap_or_default();
        let value = std::str::from_utf8(value).unwrap_or_default();
        let Some((until, given)) = value.split_once('.') else { return false };
        let Ok(until) = until.parse().map(Timestamp::from_unix_micros) else { return false };
        let now = self.now();
        now < until && until <= now.plus(pass.lasts) && self.made(pass, until).is(given)
    }

    /// Gives this browser the pass: adds the line `Set-Cookie` to an answer.
    pub(super) fn give<I: TypedId>(&self, pass: &Pass<'_, I>, response: &mut Response) {
        let until = self.now().plus(pass.lasts);
        let value = format!("{}.{}", until.unix_micros(), self.made(pass, until).as_str());
        self.put(pass, response, &value, pass.lasts);
    }

    /// Takes it from this browser.
    pub(super) fn take<I: TypedId>(&self, pass: &Pass<'_, I>, response: &mut Response) {
        self.put(pass, response, "", Duration::ZERO);
    }

    fn made<I: TypedId>(&self, pass: &Pass<'_, I>, until: Timestamp) -> LinkToken {
        self.app().ceremony_key.pass(pass.of, pass.link, until)
    }

    fn put<I>(&self, pass: &Pass<'_, I>, response: &mut Response, value: &str, lasts: Duration) {
        let path = format!("{}{}", self.app().settings.prefix(), pass.path);
        let line = pass.cookie.set_below(&path, self.is_secure(), value, lasts);
        if let Ok(line) = HeaderValue::try_from(line) {
            response.headers_mut().append(SET_COOKIE, line);
        }
    }
}
