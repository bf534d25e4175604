//! Half of a SHA-256 as an id.

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

/// The first half of a SHA-256, so that two different things do not meet, in the form of a UUID of one's own kind (RFC 9562,
/// version 8).
pub(crate) fn half_of(hash: Sha256) -> Uuid {
    let digest: [u8; 32] = hash.finalize().into();
    let half = digest.first_chunk::<16>().copied().unwrap_or_default();
    uuid::Builder::from_custom_bytes(half).into_uuid()
}
