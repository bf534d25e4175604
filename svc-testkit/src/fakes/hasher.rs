//! Password hashing that costs next to nothing.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use svc_auth::ports::{HasherError, PasswordHasher, Salt};
use svc_auth::session::{Argon2id, PasswordHash, PasswordText};

/// Argon2id in place, with the smallest parameters unless told otherwise, that
/// records what it compared with.
#[derive(Debug)]
pub struct CheapHasher {
    parameters: Argon2id,
    compared: Mutex<Vec<PasswordHash>>,
    busy: AtomicBool,
}

impl CheapHasher {
    /// A hasher of 8 KiB and one iteration.
    #[must_use]
    pub fn new() -> Self {
        Self::with(Argon2id::new(8, 1, 1).expect("the smallest parameters"))
    }

    /// A hasher of these parameters.
    #[must_use]
    pub fn with(parameters: Argon2id) -> Self {
        Self { parameters, compared: Mutex::default(), busy: AtomicBool::new(false) }
    }

    /// From now on it is too busy for everything (`true`), or works again (`false`).
    pub fn set_busy(&self, busy: bool) {
        self.busy.store(busy, Ordering::SeqCst);
    }

    fn free(&self) -> Result<(), HasherError> {
        if self.busy.load(Ordering::SeqCst) { Err(HasherError::Busy) } else { Ok(()) }
    }

    /// Takes the hashes that passwords were compared with since the last call, oldest first.
    #[must_use]
    pub fn take_compared(&self) -> Vec<PasswordHash> {
        std::mem::take(&mut *self.compared.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The hash of a password that a test stores for a person.
    #[must_use]
    pub fn stored(&self, password: &str) -> PasswordHash {
        self.parameters.hash(&PasswordText::new(password), Salt([7; 16])).expect("memory for a cheap hash")
    }
}

impl Default for CheapHasher {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl PasswordHasher for CheapHasher {
    fn parameters(&self) -> Argon2id {
        self.parameters.clone()
    }

    async fn hash(&self, password: PasswordText, salt: Salt) -> Result<PasswordHash, HasherError> {
        self.free()?;
        self.parameters.hash(&password, salt)
    }

    async fn verify(&self, password: PasswordText, hash: PasswordHash) -> Result<bool, HasherError> {
        self.free()?;
        let answer = self.parameters.verify(&password, &hash);
        self.compared.lock().unwrap_or_else(PoisonError::into_inner).push(hash);
        answer
    }
}
