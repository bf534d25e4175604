//! Changing one's own password.

use svc_core::error::{StoreError, ValidationErrors};
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::ports::{HasherError, PasswordHasher, Salt, SessionStorage};
use crate::session::proof::{ProofError, prove};
use crate::session::{Password, PasswordText, SignedIn, check_password, set_password};
use crate::token::Peppers;

/// Why a password is not changed.
#[derive(Debug, Error)]
pub enum ChangePasswordError {
    /// Broken rules of the new password, under the name `newPassword`.
    #[error(transparent)]
    Invalid(#[from] ValidationErrors),
    /// The present password does not prove that it is the person who changes it.
    #[error(transparent)]
    Proof(#[from] ProofError),
    /// The password could not be hashed.
    #[error(transparent)]
    Hasher(#[from] HasherError),
    /// The store failed; [`StoreError::Conflict`] when the password was changed meanwhile.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Changes the password of the signed-in person, and ends all their other sessions.
///
/// Wrong ones are counted by the session, and the tenth in a row ends it.
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
    let before = prove(storage, hasher, peppers, signed_in, current, call.now).await?;
    let hash = hasher.hash(new, Salt::generate(call.random)).await?;
    let after = Password::after(Some(&before), person.id, hash, call.now);
    let unit = storage.begin().await?;
    set_password::put(&*unit, call, Some(&before), after, Some(signed_in.session().id)).await?;
    Ok(unit.commit().await?)
}
