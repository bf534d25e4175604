//! Setting a new password by a link in a mail.
//!
//! 1. Who forgot the password types an e-mail address. [`admit_reset`] counts that by the address and by the network, and
//!    looks up no person: the answer and its time are the same for every address.
//! 2. Behind the request, a worker finds the person and calls [`offer_reset`]: a [`ResetValue`] goes into the mail, and a
//!    fingerprint of it is kept. The earlier one of the person dies.
//! 3. [`find_reset`] tells the page whose password it is, and [`reset_password`] sets it, once: all sessions of the person
//!    end, and no new one opens. A second factor stays on, so its code is asked for at the next sign-in.
//!
//! Every other change of the password takes the link with it.

use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::error::{StoreError, ValidationErrors};
use svc_core::id::UserId;
use svc_core::random::{self, RandomSource};
use svc_core::unit::CallContext;
use thiserror::Error;
use zeroize::Zeroizing;

use crate::ports::{HasherError, PasswordHasher, Person, Salt, SessionStorage, SessionUnit};
use crate::session::throttle::{Attempt, Halt};
use crate::session::{Password, PasswordText, check_password, set_password};
use crate::token::{Fingerprint, Peppers, Secret};

/// Base-62 digits of 256 bits.
const DIGITS: usize = 43;

/// A link's secret in clear text: in the mail and in the path of its page, never stored.
#[derive(Clone, PartialEq, Eq)]
pub struct ResetValue(Zeroizing<String>);

impl ResetValue {
    /// Reads a presented value; `None` for anything that cannot be one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let sound = text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        sound.then(|| Self(Zeroizing::new(text.to_owned())))
    }

    /// The whole value.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl Secret for ResetValue {
    fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ResetValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ResetValue(***)")
    }
}

/// What is kept of a link: one for each person at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasswordReset {
    /// Whose password it sets.
    pub user: UserId,
    /// What it is found by.
    pub fingerprint: Fingerprint,
    /// When it dies.
    pub expires_at: Timestamp,
}

impl PasswordReset {
    /// How long a link holds.
    pub const OPEN_FOR: Duration = Duration::from_hours(1);
}

/// Why a link is not asked for.
#[derive(Debug, Error)]
pub enum AdmitResetError {
    /// Too many were asked for: for this address, or from there.
    #[error("too many links were asked for")]
    Throttled {
        /// When to come back.
        retry_after: Duration,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Halt> for AdmitResetError {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Wait(retry_after) => Self::Throttled { retry_after },
            Halt::Store(error) => Self::Store(error),
        }
    }
}

/// Counts that a link for this e-mail address is asked for.
///
/// Who asks for links of another person so often that the person has to wait has sent that person a link with each.
///
/// # Errors
/// [`AdmitResetError`]; no link is to be sent then.
pub async fn admit_reset(
    storage: &dyn SessionStorage,
    peppers: &Peppers,
    email: &str,
    from: Option<IpAddr>,
    now: Timestamp,
) -> Result<(), AdmitResetError> {
    let attempt = Attempt::reset(peppers, &email.trim().to_lowercase(), from);
    attempt.charge(storage.attempts(), now).await?;
    Ok(())
}

/// A new link of a person; the one before dies.
///
/// # Errors
/// When the store failed.
pub async fn offer_reset(
    storage: &dyn SessionStorage,
    peppers: &Peppers,
    user: UserId,
    now: Timestamp,
    random: &dyn RandomSource,
) -> Result<ResetValue, StoreError> {
    let bits = Zeroizing::new(random::bytes::<32>(random));
    let value = ResetValue(Zeroizing::new(random::base62(bits.as_slice())));
    let (fingerprint, expires_at) = (peppers.fingerprint(&value), now.plus(PasswordReset::OPEN_FOR));
    let unit = storage.begin().await?;
    unit.resets().put_reset(&PasswordReset { user, fingerprint, expires_at }).await?;
    unit.commit().await?;
    Ok(value)
}

/// Whose password a presented link sets; `None` when it is unknown, used or dead, or the person is disabled.
///
/// # Errors
/// When the store could not be read.
pub async fn find_reset(
    storage: &dyn SessionStorage,
    peppers: &Peppers,
    value: &str,
    now: Timestamp,
) -> Result<Option<Person>, StoreError> {
    let Some(value) = ResetValue::parse(value) else { return Ok(None) };
    let found = storage.resets().find_reset(&peppers.candidates(&value)).await?;
    let Some(reset) = found.filter(|reset| now < reset.expires_at) else { return Ok(None) };
    Ok(storage.people().person(reset.user).await?.filter(|person| person.active))
}

/// Why a password is not set by a link.
#[derive(Debug, Error)]
pub enum ResetError {
    /// The link is unknown, used or dead, or its person is disabled.
    #[error("the link is used or dead")]
    Dead,
    /// Broken rules of the new password, under the name `newPassword`.
    #[error(transparent)]
    Invalid(#[from] ValidationErrors),
    /// The password could not be hashed.
    #[error(transparent)]
    Hasher(#[from] HasherError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Sets a new password by a presented link, which is used up, and ends all sessions of its person.
///
/// # Errors
/// [`ResetError`]; nothing was changed, and the link is as good as before.
pub async fn reset_password(
    storage: &dyn SessionStorage,
    hasher: &dyn PasswordHasher,
    peppers: &Peppers,
    call: CallContext<'_>,
    value: &str,
    new: PasswordText,
) -> Result<Person, ResetError> {
    let person = find_reset(storage, peppers, value, call.now).await?.ok_or(ResetError::Dead)?;
    check_password("newPassword", &new, &person)?;
    let hash = hasher.hash(new, Salt::generate(call.random)).await?;
    let unit = storage.begin().await?;
    // Read first: of two that use one link at once, the later one waits here and finds the link gone.
    let before = unit.passwords().find(person.id).await?;
    let value = ResetValue::parse(value).ok_or(ResetError::Dead)?;
    let found = unit.resets().find_reset(&peppers.candidates(&value)).await?;
    found.filter(|reset| reset.user == person.id && call.now < reset.expires_at).ok_or(ResetError::Dead)?;
    let after = Password::after(before.as_ref(), person.id, hash, call.now);
    set_password::put(&*unit, call, before.as_ref(), after, None).await?;
    unit.commit().await?;
    Ok(person)
}

/// Why a first password is not set.
#[derive(Debug, Error)]
pub enum FirstPasswordError {
    /// The person has a password.
    #[error("the person has a password")]
    Present,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Sets the first password of a person who has proven otherwise who they are. Whether it may be one is for
/// [`check_password`] to say, before it is hashed.
///
/// # Errors
/// [`FirstPasswordError`]; nothing was changed.
pub async fn set_first_password(
    unit: &dyn SessionUnit,
    call: CallContext<'_>,
    user: UserId,
    hash: crate::session::PasswordHash,
) -> Result<(), FirstPasswordError> {
    if unit.passwords().find(user).await?.is_some() {
        return Err(FirstPasswordError::Present);
    }
    let after = Password::after(None, user, hash, call.now);
    Ok(set_password::put(unit, call, None, after, None).await?)
}
