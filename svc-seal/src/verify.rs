//! What a sealed file proves, and what is broken in one that does not.
//!
//! The code is checked before anything else is read, so bytes of a stranger reach nothing but the search for the seal.

use subtle::ConstantTimeEq as _;
use svc_core::clock::Timestamp;

use crate::error::VerifyError;
use crate::evidence::Evidence;
use crate::key::SealKey;
use crate::seal::stamp::{Stamp, range};
use crate::seal::{Attached, signed};
use svc_core::trail::Digest;

/// What a sealed file proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The SHA-256 of the document that people signed.
    pub original_digest: Digest,
    /// The SHA-256 of the sealed file.
    pub digest: Digest,
    /// When it was sealed.
    pub sealed_at: Timestamp,
    /// The id of the envelope.
    pub envelope: String,
    /// What is known about the signing, with the entries, whose chain fits.
    pub evidence: Evidence,
    /// The signature of the platform, if there is one.
    pub platform: Option<PlatformSignature>,
}

/// A signature that a [`Sealer`](crate::Sealer) made. What follows from its certificate is for the adapter to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlatformSignature {
    /// The CMS in DER, and nothing after it but the zeros of its room. The code of the seal is not over these bytes:
    /// they prove themselves, or do not.
    pub cms: Vec<u8>,
    /// The SHA-256 that it must be a signature of.
    pub digest: Digest,
}

/// Verifies that no byte of a sealed file was changed, added or cut off, and reads what it proves.
///
/// A file with a platform signature has bytes that only the certificate of the platform proves: those of
/// [`PlatformSignature::cms`].
///
/// # Errors
/// [`VerifyError`], with what is broken.
pub fn verify(sealed: &[u8], key: &SealKey) -> Result<Verified, VerifyError> {
    let (at, stamp, code) = Stamp::find(sealed).ok_or(VerifyError::NoSeal)?;
    if stamp.length != sealed.len() {
        return Err(VerifyError::Length);
    }
    if stamp.key != key.id() {
        return Err(VerifyError::OtherKey { key: stamp.key });
    }
    // A gap over the seal or the document would leave them out of the code.
    let gap = range(stamp.gap);
    if !gap.is_empty() && (gap.start <= stamp.original || gap.end >= at) {
        return Err(VerifyError::Changed);
    }
    let computed = key.code(stamp.covered(sealed, at));
    if !bool::from(computed.as_bytes().ct_eq(code.as_bytes())) {
        return Err(VerifyError::Changed);
    }
    let original = sealed.get(..stamp.original).ok_or(VerifyError::Original)?;
    if Digest::of(original) != stamp.digest {
        return Err(VerifyError::Original);
    }
    let json = sealed.get(range(stamp.evidence)).ok_or(VerifyError::Evidence)?;
    let attached: Attached<Evidence> = serde_json::from_slice(json).map_err(|_| VerifyError::Evidence)?;
    if attached.original_sha256 != stamp.digest || attached.version != 1 {
        return Err(VerifyError::Evidence);
    }
    attached.evidence.entries.verify()?;
    let platform = if gap.is_empty() { None } else { Some(platform(sealed, &stamp)?) };
    Ok(Verified {
        original_digest: stamp.digest,
        digest: Digest::of(sealed),
        sealed_at: attached.sealed_at,
        envelope: attached.evidence.envelope.clone(),
        evidence: attached.evidence,
        platform,
    })
}

/// The document within a sealed file, byte for byte as people signed it. Without the key: its digest is compared with
/// the one in the seal, which [`verify`] proves.
///
/// # Errors
/// [`VerifyError::NoSeal`], [`VerifyError::Original`] when the document is not the one that the seal names.
pub fn original(sealed: &[u8]) -> Result<&[u8], VerifyError> {
    let (_, stamp, _) = Stamp::find(sealed).ok_or(VerifyError::NoSeal)?;
    let original = sealed.get(..stamp.original).ok_or(VerifyError::Original)?;
    if Digest::of(original) == stamp.digest { Ok(original) } else { Err(VerifyError::Original) }
}

/// The id of the key that a file says it is sealed with; [`verify`] proves it.
#[must_use]
pub fn key_id(sealed: &[u8]) -> Option<u32> {
    Stamp::find(sealed).map(|(_, stamp, _)| stamp.key)
}

fn platform(sealed: &[u8], stamp: &Stamp) -> Result<PlatformSignature, VerifyError> {
    let digits = sealed.get(range(stamp.gap)).ok_or(VerifyError::Changed)?;
    let digit = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    };
    let bytes = digits.chunks(2).map(|pair| match *pair {
        [high, low] => Some(digit(high)? << 4 | digit(low)?),
        _ => None,
    });
    let mut cms: Vec<u8> = bytes.collect::<Option<_>>().ok_or(VerifyError::Changed)?;
    let length = der_length(&cms).ok_or(VerifyError::Changed)?;
    let room = cms.get(length..).ok_or(VerifyError::Changed)?;
    if room.iter().any(|&byte| byte != 0) {
        return Err(VerifyError::Changed);
    }
    cms.truncate(length);
    Ok(PlatformSignature { cms, digest: signed(sealed, stamp.gap) })
}

/// How long the sequence is that these bytes begin with, head and all (X.690, 8.1.3).
fn der_length(bytes: &[u8]) -> Option<usize> {
    let (&[0x30, first], rest) = bytes.split_first_chunk::<2>()? else { return None };
    if first < 0x80 {
        return Some(2 + usize::from(first));
    }
    let count = usize::from(first & 0x7f);
    let digits = rest.get(..count).filter(|digits| (1..=4).contains(&digits.len()))?;
    let length = digits.iter().fold(0_usize, |length, &digit| length << 8 | usize::from(digit));
    length.checked_add(2 + count)
}
