//! The second step of signing in.

use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::random::RandomSource;
use thiserror::Error;
use zeroize::Zeroizing;

use crate::ports::{Person, SessionStorage};
use crate::session::resume::find;
use crate::session::sign_in::whole;
use crate::session::throttle::{Attempt, Halt};
use crate::session::{Device, Lifetime, SecondFactor, Session, SessionValue, SignedIn};
use crate::token::Peppers;

/// What a person completes the sign-in with.
#[derive(Clone)]
pub struct SignInCode {
    /// The value of the session that the password opened.
    pub value: String,
    /// The code of the device, or a recovery code.
    pub code: Zeroizing<String>,
    /// From where, when it is known.
    pub from: Option<IpAddr>,
    /// With which browser, when it says so.
    pub device: Option<Device>,
}

impl fmt::Debug for SignInCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SignInCode(***)")
    }
}

/// Why a sign-in is not completed.
#[derive(Debug, Error)]
pub enum CompleteError {
    /// No sign-in waits for a code: ten minutes have passed, or the password was not given yet.
    #[error("no sign-in waits for a code: begin with the password")]
    Ended,
    /// The code is another one, or was used before.
    #[error("the code is another one, or was used before")]
    WrongCode,
    /// Too many codes were wrong.
    #[error("too many failed attempts")]
    Throttled {
        /// When to come back.
        retry_after: Duration,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Halt> for CompleteError {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Wait(retry_after) => Self::Throttled { retry_after },
            Halt::Store(error) => Self::Store(error),
        }
    }
}

/// Puts a whole session in the place of the one that the password opened; its value, a new one, is in the answer and
/// nowhere else.
///
/// # Errors
/// [`CompleteError`]; no whole session exists then.
pub async fn complete_sign_in(
    storage: &dyn SessionStorage,
    peppers: &Peppers,
    lifetime: Lifetime,
    given: SignInCode,
    now: Timestamp,
    random: &dyn RandomSource,
) -> Result<(SignedIn, SessionValue), CompleteError> {
    let (waiting, person) = waiting(storage, peppers, lifetime, &given.value, now).await?;
    let attempt = Attempt::second_factor(peppers, person.id, given.from);
    attempt.charge(storage.attempts(), now).await?;

    let unit = storage.begin().await?;
    // What ends the sessions of the person waits for this, or has ended the waiting one.
    let before = unit.factors().factor_of(person.id).await?;
    if unit.sessions().find_by_fingerprint(&[waiting.fingerprint]).await?.is_none() {
        return Err(CompleteError::Ended);
    }
    let Some(before) = before.filter(SecondFactor::is_on) else { return Err(CompleteError::Ended) };
    let after = before.used(peppers, &given.code, now).ok_or(CompleteError::WrongCode)?;
    unit.factors().use_factor(before.version, &after).await?;
    unit.sessions().delete(waiting.id).await?;
    let value = SessionValue::generate(random);
    let (from, device) = (given.from, given.device);
    let session = whole(person.id, peppers.fingerprint(&value), lifetime, (from, device), now, random);
    unit.sessions().insert(&session).await?;
    let companies = unit.people().memberships(person.id).await?;
    match unit.commit().await {
        Ok(()) => {}
        // The same code at the same instant: it counts once.
        Err(StoreError::Conflict) => return Err(CompleteError::WrongCode),
        Err(error) => return Err(error.into()),
    }
    attempt.passed_for_good(storage.attempts()).await;
    Ok((SignedIn::new(session, person, companies), value))
}

/// The session that waits for a code, and its person.
async fn waiting(
    storage: &dyn SessionStorage,
    peppers: &Peppers,
    lifetime: Lifetime,
    value: &str,
    now: Timestamp,
) -> Result<(Session, Person), CompleteError> {
    let value = SessionValue::parse(value).ok_or(CompleteError::Ended)?;
    let session = find(storage, peppers, &value).await?;
    let session = session.filter(|session| session.awaits_code && session.is_live(lifetime, now));
    let session = session.ok_or(CompleteError::Ended)?;
    let person = storage.people().person(session.user).await?.filter(|person| person.active);
    Ok((session, person.ok_or(CompleteError::Ended)?))
}
