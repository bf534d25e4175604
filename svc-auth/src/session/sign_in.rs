//! Signing in with e-mail address and password.
//!
//! A person that does not exist, is disabled, has no password or typed another one
//! gets one answer, after the same calls to the store and one comparison with
//! an argon2id hash: neither the answer nor its time tells which it was. (A hash
//! of weaker parameters is cheaper to compare with until the person signs in
//! the next time and gets a new one.)

use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{SessionId, TypedId, UserId};
use svc_core::random::RandomSource;
use thiserror::Error;
use uuid::Uuid;

use crate::ports::{HasherError, PasswordHasher, Person, Salt, SessionStorage};
use crate::session::compare::is_right;
use crate::session::throttle::{Attempt, Halt};
use crate::session::{
    Device, Lifetime, Password, PasswordHash, PasswordText, Session, SessionValue, SignedIn,
};
use crate::token::{Fingerprint, Peppers};

/// How long a person may look for the code.
const FOR_THE_CODE: Duration = Duration::from_mins(10);

/// What a person signs in with.
#[derive(Clone)]
pub struct SignInRequest {
    /// E-mail address, in any case.
    pub email: String,
    /// Password.
    pub password: PasswordText,
    /// From where, when it is known.
    pub from: Option<IpAddr>,
    /// With which browser, when it says so.
    pub device: Option<Device>,
}

impl fmt::Debug for SignInRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SignInRequest(***)")
    }
}

/// How far a person has come with the password.
#[derive(Clone, Debug)]
pub enum SignIn {
    /// They are signed in.
    Complete(SignedIn),
    /// Their second factor is on: the session opens nothing before [`complete_sign_in`](super::complete_sign_in).
    AwaitsCode(Session),
}

impl SignIn {
    /// The signed-in person; `None` while a code is owed.
    #[must_use]
    pub fn complete(self) -> Option<SignedIn> {
        match self {
            Self::Complete(signed_in) => Some(signed_in),
            Self::AwaitsCode(_) => None,
        }
    }
}

/// Why the sign-in failed.
#[derive(Debug, Error)]
pub enum SignInError {
    /// The address is unknown, the password is another one, or the person may not sign in.
    #[error("e-mail address and password do not belong together")]
    Refused,
    /// Too many attempts failed: for this e-mail address from there, from there, or for this address from everywhere.
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

impl From<Halt> for SignInError {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Wait(retry_after) => Self::Throttled { retry_after },
            Halt::Store(error) => Self::Store(error),
        }
    }
}

/// Signs a person in, or as far as the password leads; the session's value is in the answer and nowhere else.
///
/// # Errors
/// [`SignInError`]; no session exists then.
pub async fn sign_in(
    storage: &dyn SessionStorage,
    hasher: &dyn PasswordHasher,
    peppers: &Peppers,
    lifetime: Lifetime,
    request: SignInRequest,
    now: Timestamp,
    random: &dyn RandomSource,
) -> Result<(SignIn, SessionValue), SignInError> {
    let email = address(&request.email);
    let attempt = Attempt::sign_in(peppers, &email, request.from);
    attempt.charge(storage.attempts(), now).await?;
    let checked = check(storage, hasher, &email, &request.password).await;
    if let Err(SignInError::Hasher(_)) = checked {
        attempt.unseen(storage.attempts()).await?;
    }
    let (person, password) = checked?;
    attempt.passed(storage.attempts()).await?;

    let stronger = if hasher.parameters().outdoes(&password.hash) {
        Some(hasher.hash(request.password, Salt::generate(random)).await?)
    } else {
        None
    };
    let value = SessionValue::generate(random);
    let fingerprint = peppers.fingerprint(&value);
    let session = whole(person.id, fingerprint, lifetime, (request.from, request.device), now, random);
    Ok((open(storage, person, &password, stronger, session).await?, value))
}

/// A session of a person who has proven everything.
pub(super) fn whole(
    user: UserId,
    fingerprint: Fingerprint,
    lifetime: Lifetime,
    (from, device): (Option<IpAddr>, Option<Device>),
    now: Timestamp,
    random: &dyn RandomSource,
) -> Session {
    Session {
        id: SessionId::generate(now, random),
        user,
        fingerprint,
        created_at: now,
        last_used_at: now,
        expires_at: now.plus(lifetime.absolute),
        from,
        device,
        awaits_code: false,
    }
}

/// What an e-mail address is counted and looked up by.
fn address(email: &str) -> String {
    email.trim().to_lowercase()
}

/// The person and their password, if both are what was typed.
async fn check(
    storage: &dyn SessionStorage,
    hasher: &dyn PasswordHasher,
    email: &str,
    typed: &PasswordText,
) -> Result<(Person, Password), SignInError> {
    let person = storage.people().person_by_email(email).await?;
    // The lookup happens for an unknown person as well.
    let id = person.as_ref().map_or(UserId::from_uuid(Uuid::nil()), |person| person.id);
    let password = storage.passwords().find(id).await?;
    let right = is_right(hasher, id, password.as_ref(), typed.clone()).await?;
    match (person, password) {
        (Some(person), Some(password)) if right && person.active => Ok((person, password)),
        (Some(_) | None, Some(_) | None) => Err(SignInError::Refused),
    }
}

/// The same, while its person has proven the password alone.
fn awaiting(session: Session) -> Session {
    let expires_at = session.expires_at.min(session.created_at.plus(FOR_THE_CODE));
    Session { awaits_code: true, expires_at, ..session }
}

/// Opens the session, if the password that was compared is still the one.
async fn open(
    storage: &dyn SessionStorage,
    person: Person,
    compared: &Password,
    stronger: Option<PasswordHash>,
    session: Session,
) -> Result<SignIn, SignInError> {
    let unit = storage.begin().await?;
    // A change of the password ends the sessions that are there by then, and
    // waits for this unit: no session opens behind their back.
    let present = unit.passwords().find(person.id).await?;
    if present.is_none_or(|present| present.version != compared.version) {
        return Err(SignInError::Refused);
    }
    if let Some(hash) = stronger {
        unit.passwords().upgrade(person.id, compared.version, &hash).await?;
    }
    // Who turns the second factor on ends the sessions that are there by then, and waits for this unit too.
    let factor = unit.factors().factor_of(person.id).await?;
    let session = if factor.is_some_and(|factor| factor.is_on()) { awaiting(session) } else { session };
    unit.sessions().insert(&session).await?;
    let companies = unit.people().memberships(person.id).await?;
    match unit.commit().await {
        Ok(()) if session.awaits_code => Ok(SignIn::AwaitsCode(session)),
        Ok(()) => Ok(SignIn::Complete(SignedIn::new(session, person, companies))),
        Err(StoreError::Conflict) => Err(SignInError::Refused),
        Err(error) => Err(error.into()),
    }
}
