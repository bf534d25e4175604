//! The signing secret of a subscription.

use std::fmt;

use subtle::ConstantTimeEq;
use svc_core::random::{self, RandomSource};
use zeroize::Zeroizing;

/// A secret starting with `whsec_`, shared with the receiver and used as the HMAC key.
#[derive(Clone, Eq)]
pub struct SigningSecret(Zeroizing<String>);

impl SigningSecret {
    /// A new secret of 256 random bits.
    pub fn generate(random: &dyn RandomSource) -> Self {
        let bytes: Zeroizing<[u8; 32]> = Zeroizing::new(random::bytes(random));
        Self(Zeroizing::new(format!("whsec_{}", random::base62(bytes.as_slice()))))
    }

    /// Wraps a stored secret.
    #[must_use]
    pub fn from_stored(text: String) -> Self {
        Self(Zeroizing::new(text))
    }

    /// The whole text, prefix included: the HMAC key, and what the receiver is shown once.
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
        f.write_str("whsec_***")
    }
}
