//! The value of a session: 256 random bits that a cookie carries.

use std::fmt;

use svc_core::random::{self, RandomSource};
use zeroize::Zeroizing;

use crate::token::Secret;

/// Base-62 digits of 256 bits.
const LENGTH: usize = 43;

/// A session's secret in clear text: in the cookie, never stored.
///
/// It neither serialises nor prints.
///
/// ```
/// # use svc_auth::session::SessionValue;
/// fn hidden<T: std::fmt::Debug>() {}
/// hidden::<SessionValue>();
/// ```
/// ```compile_fail,E0277
/// # use svc_auth::session::SessionValue;
/// fn serialised<T: serde::Serialize>() {}
/// serialised::<SessionValue>();
/// ```
/// ```compile_fail,E0277
/// # use svc_auth::session::SessionValue;
/// fn printed<T: std::fmt::Display>() {}
/// printed::<SessionValue>();
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct SessionValue(Zeroizing<String>);

impl SessionValue {
    /// A new value.
    pub fn generate(random: &dyn RandomSource) -> Self {
        let bits = Zeroizing::new(random::bytes::<32>(random));
        Self(Zeroizing::new(random::base62(bits.as_slice())))
    }

    /// Reads a presented value; `None` for anything that cannot be one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let sound = text.len() == LENGTH && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        sound.then(|| Self(Zeroizing::new(text.to_owned())))
    }

    /// The whole value.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl Secret for SessionValue {
    fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SessionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionValue(***)")
    }
}
