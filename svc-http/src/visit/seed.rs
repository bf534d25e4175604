//! What ties a form to a browser before there is a session.
//!
//! A page with such a form leaves a random value in a cookie and its CSRF token in the form. Another site can have the
//! form sent, but knows no token that belongs to a cookie of the visitor's browser.

use svc_auth::session::{CsrfToken, SessionValue};
use svc_core::random::RandomSource;

use crate::gate::cookie;

/// The random value of a browser that is not signed in.
#[derive(Clone, Debug)]
pub struct Seed(SessionValue);

impl Seed {
    /// A new one.
    #[must_use]
    pub fn generate(random: &dyn RandomSource) -> Self {
        Self(SessionValue::generate(random))
    }

    pub(super) fn parse(cookie: &[u8]) -> Option<Self> {
        SessionValue::parse(std::str::from_utf8(cookie).ok()?).map(Self)
    }

    /// What the forms of this browser carry.
    #[must_use]
    pub fn csrf(&self) -> CsrfToken {
        self.0.csrf()
    }

    /// The line `Set-Cookie` that leaves it in the browser.
    pub(super) fn cookie(&self, prefix: &str, secure: bool) -> String {
        cookie::SEED.set(prefix, secure, &self.0)
    }
}
