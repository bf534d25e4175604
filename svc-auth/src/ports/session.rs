//! Sessions, passwords and failed attempts to sign in.

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{SessionId, UserId};
use svc_core::resource::Version;
use svc_core::unit::UnitOfWork;

use crate::ports::PeopleDirectory;
use crate::session::{Password, PasswordHash, PasswordReset, SecondFactor, Session};
use crate::token::Fingerprint;

/// Where sessions and passwords are kept.
///
/// # Implementing this port
/// The contract suite is `svc_testkit::session_storage_contract!`.
#[async_trait]
pub trait SessionStorage: Send + Sync {
    /// Opens a unit of work.
    async fn begin(&self) -> Result<Box<dyn SessionUnit>, StoreError>;

    /// Reads sessions.
    fn sessions(&self) -> &dyn SessionReader;

    /// Reads passwords.
    fn passwords(&self) -> &dyn PasswordReader;

    /// Reads second factors.
    fn factors(&self) -> &dyn SecondFactorReader;

    /// Reads links that reset passwords.
    fn resets(&self) -> &dyn PasswordResetReader;

    /// Reads people.
    fn people(&self) -> &dyn PeopleDirectory;

    /// Counts failed attempts to sign in.
    fn attempts(&self) -> &dyn SignInAttempts;
}

/// A unit of work on sessions and passwords.
pub trait SessionUnit: UnitOfWork {
    /// Changes sessions within this unit.
    fn sessions(&self) -> &dyn SessionStore;

    /// Changes passwords within this unit.
    fn passwords(&self) -> &dyn PasswordStore;

    /// Changes second factors within this unit.
    fn factors(&self) -> &dyn SecondFactorStore;

    /// Changes links that reset passwords within this unit.
    fn resets(&self) -> &dyn PasswordResetStore;

    /// Reads people, as this unit sees them.
    fn people(&self) -> &dyn PeopleDirectory;
}

/// Reads sessions.
#[async_trait]
pub trait SessionReader: Send + Sync {
    /// The session with one of these fingerprints (one per pepper in use), expired or not.
    async fn find_by_fingerprint(&self, candidates: &[Fingerprint]) -> Result<Option<Session>, StoreError>;

    /// At most so many sessions of a person, expired or not, the youngest first; without those that await a code.
    async fn of(&self, user: UserId, at_most: usize) -> Result<Vec<Session>, StoreError>;
}

/// Changes sessions.
#[async_trait]
pub trait SessionStore: SessionReader {
    /// Adds a session.
    ///
    /// # Errors
    /// [`StoreError::Taken`] when another session has its fingerprint.
    async fn insert(&self, session: &Session) -> Result<(), StoreError>;

    /// Writes when a session was last used; never an earlier instant. One that is gone stays gone.
    async fn touch(&self, id: SessionId, at: Timestamp) -> Result<(), StoreError>;

    /// Ends a session; one that is gone already is no error.
    async fn delete(&self, id: SessionId) -> Result<(), StoreError>;

    /// Ends a session if it is of this person; answers whether it did.
    async fn delete_one_of(&self, user: UserId, id: SessionId) -> Result<bool, StoreError>;

    /// Ends every session of a person but one; answers how many.
    async fn delete_of(&self, user: UserId, except: Option<SessionId>) -> Result<u64, StoreError>;

    /// Ends the sessions that were last used before `idle_since` or expired by `now`; answers how many.
    async fn purge(&self, idle_since: Timestamp, now: Timestamp) -> Result<u64, StoreError>;
}

/// Reads passwords.
#[async_trait]
pub trait PasswordReader: Send + Sync {
    /// The password of a person.
    async fn find(&self, user: UserId) -> Result<Option<Password>, StoreError>;
}

/// Changes passwords.
///
/// # Implementing this port
/// What [`PasswordReader::find`] reads within a unit stays as it is until the
/// unit ends: others who change it wait (`SELECT … FOR SHARE`), or the later
/// commit is a conflict.
#[async_trait]
pub trait PasswordStore: PasswordReader {
    /// Sets a person's password: the first one for `None`, otherwise in the place of the one at this version.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when what is stored is something else.
    async fn put(&self, before: Option<Version>, after: &Password) -> Result<(), StoreError>;

