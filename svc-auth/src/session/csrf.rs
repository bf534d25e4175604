//! What keeps other sites from using a person's session: a token that a page of
//! this service knows and sends in a header, and that no other site can read.
//!
//! It is made from the session's value, so nothing is stored for it, and it
//! ends with the session. It does not tell the value that it is made from.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;
use svc_core::random;
use zeroize::Zeroizing;

use crate::session::SessionValue;

/// What the value is hashed for.
const PURPOSE: &[u8] = b"svc/csrf/v1";

/// The token of one session: HMAC-SHA-256 under the session's value, in base 62.
///
/// It neither serialises nor prints.
///
/// ```
/// # use svc_auth::session::CsrfToken;
/// fn hidden<T: std::fmt::Debug>() {}
/// hidden::<CsrfToken>();
/// ```
/// ```compile_fail,E0277
/// # use svc_auth::session::CsrfToken;
/// fn serialised<T: serde::Serialize>() {}
/// serialised::<CsrfToken>();
/// ```
/// ```compile_fail,E0277
/// # use svc_auth::session::CsrfToken;
/// fn printed<T: std::fmt::Display>() {}
/// printed::<CsrfToken>();
/// ```
#[derive(Clone)]
pub struct CsrfToken(Zeroizing<String>);

impl SessionValue {
    /// The token that requests of this session must carry.
    #[must_use]
    pub fn csrf(&self) -> CsrfToken {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(self.expose().as_bytes()).expect("HMAC takes keys of any length");
        mac.update(PURPOSE);
        CsrfToken(Zeroizing::new(random::base62(&mac.finalize().into_bytes())))
    }
}

impl CsrfToken {
    /// Whether a request carries this token, in a time that tells nothing of it.
    #[must_use]
    pub fn matches(&self, presented: &str) -> bool {
        self.0.as_bytes().ct_eq(presented.as_bytes()).into()
    }

    /// The text, for the pages of the session.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for CsrfToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CsrfToken(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(last: char) -> SessionValue {
        SessionValue::parse(&format!("{}{last}", "0".repeat(42))).expect("valid")
    }

    #[test]
    fn a_token_is_hmac_sha_256_under_the_value() {
        // Computed with Python's hmac module.
        assert_eq!(value('7').csrf().expose(), "3LlSwTIYQxPMXJsdUtOT09ApeSVxtNNGojnCq3lg6cC");
    }

    #[test]
    fn only_the_token_of_the_same_session_matches() {
        let token = value('7').csrf();
        assert!(token.matches(value('7').csrf().expose()));
        assert!(!token.matches(value('8').csrf().expose()));
        assert!(!token.matches("") && !token.matches(&token.expose()[1..]));
        assert!(!token.matches(&format!("{}0", token.expose())));
        assert_eq!(format!("{token:?}"), "CsrfToken(***)");
    }
}
