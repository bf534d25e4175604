//! A unit of work on sessions and passwords in memory.

use std::sync::Mutex;

use async_trait::async_trait;
use svc_auth::ports::{
    PasswordReader, PasswordResetReader, PasswordResetStore, PasswordStore, PeopleDirectory,
    SecondFactorReader, SecondFactorStore, SessionReader, SessionStore, SessionUnit,
};
use svc_auth::session::{Password, PasswordHash, PasswordReset, SecondFactor, Session};
use svc_auth::token::Fingerprint;
use svc_core::audit::AuditLog;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{SessionId, UserId};
use svc_core::resource::Version;
use svc_core::unit::UnitOfWork;

use super::state::{State, Step};
use super::{MemorySessions, lock};
use crate::audit::StagedAudit;

pub(super) struct MemoryUnit {
    shared: MemorySessions,
    work: Mutex<Work>,
    audit: StagedAudit,
}

struct Work {
    staged: State,
    steps: Vec<Step>,
}

impl MemoryUnit {
    pub(super) fn new(shared: MemorySessions) -> Self {
        let work = Work { staged: shared.state().clone(), steps: Vec::new() };
        let audit = shared.audit().stage();
        Self { shared, work: Mutex::new(work), audit }
    }

    fn staged<T>(&self, read: impl FnOnce(&State) -> T) -> T {
        read(&lock(&self.work).staged)
    }

    fn act(&self, step: Step) -> Result<u64, StoreError> {
        let mut work = lock(&self.work);
        let ended = work.staged.apply(step.clone())?;
        work.steps.push(step);
        Ok(ended)
    }
}

#[async_trait]
impl UnitOfWork for MemoryUnit {
    fn audit(&self) -> &dyn AuditLog {
        &self.audit
    }

    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        let steps = std::mem::take(&mut lock(&self.work).steps);
        let mut stored = self.shared.state();
        let mut next = stored.clone();
        self.audit.settle(steps.iter().find_map(Step::owes_an_entry))?;
        steps.into_iter().try_for_each(|step| next.apply(step).map(|_| ()))?;
        *stored = next;
        self.audit.commit();
        Ok(())
    }
}

impl SessionUnit for MemoryUnit {
    fn sessions(&self) -> &dyn SessionStore {
        self
    }

    fn passwords(&self) -> &dyn PasswordStore {
        self
    }

    fn factors(&self) -> &dyn SecondFactorStore {
        self
    }

    fn resets(&self) -> &dyn PasswordResetStore {
        self
    }

    fn people(&self) -> &dyn PeopleDirectory {
        &self.shared
    }
}

#[async_trait]
impl SessionReader for MemoryUnit {
    async fn find_by_fingerprint(&self, candidates: &[Fingerprint]) -> Result<Option<Session>, StoreError> {
        Ok(self.staged(|state| state.find_by_fingerprint(candidates)))
    }

    async fn of(&self, user: UserId, at_most: usize) -> Result<Vec<Session>, StoreError> {
        Ok(self.staged(|state| state.of(user, at_most)))
    }
}

#[async_trait]
impl SessionStore for MemoryUnit {
    async fn insert(&self, session: &Session) -> Result<(), StoreError> {
        self.act(Step::Insert(session.clone())).map(|_| ())
    }

    async fn touch(&self, id: SessionId, at: Timestamp) -> Result<(), StoreError> {
        self.act(Step::Touch(id, at)).map(|_| ())
    }

    async fn delete(&self, id: SessionId) -> Result<(), StoreError> {
        self.act(Step::Delete(id)).map(|_| ())
    }

    async fn delete_one_of(&self, user: UserId, id: SessionId) -> Result<bool, StoreError> {
        self.act(Step::DeleteOne(user, id)).map(|ended| ended > 0)
    }

    async fn delete_of(&self, user: UserId, except: Option<SessionId>) -> Result<u64, StoreError> {
        self.act(Step::DeleteOf { user, except })
    }

    async fn purge(&self, idle_since: Timestamp, now: Timestamp) -> Result<u64, StoreError> {
        self.act(Step::Purge { idle_since, now })
    }
}

#[async_trait]
impl PasswordReader for MemoryUnit {
    async fn find(&self, user: UserId) -> Result<Option<Password>, StoreError> {
        let password = self.staged(|state| state.passwords.get(&user).cloned());
        self.act(Step::Seen(user, password.as_ref().map(|password| password.version)))?;
        Ok(password)
    }
}

#[async_trait]
impl PasswordStore for MemoryUnit {
    async fn put(&self, before: Option<Version>, after: &Password) -> Result<(), StoreError> {
        self.act(Step::Put(before, after.clone())).map(|_| ())
    }

    async fn upgrade(&self, user: UserId, version: Version, hash: &PasswordHash) -> Result<(), StoreError> {
        self.act(Step::Upgrade(user, version, hash.clone())).map(|_| ())
    }
}

#[async_trait]
impl PasswordResetReader for MemoryUnit {
    async fn find_reset(&self, candidates: &[Fingerprint]) -> Result<Option<PasswordReset>, StoreError> {
        Ok(self.staged(|state| state.find_reset(candidates)))
    }
}

#[async_trait]
impl PasswordResetStore for MemoryUnit {
    async fn put_reset(&self, reset: &PasswordReset) -> Result<(), StoreError> {
        self.act(Step::PutReset(reset.clone())).map(|_| ())
    }

    async fn delete_reset_of(&self, user: UserId) -> Result<(), StoreError> {
        self.act(Step::DeleteReset(user)).map(|_| ())
    }

    async fn purge_resets(&self, now: Timestamp) -> Result<u64, StoreError> {
        self.act(Step::PurgeResets(now))
    }
}

#[async_trait]
impl SecondFactorReader for MemoryUnit {
    async fn factor_of(&self, user: UserId) -> Result<Option<SecondFactor>, StoreError> {
        let factor = self.staged(|state| state.factors.get(&user).cloned());
        self.act(Step::SeenFactor(user, factor.as_ref().map(|factor| factor.version)))?;
        Ok(factor)
    }
}

#[async_trait]
impl SecondFactorStore for MemoryUnit {
    async fn put_factor(&self, before: Option<Version>, after: &SecondFactor) -> Result<(), StoreError> {
        self.act(Step::PutFactor(before, after.clone())).map(|_| ())
    }

    async fn use_factor(&self, before: Version, after: &SecondFactor) -> Result<(), StoreError> {
        self.act(Step::UseFactor(before, after.clone())).map(|_| ())
    }

    async fn remove_factor(&self, user: UserId, before: Version) -> Result<(), StoreError> {
        self.act(Step::RemoveFactor(user, before)).map(|_| ())
    }
}
