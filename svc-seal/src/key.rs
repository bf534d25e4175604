//! Keys that seals are made with, and the port of a platform seal.

use std::fmt;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use zeroize::Zeroizing;

use svc_core::trail::Digest;

/// A key that seals are made with: 32 secret random bytes, and an id that a sealed file names.
#[derive(Clone)]
pub struct SealKey {
    id: u32,
    key: Zeroizing<[u8; 32]>,
}

impl SealKey {
    /// Wraps a key.
    #[must_use]
    pub fn new(id: u32, key: [u8; 32]) -> Self {
        Self { id, key: Zeroizing::new(key) }
    }

    /// Its id.
    #[must_use]
    pub const fn id(&self) -> u32 {
        self.id
    }

    /// HMAC-SHA-256 (RFC 2104) over these bytes, one part after the other.
    pub(crate) fn code<'a>(&self, parts: impl IntoIterator<Item = &'a [u8]>) -> Digest {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(self.key.as_slice()).expect("HMAC takes keys of any length");
        for part in parts {
            mac.update(part);
        }
        Digest::from_bytes(mac.finalize().into_bytes().into())
    }
}

impl fmt::Debug for SealKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SealKey({})", self.id)
    }
}

/// Signs for the platform: makes a detached CMS signature (RFC 5652, ETSI EN 319 142-1 for `PAdES`).
///
/// # Implementing this port
/// `sign` answers a DER `ContentInfo` whose message digest is the one given, with the certificate in it; `PAdES` B-T
/// has a time stamp in its unsigned attributes. Both calls may be made in any order.
pub trait Sealer {
    /// The most bytes that a signature may have: so many are kept free in the file.
    fn room(&self) -> usize;

    /// Signs the SHA-256 of the file without the place of the signature.
    ///
    /// # Errors
    /// What kept it from signing.
    fn sign(&self, digest: &Digest) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>>;
}

/// What a file is sealed with beside the code of its [`SealKey`].
#[derive(Clone, Copy, Default)]
pub enum SealKind<'a> {
    /// Nothing: the code of the key is the seal.
    #[default]
    Keyed,
    /// A signature of the platform, which readers of PDF show.
    Platform(&'a dyn Sealer),
}

impl fmt::Debug for SealKind<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Keyed => "Keyed",
            Self::Platform(_) => "Platform",
        })
    }
}
