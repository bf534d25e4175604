//! Hashing passwords, which takes long on purpose.

use async_trait::async_trait;
use svc_core::random::{self, RandomSource};
use thiserror::Error;

use crate::session::{Argon2id, PasswordHash, PasswordText};

/// Random bytes that keep equal passwords from having equal hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Salt(pub [u8; 16]);

impl Salt {
    /// A new salt.
    pub fn generate(random: &dyn RandomSource) -> Self {
        Self(random::bytes(random))
    }
}

/// Why a password was neither hashed nor compared.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum HasherError {
    /// Too many are being hashed at the moment; the same call may pass later.
    #[error("too many passwords are being hashed at once")]
    Busy,
    /// The machine has no memory left for it, or is being shut down.
    #[error("the password could not be hashed")]
    Failed,
    /// The stored text is not a hash, or has parameters that there are not: no password fits it.
    #[error("the stored password cannot be read")]
    Unreadable,
}

/// Hashes and compares passwords away from the threads that serve requests.
///
/// # Implementing this port
/// Run [`Argon2id::hash`] and [`Argon2id::verify`] with the parameters that
/// [`Self::parameters`] tells, on threads that may block, with a bound on how
/// many run at once: each of them takes the memory of the parameters.
#[async_trait]
pub trait PasswordHasher: Send + Sync {
    /// The parameters of new hashes.
    fn parameters(&self) -> Argon2id;

    /// The hash of a password under this salt.
    async fn hash(&self, password: PasswordText, salt: Salt) -> Result<PasswordHash, HasherError>;

    /// Whether the hash is of this password. Both answers cost the same.
    async fn verify(&self, password: PasswordText, hash: PasswordHash) -> Result<bool, HasherError>;
}
