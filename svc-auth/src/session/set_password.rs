//! Setting a person's password without knowing the one before: for the operator.

use svc_core::audit::Action;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{SessionId, UserId};
use svc_core::resource::Version;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::ports::SessionUnit;
use crate::session::note::note;
use crate::session::{Password, PasswordHash};

/// Why a password is not set.
#[derive(Debug, Error)]
pub enum SetPasswordError {
    /// There is no such person.
    #[error("there is no person with this id")]
    UnknownPerson,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Sets a person's password and ends all their sessions.
///
/// Whether the password may be one is for [`check_password`](crate::session::check_password) to say, before it
/// is hashed.
///
/// # Errors
/// [`SetPasswordError`]; nothing was changed.
pub async fn set_password(
    unit: &dyn SessionUnit,
    call: CallContext<'_>,
    user: UserId,
    hash: PasswordHash,
) -> Result<(), SetPasswordError> {
    if unit.people().person(user).await?.is_none() {
        return Err(SetPasswordError::UnknownPerson);
    }
    let before = unit.passwords().find(user).await?;
    put(unit, call, before.as_ref(), Password::after(before.as_ref(), user, hash, call.now), None).await?;
    Ok(())
}

impl Password {
    /// The password that takes the place of `before`.
    pub(super) fn after(before: Option<&Self>, user: UserId, hash: PasswordHash, now: Timestamp) -> Self {
        let version = before.map_or(Version::FIRST, |before| before.version.next());
        Self { user, hash, set_at: now, version }
    }
}

/// Writes the password, ends the person's sessions but one, and writes down in
/// the log of each of their companies that the password was set.
pub(super) async fn put(
    unit: &dyn SessionUnit,
    call: CallContext<'_>,
    before: Option<&Password>,
    after: Password,
    kept: Option<SessionId>,
) -> Result<(), StoreError> {
    unit.passwords().put(before.map(|before| before.version), &after).await?;
    unit.resets().delete_reset_of(after.user).await?;
    // After the password: who signs in with the old one meanwhile is waited for, and ended.
    unit.sessions().delete_of(after.user, kept).await?;
    note(unit, call, after.user, Action::PasswordSet).await
}