    /// Keeps the same password under a stronger hash, if it is still at this
    /// version; otherwise nothing is written. It is no change: neither the
    /// version nor the instant of setting moves, and no audit entry is due.
    async fn upgrade(&self, user: UserId, version: Version, hash: &PasswordHash) -> Result<(), StoreError>;
}

/// Reads second factors.
#[async_trait]
pub trait SecondFactorReader: Send + Sync {
    /// That of a person, on or not.
    async fn factor_of(&self, user: UserId) -> Result<Option<SecondFactor>, StoreError>;
}

/// Changes second factors.
///
/// # Implementing this port
/// What is read of a person within a unit stays as it is until the unit ends, as [`PasswordStore`] has it, and by the
/// same lock: who turns a second factor on and who signs in with the password alone wait for each other.
#[async_trait]
pub trait SecondFactorStore: SecondFactorReader {
    /// Puts a person's second factor: the first one for `None`, otherwise in the place of the one at this version. One
    /// that is on owes an entry of the audit log.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when what is stored is something else.
    async fn put_factor(&self, before: Option<Version>, after: &SecondFactor) -> Result<(), StoreError>;

    /// Writes what the use of a code leaves, in the place of the one at this version. It is no change: no entry of the
    /// audit log is due.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when what is stored is something else.
    async fn use_factor(&self, before: Version, after: &SecondFactor) -> Result<(), StoreError>;

    /// Removes the one at this version; it owes an entry of the audit log.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when what is stored is something else.
    async fn remove_factor(&self, user: UserId, before: Version) -> Result<(), StoreError>;
}

/// Reads links that reset passwords.
#[async_trait]
pub trait PasswordResetReader: Send + Sync {
    /// The link with one of these fingerprints (one per pepper in use), dead or not.
    async fn find_reset(&self, candidates: &[Fingerprint]) -> Result<Option<PasswordReset>, StoreError>;
}

/// Changes links that reset passwords.
#[async_trait]
pub trait PasswordResetStore: PasswordResetReader {
    /// Keeps a link in the place of the one that its person had.
    async fn put_reset(&self, reset: &PasswordReset) -> Result<(), StoreError>;

    /// Forgets the link of a person; none is no error.
    async fn delete_reset_of(&self, user: UserId) -> Result<(), StoreError>;

    /// Forgets links that are dead by `now`; answers how many.
    async fn purge_resets(&self, now: Timestamp) -> Result<u64, StoreError>;
}

/// Names what attempts are counted by, such as an e-mail address with a network: a keyed hash, so that
/// the table tells neither.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ThrottleKey(pub [u8; 32]);

impl std::fmt::Debug for ThrottleKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ThrottleKey(***)")
    }
}

/// Failed attempts of one key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Failures {
    /// How many in a row, each within the window of the one before it.
    pub count: u32,
    /// When the last one was.
    pub last_at: Timestamp,
}

/// Counts failed attempts to sign in, and to change a password.
///
/// # Implementing this port
/// Each call is one atomic step with a commit of its own.
#[async_trait]
pub trait SignInAttempts: Send + Sync {
    /// The failures of each key, in the order of the keys; none is a count of 0.
    async fn failures(&self, keys: &[ThrottleKey]) -> Result<Vec<Failures>, StoreError>;

    /// Counts an attempt at `now` for each key, before it is known whether it
    /// fails; a key whose last failure is before `forget_before` starts again
    /// at 1. Answers what was there before.
    async fn charge(
        &self,
        keys: &[ThrottleKey],
        forget_before: Timestamp,
        now: Timestamp,
    ) -> Result<Vec<Failures>, StoreError>;

    /// Takes one attempt out of the count of each key, down to 0: it was charged and did not fail.
    async fn give_back(&self, keys: &[ThrottleKey]) -> Result<(), StoreError>;

    /// Forgets the failures of these keys.
    async fn clear(&self, keys: &[ThrottleKey]) -> Result<(), StoreError>;

    /// Forgets keys whose last failure is before this instant; answers how many.
    async fn purge(&self, before: Timestamp) -> Result<u64, StoreError>;
}
