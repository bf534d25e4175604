//! The signing secret of a subscription.

use std::fmt;

use subtle::ConstantTimeEq;
use svc_core::mark::Mark;
use svc_core::random::{self, RandomSource};
use zeroize::Zeroizing;

use crate::names::Names;

/// A secret starting with a mark, `whsec_` by default, shared with the receiver and used as the HMAC key.
#[derive(Clone, Eq)]
pub struct SigningSecret(Zeroizing<String>);

impl SigningSecret {
    /// A new secret of 256 random bits behind the mark `whsec_`.
    pub fn generate(random: &dyn RandomSource) -> Self {
        Self::generate_marked(Names::STANDARD.secret, random)
    }

    /// A new secret of 256 random bits behind this mark.
    pub fn generate_marked(mark: Mark, random: &dyn RandomSource) -> Self {
        let bytes: Zeroizing<[u8; 32]> = Zeroizing::new(random::bytes(random));
        let digits = Zeroizing::new(random::base62(bytes.as_slice()));
        Self(Zeroizing::new([mark.as_str(), &digits].concat()))
    }

    /// Wraps a stored secret.
    #[must_use]
    pub fn from_stored(text: String) -> Self {
        Self(Zeroizing::new(text))
    }

    /// The whole text, mark included: the HMAC key, and what the receiver is shown once.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl PartialEq for SigningSecret {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
    }
}

impl fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}
