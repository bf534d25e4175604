//! A signed-in person proves once more that they are the one: by the password.

use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use thiserror::Error;

use crate::ports::{HasherError, PasswordHasher, SessionStorage};
use crate::session::compare::is_right;
use crate::session::throttle::{Attempt, Halt};
use crate::session::{Password, PasswordText, SignedIn, sign_out};
use crate::token::Peppers;

/// With this many wrong present passwords in a row a session ends.
const WRONG_BEFORE_THE_END: u32 = 10;

/// Why the password does not prove it.
#[derive(Debug, Error)]
pub enum ProofError {
    /// The present password is another one.
    #[error("the present password is another one")]
    WrongPassword,
    /// Too many attempts failed.
    #[error("too many failed attempts")]
    Throttled {
        /// When to come back.
        retry_after: Duration,
    },
    /// The password could not be compared.
    #[error(transparent)]
    Hasher(#[from] HasherError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Halt> for ProofError {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Wait(retry_after) => Self::Throttled { retry_after },
            Halt::Store(error) => Self::Store(error),
        }
    }
}

/// The person's password, which is the typed one.
///
/// Wrong ones are counted by the session, apart from failed attempts to sign in, and the tenth in a
/// row ends it: a stolen session is no place to guess the password, nor to keep its person from
/// changing it elsewhere.
pub(super) async fn prove(
    storage: &dyn SessionStorage,
    hasher: &dyn PasswordHasher,
    peppers: &Peppers,
    signed_in: &SignedIn,
    typed: PasswordText,
    now: Timestamp,
) -> Result<Password, ProofError> {
    let person = signed_in.person().id;
    let attempt = Attempt::password_change(peppers, signed_in.session().id);
    let wrong = attempt.charge(storage.attempts(), now).await?;
    let stored = storage.passwords().find(person).await?;
    let compared = is_right(hasher, person, stored.as_ref(), typed).await;
    if compared.is_err() {
        attempt.unseen(storage.attempts()).await?;
    }
    let right = compared?;
    let Some(password) = stored.filter(|_| right) else {
        if wrong >= WRONG_BEFORE_THE_END {
            sign_out(storage, signed_in).await?;
        }
        return Err(ProofError::WrongPassword);
    };
    attempt.passed(storage.attempts()).await?;
    Ok(password)
}
