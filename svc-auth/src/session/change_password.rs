//! Changing one's own password.

use std::time::Duration;

use svc_core::error::{StoreError, ValidationErrors};
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::ports::{HasherError, PasswordHasher, Salt, SessionStorage};
use crate::session::compare::is_right;
use crate::session::throttle::{Attempt, Halt};
use crate::session::{Password, PasswordText, SignedIn, check_password, set_password, sign_out};
use crate::token::Peppers;

/// With this many wrong present passwords in a row a session ends.
const WRONG_BEFORE_THE_END: u32 = 10;

/// Why a password is not changed.
#[derive(Debug, Error)]
pub enum ChangePasswordError {
    /// Broken rules of the new password, under the name `newPassword`.
    #[error(transparent)]
    Invalid(#[from] ValidationErrors),
    /// The present password is another one.
    #[error("the present password is another one")]
    WrongPassword,
    /// Too many attempts failed.
    #[error("too many failed attempts")]
    Throttled {
        /// When to come back.
        retry_after: Duration,
    },
    /// The password could not be hashed.
    #[error(transparent)]
    Hasher(#[from] HasherError),
    /// The store failed; [`StoreError::Conflict`] when the password was changed meanwhile.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Halt> for ChangePasswordError {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Wait(retry_after) => Self::Throttled { retry_after },
            Halt::Store(error) => Self::Store(error),
        }
    }
}

/// Changes the password of the signed-in person, and ends all their other sessions.
///
/// Wrong ones are counted by the session, apart from failed attempts to sign in, and the tenth in a
/// row ends it: a stolen session is no place to guess the password, nor to keep its person from
/// changing it elsewhere.
///
/// # Errors
/// [`ChangePasswordError`]; nothing was changed.
pub async fn change_password(
    storage: &dyn SessionStorage,
    hasher: &dyn PasswordHasher,
    peppers: &Peppers,
    call: CallContext<'_>,
    signed_in: &SignedIn,
    current: PasswordText,
    new: PasswordText,
) -> Result<(), ChangePasswordError> {
    let person = signed_in.person();
    check_password("newPassword", &new, person)?;
    let attempt = Attempt::password_change(peppers, signed_in.session().id);
    let wrong = attempt.charge(storage.attempts(), call.now).await?;
    let before = storage.passwords().find(person.id).await?;
    let compared = is_right(hasher, person.id, before.as_ref(), current).await;
    if compared.is_err() {
        attempt.unseen(storage.attempts()).await?;
    }
    let right = compared?;
    let Some(before) = before.filter(|_| right) else {
        if wrong >= WRONG_BEFORE_THE_END {
            sign_out(storage, signed_in).await?;
        }
        return Err(ChangePasswordError::WrongPassword);
    };
    attempt.passed(storage.attempts()).await?;

    let hash = hasher.hash(new, Salt::generate(call.random)).await?;
    let after = Password::after(Some(&before), person.id, hash, call.now);
    let unit = storage.begin().await?;
    set_password::put(&*unit, call, Some(&before), after, Some(signed_in.session().id)).await?;
    Ok(unit.commit().await?)
}
