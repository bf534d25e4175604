//! Storage in memory that writes down what is asked of it, and can be made to fail.

use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use svc_auth::ports::{
    CompanyStanding, Failures, PasswordReader, PasswordResetReader, PeopleDirectory, Person,
    SecondFactorReader, SessionReader, SessionStorage, SessionUnit, SignInAttempts, ThrottleKey,
};
use svc_auth::session::{Password, Session};
use svc_auth::token::Fingerprint;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::UserId;
use svc_testkit::session::MemorySessions;

type Hook = Box<dyn FnOnce() + Send>;

pub(crate) struct Watched {
    inner: MemorySessions,
    calls: Mutex<Vec<&'static str>>,
    /// Runs before a unit begins, which sees what it changes.
    ahead: Mutex<Option<Hook>>,
    /// Runs once a unit has begun, which does not see what it changes.
    behind: Mutex<Option<Hook>>,
    busy: bool,
    /// Answers this session to every look-up.
    found: Option<Session>,
}

impl Watched {
    pub(crate) fn new(inner: &MemorySessions) -> Self {
        let (calls, ahead, behind) = (Mutex::default(), Mutex::default(), Mutex::default());
        Self { inner: inner.clone(), calls, ahead, behind, busy: false, found: None }
    }

    pub(crate) fn ahead(self, hook: impl FnOnce() + Send + 'static) -> Self {
        Self { ahead: Mutex::new(Some(Box::new(hook))), ..self }
    }

    pub(crate) fn behind(self, hook: impl FnOnce() + Send + 'static) -> Self {
        Self { behind: Mutex::new(Some(Box::new(hook))), ..self }
    }

    pub(crate) fn too_busy_for_units(self) -> Self {
        Self { busy: true, ..self }
    }

    pub(crate) fn always_finding(self, session: &Session) -> Self {
        Self { found: Some(session.clone()), ..self }
    }

    /// Takes the names of the calls since the last time, oldest first.
    pub(crate) fn take_calls(&self) -> Vec<&'static str> {
        std::mem::take(&mut *self.calls.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn note(&self, call: &'static str) {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).push(call);
    }
}

fn run(hook: &Mutex<Option<Hook>>) {
    if let Some(hook) = hook.lock().unwrap_or_else(PoisonError::into_inner).take() {
        hook();
    }
}

#[async_trait]
impl SessionStorage for Watched {
    async fn begin(&self) -> Result<Box<dyn SessionUnit>, StoreError> {
        self.note("begin");
        if self.busy {
            return Err(StoreError::Busy);
        }
        run(&self.ahead);
        let unit = self.inner.begin().await;
        run(&self.behind);
        unit
    }

    fn sessions(&self) -> &dyn SessionReader {
        self
    }

    fn passwords(&self) -> &dyn PasswordReader {
        self
    }

    fn factors(&self) -> &dyn SecondFactorReader {
        self.inner.factors()
    }

    fn resets(&self) -> &dyn PasswordResetReader {
        self.inner.resets()
    }

    fn people(&self) -> &dyn PeopleDirectory {
        self
    }

    fn attempts(&self) -> &dyn SignInAttempts {
        self
    }
}

#[async_trait]
impl SessionReader for Watched {
    async fn find_by_fingerprint(&self, candidates: &[Fingerprint]) -> Result<Option<Session>, StoreError> {
        self.note("find session");
        match &self.found {
            Some(session) => Ok(Some(session.clone())),
            None => self.inner.find_by_fingerprint(candidates).await,
        }
    }

    async fn of(&self, user: UserId, at_most: usize) -> Result<Vec<Session>, StoreError> {
        self.note("list sessions");
        self.inner.of(user, at_most).await
    }
}

#[async_trait]
impl PasswordReader for Watched {
    async fn find(&self, user: UserId) -> Result<Option<Password>, StoreError> {
        self.note("find password");
        self.inner.passwords().find(user).await
    }
}

#[async_trait]
impl PeopleDirectory for Watched {
    async fn person(&self, id: UserId) -> Result<Option<Person>, StoreError> {
        self.note("find person");
        self.inner.person(id).await
    }

    async fn person_by_email(&self, email: &str) -> Result<Option<Person>, StoreError> {
        self.note("find person by e-mail");
        self.inner.person_by_email(email).await
    }

    async fn memberships(&self, person: UserId) -> Result<Vec<CompanyStanding>, StoreError> {
        self.note("memberships");
        self.inner.memberships(person).await
    }
}

#[async_trait]
impl SignInAttempts for Watched {
    async fn failures(&self, keys: &[ThrottleKey]) -> Result<Vec<Failures>, StoreError> {
        self.note("failures");
        let failures = self.inner.failures(keys).await;
        // Lets others read the same before this one goes on.
        tokio::task::yield_now().await;
        failures
    }

    async fn charge(
        &self,
        keys: &[ThrottleKey],
        forget_before: Timestamp,
        now: Timestamp,
    ) -> Result<Vec<Failures>, StoreError> {
        self.note("charge");
        self.inner.charge(keys, forget_before, now).await
    }

    async fn give_back(&self, keys: &[ThrottleKey]) -> Result<(), StoreError> {
        self.note("give back");
        self.inner.give_back(keys).await
    }

    async fn clear(&self, keys: &[ThrottleKey]) -> Result<(), StoreError> {
        self.note("clear");
        self.inner.clear(keys).await
    }

    async fn purge(&self, before: Timestamp) -> Result<u64, StoreError> {
        self.note("purge");
        SignInAttempts::purge(&self.inner, before).await
    }
}
