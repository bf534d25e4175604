//! Comparing what was typed with a stored password.

use svc_core::id::UserId;

use crate::ports::{HasherError, PasswordHasher};
use crate::session::{Password, PasswordText};

/// Whether the stored password is the typed one. Every answer costs the same: nothing tells that there is none.
///
/// A stored hash that cannot be read fits no password: its person needs a new one by the operator, who is told.
///
/// # Errors
/// As [`PasswordHasher::verify`], except for a hash that cannot be read.
pub(super) async fn is_right(
    hasher: &dyn PasswordHasher,
    user: UserId,
    stored: Option<&Password>,
    typed: PasswordText,
) -> Result<bool, HasherError> {
    let decoy = || hasher.parameters().decoy();
    let Some(stored) = stored else { return hasher.verify(typed, decoy()).await.map(|_| false) };
    match hasher.verify(typed.clone(), stored.hash.clone()).await {
        Err(HasherError::Unreadable) => {
            tracing::error!(%user, "the stored password cannot be read: give the person a new one, user set-password");
            hasher.verify(typed, decoy()).await.map(|_| false)
        }
        compared => compared,
    }
}
