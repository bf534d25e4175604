//! Storage of sessions in memory.

mod attempts;
mod people;
mod seed;
mod state;
mod unit;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use svc_auth::ports::{
    CompanyStanding, Failures, PasswordReader, PasswordResetReader, PeopleDirectory, Person,
    SecondFactorReader, SessionReader, SessionStorage, SessionUnit, SignInAttempts, ThrottleKey,
};
use svc_auth::session::{Password, PasswordHash, PasswordReset, SecondFactor, Session};
use svc_auth::token::Fingerprint;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::UserId;
use svc_core::resource::Version;

use self::state::State;
use self::unit::MemoryUnit;
use crate::audit::MemoryAudit;
use crate::auth::MemoryAuth;

/// People, sessions and passwords in memory. Clones share what they hold.
///
/// Companies, memberships and the audit log are those of a [`MemoryAuth`], so
/// that a membership which ends does so for tokens and for people. Units work
/// as its units do: on a copy, and the later one of two that change one record
/// meets [`StoreError::Conflict`].
#[derive(Clone, Debug, Default)]
pub struct MemorySessions {
    auth: MemoryAuth,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    attempts: Mutex<HashMap<ThrottleKey, Failures>>,
    down: AtomicBool,
}

impl MemorySessions {
    /// Nothing stored yet, with companies and memberships of its own.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Without sessions; companies, memberships and the audit log are those of `auth`.
    #[must_use]
    pub fn beside(auth: &MemoryAuth) -> Self {
        Self { auth: auth.clone(), shared: Arc::default() }
    }

    /// The companies, memberships and credentials beside it.
    #[must_use]
    pub const fn auth(&self) -> &MemoryAuth {
        &self.auth
    }

    /// From now on every read, every count and every new unit fails (`true`), or works again (`false`).
    pub fn set_down(&self, down: bool) {
        self.shared.down.store(down, Ordering::SeqCst);
    }

    /// The audit log that its units write to.
    #[must_use]
    pub fn audit(&self) -> &MemoryAudit {
        self.auth.audit()
    }

    /// Every session, expired ones included, in the order of their ids.
    #[must_use]
    pub fn every(&self) -> Vec<Session> {
        self.state().sessions.values().cloned().collect()
    }

    /// Adds a person, or puts them in the place of the one with their id.
    pub fn put_person(&self, person: Person) {
        if person.active {
            self.auth.put_enabled(person.id);
        } else {
            self.auth.put_disabled(person.id);
        }
        self.state().people.insert(person.id, person);
    }

    /// Sets the first or the next password of a person.
    pub fn put_password(&self, user: UserId, hash: PasswordHash, set_at: Timestamp) {
        let passwords = &mut self.state().passwords;
        let version = passwords.get(&user).map_or(Version::FIRST, |before| before.version.next());
        passwords.insert(user, Password { user, hash, set_at, version });
    }

    /// Adds a company with what a person is there, or puts both in the place of what is known.
    pub fn put_membership(&self, person: UserId, company: &CompanyStanding) {
        self.auth.put_membership(person, company);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.shared.state)
    }

    fn read(&self) -> Result<MutexGuard<'_, State>, StoreError> {
        self.up()?;
        Ok(self.state())
    }

    fn up(&self) -> Result<(), StoreError> {
        if self.shared.down.load(Ordering::SeqCst) {
            Err(StoreError::backend("switched off by the test"))
        } else {
            Ok(())
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[async_trait]
impl SessionStorage for MemorySessions {
    async fn begin(&self) -> Result<Box<dyn SessionUnit>, StoreError> {
        self.up()?;
        Ok(Box::new(MemoryUnit::new(self.clone())))
    }

    fn sessions(&self) -> &dyn SessionReader {
        self
    }

    fn passwords(&self) -> &dyn PasswordReader {
        self
    }

    fn factors(&self) -> &dyn SecondFactorReader {
        self
    }

    fn resets(&self) -> &dyn PasswordResetReader {
        self
    }

    fn people(&self) -> &dyn PeopleDirectory {
        self
    }

    fn attempts(&self) -> &dyn SignInAttempts {
        self
    }
}

#[async_trait]
impl SessionReader for MemorySessions {
    async fn find_by_fingerprint(&self, candidates: &[Fingerprint]) -> Result<Option<Session>, StoreError> {
        Ok(self.read()?.find_by_fingerprint(candidates))
    }

    async fn of(&self, user: UserId, at_most: usize) -> Result<Vec<Session>, StoreError> {
        Ok(self.read()?.of(user, at_most))
    }
}

#[async_trait]
impl PasswordReader for MemorySessions {
    async fn find(&self, user: UserId) -> Result<Option<Password>, StoreError> {
        Ok(self.read()?.passwords.get(&user).cloned())
    }
}

#[async_trait]
impl PasswordResetReader for MemorySessions {
    async fn find_reset(&self, candidates: &[Fingerprint]) -> Result<Option<PasswordReset>, StoreError> {
        Ok(self.read()?.find_reset(candidates))
    }
}

#[async_trait]
impl SecondFactorReader for MemorySessions {
    async fn factor_of(&self, user: UserId) -> Result<Option<SecondFactor>, StoreError> {
        Ok(self.read()?.factors.get(&user).cloned())
    }
}
