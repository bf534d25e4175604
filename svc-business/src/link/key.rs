//! The secrets behind a link: links and codes, which follow from a key and from what the row of their person has.
//!
//! A link is sent by a job that may run again, and again with each reminder, so it has to be known later; and who reads
//! the database must not know it. So it is not drawn: it is HMAC-SHA-256 of the id of the person's row and a random salt, under a key
//! that the database does not have. The row keeps the salt and the SHA-256 of the link. Codes are made in the same way.

use std::fmt;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;
use svc_core::clock::Timestamp;
use svc_core::id::TypedId;
use svc_core::random::{self, RandomSource};
use zeroize::Zeroizing;

/// The key that links and codes are made with, of signers and of guests: 32 bytes that are made for this alone, of the master key for example.
#[derive(Clone)]
pub struct CeremonyKey(Zeroizing<[u8; 32]>);

impl CeremonyKey {
    /// Wraps a key.
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        Self(Zeroizing::new(key))
    }

    /// The link of a person, by the id of their row.
    #[must_use]
    pub fn link(&self, of: impl TypedId, salt: &Salt) -> LinkToken {
        LinkToken(random::base62(&self.code_of(b"link", of, salt, b"")))
    }

    /// The code of a person: six digits.
    #[must_use]
    pub fn one_time_code(&self, of: impl TypedId, salt: &Salt) -> OneTimeCode {
        let bytes = self.code_of(b"code", of, salt, b"");
        let number = bytes.first_chunk::<8>().map_or(0, |first| u64::from_be_bytes(*first));
        // Of 2^64 numbers, some codes have one more than others.
        OneTimeCode(format!("{:06}", number.checked_rem(1_000_000).unwrap_or_default()))
    }

    /// What a browser keeps of a person who proved a code: it tells that, for this link and until then, to this key alone.
    #[must_use]
    pub fn pass(&self, of: impl TypedId, link: &LinkHash, until: Timestamp) -> LinkToken {
        let rest = [link.0.as_slice(), &until.unix_micros().to_be_bytes()].concat();
        LinkToken(random::base62(&self.code_of(b"pass", of, &Salt([0; 16]), &rest)))
    }

    /// What is kept of a code.
    pub(super) fn code_hash(&self, of: impl TypedId, salt: &Salt, code: &str) -> [u8; 32] {
        self.code_of(b"code kept", of, salt, code.as_bytes())
    }

    fn code_of<I: TypedId>(&self, purpose: &[u8], of: I, salt: &Salt, rest: &[u8]) -> [u8; 32] {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(self.0.as_slice()).expect("HMAC takes keys of any length");
        let prefix = I::PREFIX;
        for part in [prefix.as_bytes(), b" ", purpose, &[0], of.uuid().as_bytes(), &salt.0, rest] {
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }
}

impl fmt::Debug for CeremonyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CeremonyKey(***)")
    }
}

/// What tells the secrets of a person from those that they had before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Salt(pub [u8; 16]);

impl Salt {
    /// A new one.
    pub fn draw(random: &dyn RandomSource) -> Self {
        Self(random::bytes(random))
    }
}

/// A link's secret: 43 digits of base 62, of 256 bits.
#[derive(Clone, PartialEq, Eq)]
pub struct LinkToken(String);

impl LinkToken {
    /// The text, for the mail alone.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a text is this one, in a time that says nothing.
    #[must_use]
    pub fn is(&self, text: &str) -> bool {
        self.0.as_bytes().ct_eq(text.as_bytes()).into()
    }

    /// What is kept of it.
    #[must_use]
    pub fn hash(&self) -> LinkHash {
        LinkHash::of(&self.0)
    }
}

impl fmt::Debug for LinkToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LinkToken(***)")
    }
}

/// The SHA-256 of a link's secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LinkHash(pub [u8; 32]);

impl LinkHash {
    /// That of a text that a browser presents.
    #[must_use]
    pub fn of(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }
}

/// A code of six digits.
#[derive(Clone, PartialEq, Eq)]
pub struct OneTimeCode(String);

impl OneTimeCode {
    /// The digits, for the mail alone.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for OneTimeCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OneTimeCode(***)")
    }
}

/// Whether two digests are equal, in a time that says nothing.
pub(super) fn equal(one: &[u8; 32], other: &[u8; 32]) -> bool {
    one.ct_eq(other).into()
}

/// The way to a person: what is kept of their link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// What it was made with.
    pub salt: Salt,
    /// What it is found by.
    pub hash: LinkHash,
}

impl Access {
    /// A new one for a person.
    pub fn draw(key: &CeremonyKey, of: impl TypedId, random: &dyn RandomSource) -> Self {
        let salt = Salt::draw(random);
        Self { salt, hash: key.link(of, &salt).hash() }
    }

    /// The link; `None` when it was made with another key.
    #[must_use]
    pub fn link(&self, key: &CeremonyKey, of: impl TypedId) -> Option<LinkToken> {
        Some(key.link(of, &self.salt)).filter(|link| link.hash() == self.hash)
    }
}
