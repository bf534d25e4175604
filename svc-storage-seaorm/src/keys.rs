//! Keys derived from the operator's master key.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
#[cfg(feature = "auth")]
use svc_auth::token::{Pepper, Peppers};
#[cfg(feature = "business")]
use svc_business::signature::key::CeremonyKey;
use svc_core::audit::{ChainKey, ChainKeys};
use uuid::Uuid;
use zeroize::Zeroizing;

/// The master key in use, and older ones that stored data may still need.
#[derive(Clone)]
pub struct Keys {
    current: Master,
    older: Vec<Master>,
}

#[derive(Clone)]
struct Master {
    id: u32,
    key: Zeroizing<[u8; 32]>,
}

impl Keys {
    /// One master key with its id.
    #[must_use]
    pub fn new(id: u32, master: [u8; 32]) -> Self {
        Self { current: Master { id, key: Zeroizing::new(master) }, older: Vec::new() }
    }

    /// Adds a key that was in use before; what it sealed stays readable.
    #[must_use]
    pub fn with_older(mut self, id: u32, master: [u8; 32]) -> Self {
        self.older.push(Master { id, key: Zeroizing::new(master) });
        self
    }

    /// The ids of the keys, the one in use first.
    pub fn ids(&self) -> impl Iterator<Item = u32> + '_ {
        std::iter::once(&self.current).chain(&self.older).map(|master| master.id)
    }

    /// The peppers of token fingerprints that belong to these keys.
    #[cfg(feature = "auth")]
    #[must_use]
    pub fn peppers(&self) -> Peppers {
        let pepper = |master: &Master| Pepper::new(master.id, *master.derive(b"svc/token-pepper/v1", &[]));
        Peppers::new(pepper(&self.current), self.older.iter().map(pepper).collect())
    }

    /// The keys of the audit log's chains that belong to these keys.
    #[must_use]
    pub fn chain_keys(&self) -> ChainKeys {
        let key = |master: &Master| ChainKey::new(master.id, *master.derive(b"svc/audit-chain/v1", &[]));
        ChainKeys::new(key(&self.current), self.older.iter().map(key).collect())
    }

    /// The keys of links and codes of signers that belong to these keys: the one in use first.
    #[must_use]
    #[cfg(feature = "business")]
    pub fn ceremony_keys(&self) -> Vec<CeremonyKey> {
        std::iter::once(&self.current).chain(&self.older).map(Master::ceremony_key).collect()
    }

    /// The key that new links and codes of signers are made with.
    #[must_use]
    #[cfg(feature = "business")]
    pub fn ceremony_key(&self) -> CeremonyKey {
        self.current.ceremony_key()
    }

    /// The key that files are sealed with, which people signed, and its id.
    #[must_use]
    #[cfg(feature = "business")]
    pub fn seal_key(&self) -> (u32, Zeroizing<[u8; 32]>) {
        self.current.seal_key()
    }

    /// The keys that files were sealed with, and their ids: the one in use first.
    #[cfg(feature = "business")]
    pub fn seal_keys(&self) -> impl Iterator<Item = (u32, Zeroizing<[u8; 32]>)> + '_ {
        std::iter::once(&self.current).chain(&self.older).map(Master::seal_key)
    }

    /// Id of the key in use.
    pub(crate) fn current_id(&self) -> u32 {
        self.current.id
    }

    /// The data key of a company under the master key with this id.
    pub(crate) fn data_key(&self, id: u32, company: Uuid) -> Option<Zeroizing<[u8; 32]>> {
        std::iter::once(&self.current)
            .chain(&self.older)
            .find(|master| master.id == id)
            .map(|master| master.derive(b"svc/data-key/v1", company.as_bytes()))
    }

    /// The code of what a row is bound to, under the master key with this id.
    #[cfg(feature = "auth")]
    pub(crate) fn binding(&self, id: u32, bytes: &[u8]) -> Option<Hmac<Sha256>> {
        let master = std::iter::once(&self.current).chain(&self.older).find(|master| master.id == id)?;
        let key = master.derive(b"svc/credential-binding/v1", &[]);
        let mac = <Hmac<Sha256> as KeyInit>::new_from_slice(key.as_slice());
        let mut mac = mac.expect("HMAC takes a key of any length");
        mac.update(bytes);
        Some(mac)
    }
}

impl Master {
    #[cfg(feature = "business")]
    fn ceremony_key(&self) -> CeremonyKey {
        CeremonyKey::new(*self.derive(b"svc/ceremony/v1", &[]))
    }

    #[cfg(feature = "business")]
    fn seal_key(&self) -> (u32, Zeroizing<[u8; 32]>) {
        (self.id, self.derive(b"svc/seal/v1", &[]))
    }

    /// HMAC-SHA-256 of a label and a subject: one key per purpose.
    fn derive(&self, label: &[u8], subject: &[u8]) -> Zeroizing<[u8; 32]> {
        let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(self.key.as_slice())
            .expect("HMAC takes a key of any length");
        mac.update(label);
        mac.update(subject);
        Zeroizing::new(mac.finalize().into_bytes().into())
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Keys({})", self.current.id)
    }
}
