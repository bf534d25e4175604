//! Secrets at rest: XChaCha20-Poly1305 under a key per company.
//!
//! A sealed value is `version (1) | key id (4) | nonce (24) | ciphertext`. The
//! cell where it is stored is authenticated with it, so a sealed value that
//! was copied to another row, column or company does not open.

use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{KeyInit, XChaCha20Poly1305, XNonce};
#[cfg(feature = "auth")]
use hmac::Mac as _;
use svc_core::error::StoreError;
use uuid::Uuid;

use crate::keys::Keys;

const VERSION: u8 = 1;
const NONCE: usize = 24;

/// Seals and opens values.
pub(crate) struct Sealer {
    keys: Keys,
}

/// Where a sealed value is stored.
pub(crate) struct SealedCell<'a> {
    /// Table.
    pub(crate) table: &'a str,
    /// Column.
    pub(crate) column: &'a str,
    /// Whose key it is sealed under.
    pub(crate) company: Uuid,
    /// Primary key of the row.
    pub(crate) row: &'a [u8],
}

impl Sealer {
    pub(crate) fn new(keys: Keys) -> Self {
        Self { keys }
    }

    /// Seals `plain` for `cell` under the key in use.
    pub(crate) fn seal(&self, cell: &SealedCell<'_>, plain: &[u8]) -> Vec<u8> {
        let id = self.keys.current_id();
        let cipher = self.cipher(id, cell.company).expect("the key in use is always there");
        let mut nonce = [0; NONCE];
        getrandom::fill(&mut nonce).expect("the operating system gives randomness");
        let payload = Payload { msg: plain, aad: &cell.bytes() };
        let sealed =
            cipher.encrypt(&XNonce::from(nonce), payload).expect("values are far below the cipher's limit");
        [[VERSION].as_slice(), &id.to_be_bytes(), &nonce, &sealed].concat()
    }

    /// Whether a sealed value is under the key in use.
    pub(crate) fn is_current(&self, sealed: &[u8]) -> bool {
        sealed.get(1..5).is_some_and(|id| id == self.current_mark())
    }

    /// What follows the first byte of a value that is sealed under the key in use.
    pub(crate) fn current_mark(&self) -> [u8; 4] {
        self.keys.current_id().to_be_bytes()
    }

    /// Opens what was sealed for `cell`.
    pub(crate) fn open(&self, cell: &SealedCell<'_>, sealed: &[u8]) -> Result<Vec<u8>, StoreError> {
        let fault = |what: &str| StoreError::backend(format!("{}.{}: {what}", cell.table, cell.column));
        let (head, rest) =
            sealed.split_first_chunk::<5>().ok_or_else(|| fault("a sealed value is cut off"))?;
        let (nonce, ciphertext) =
            rest.split_first_chunk::<NONCE>().ok_or_else(|| fault("a sealed value is cut off"))?;
        let [version, id @ ..] = *head;
        if version != VERSION {
            return Err(fault("a sealed value has an unknown version"));
        }
        let cipher = self
            .cipher(u32::from_be_bytes(id), cell.company)
            .ok_or_else(|| fault("a value is sealed under a master key that is not configured"))?;
        cipher
            .decrypt(&XNonce::from(*nonce), Payload { msg: ciphertext, aad: &cell.bytes() })
            .map_err(|_| fault("a sealed value does not open with the master key"))
    }

    /// The code of what a row is bound to: `key id (4) | HMAC-SHA-256`. It is made with the key with this id
    /// if there is one, otherwise with the one in use.
    #[cfg(feature = "auth")]
    pub(crate) fn bind(&self, id: u32, bytes: &[u8]) -> Vec<u8> {
        let current = self.keys.current_id();
        let (id, code) = match self.keys.binding(id, bytes) {
            Some(mac) => (id, mac),
            None => (current, self.keys.binding(current, bytes).expect("the key in use is always there")),
        };
        [id.to_be_bytes().as_slice(), code.finalize().into_bytes().as_slice()].concat()
    }

    /// The same with the key in use.
    #[cfg(feature = "auth")]
    pub(crate) fn bind_now(&self, bytes: &[u8]) -> Vec<u8> {
        self.bind(self.keys.current_id(), bytes)
    }

    /// Whether `code` was made by [`Sealer::bind`] of these bytes.
    #[cfg(feature = "auth")]
    pub(crate) fn is_bound(&self, bytes: &[u8], code: &[u8]) -> bool {
        let Some((id, code)) = code.split_first_chunk::<4>() else { return false };
        let mac = self.keys.binding(u32::from_be_bytes(*id), bytes);
        mac.is_some_and(|mac| mac.verify_slice(code).is_ok())
    }

    fn cipher(&self, id: u32, company: Uuid) -> Option<XChaCha20Poly1305> {
        self.keys.data_key(id, company).map(|key| XChaCha20Poly1305::new((&*key).into()))
    }
}

impl SealedCell<'_> {
    /// Every part with its length, so that no two cells have the same bytes.
    fn bytes(&self) -> Vec<u8> {
        let parts = [self.table.as_bytes(), self.column.as_bytes(), self.company.as_bytes(), self.row];
        apart(parts.into_iter())
    }
}

/// Every part with its length, so that other parts have other bytes.
pub(crate) fn apart<'a>(parts: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    parts.flat_map(|part| [&(part.len() as u64).to_be_bytes(), part].concat()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELL: SealedCell<'static> =
        SealedCell { table: "subscriptions", column: "secret", company: Uuid::from_u128(1), row: b"row" };

    #[test]
    fn a_sealed_value_opens_in_its_own_place_only() {
        let keeper = Sealer::new(Keys::new(1, [7; 32]));
        let sealed = keeper.seal(&CELL, b"whsec_secret");
        assert_eq!(keeper.open(&CELL, &sealed).expect("opens"), b"whsec_secret");
        for other in [
            SealedCell { row: b"other", ..CELL },
            SealedCell { column: "name", ..CELL },
            SealedCell { table: "tokens", ..CELL },
            SealedCell { company: Uuid::from_u128(2), ..CELL },
        ] {
            assert!(keeper.open(&other, &sealed).is_err());
        }
    }

    #[test]
    fn a_changed_or_cut_value_does_not_open() {
        let keeper = Sealer::new(Keys::new(1, [7; 32]));
        let sealed = keeper.seal(&CELL, b"whsec_secret");
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert!(keeper.open(&CELL, &changed).is_err(), "byte {at}");
            assert!(keeper.open(&CELL, &sealed[..at]).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn an_older_key_still_opens_what_it_sealed() {
        let sealed = Sealer::new(Keys::new(1, [7; 32])).seal(&CELL, b"whsec_secret");
        let rotated = Sealer::new(Keys::new(2, [8; 32]).with_older(1, [7; 32]));
        assert_eq!(rotated.open(&CELL, &sealed).expect("opens"), b"whsec_secret");
        assert!(Sealer::new(Keys::new(1, [8; 32])).open(&CELL, &sealed).is_err());
    }
}
