//! A unit of work on the storage in memory.

use std::collections::BTreeSet;
use std::sync::Mutex;

use async_trait::async_trait;
use svc_auth::ports::{AccountDirectory, AuthUnit, CompanyStanding, TokenReader, TokenStore, Use};
use svc_auth::token::{Fingerprint, Token};
use svc_core::audit::AuditLog;
use svc_core::error::StoreError;
use svc_core::event::Event;
use svc_core::id::{AccountId, GroupId, TokenId, UserId};
use svc_core::idempotency::{Fence, Reply, ReplyStore, RequestKey};
use svc_core::outbox::Outbox;
use svc_core::page::{Page, PageRequest};
use svc_core::resource::Version;
use svc_core::tenant::Scope;
use svc_core::unit::UnitOfWork;

use super::state::{State, Step};
use super::{MemoryAuth, lock};
use crate::audit::StagedAudit;

pub(super) struct MemoryUnit {
    shared: MemoryAuth,
    work: Mutex<Work>,
    audit: StagedAudit,
}

struct Work {
    staged: State,
    steps: Vec<Step>,
}

impl MemoryUnit {
    pub(super) fn new(shared: MemoryAuth) -> Self {
        let work = Work { staged: shared.state().clone(), steps: Vec::new() };
        let audit = shared.audit().stage();
        Self { shared, work: Mutex::new(work), audit }
    }

    pub(super) fn staged<T>(&self, read: impl FnOnce(&State) -> T) -> T {
        read(&lock(&self.work).staged)
    }

    pub(super) fn act(&self, step: Step) -> Result<(), StoreError> {
        let mut work = lock(&self.work);
        work.staged.apply(step.clone())?;
        work.steps.push(step);
        Ok(())
    }
}

#[async_trait]
impl UnitOfWork for MemoryUnit {
    fn outbox(&self) -> &dyn Outbox {
        self
    }

    fn replies(&self) -> &dyn ReplyStore {
        self
    }

    fn audit(&self) -> &dyn AuditLog {
        &self.audit
    }

    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        let steps = std::mem::take(&mut lock(&self.work).steps);
        let mut stored = self.shared.state();
        let mut next = stored.clone();
        self.audit.settle(steps.iter().find_map(Step::owes_an_entry))?;
        steps.into_iter().try_for_each(|step| next.apply(step))?;
        *stored = next;
        self.audit.commit();
        Ok(())
    }
}

impl AuthUnit for MemoryUnit {
    fn tokens(&self) -> &dyn TokenStore {
        self
    }

    fn directory(&self) -> &dyn AccountDirectory {
        self
    }
}

#[async_trait]
impl Outbox for MemoryUnit {
    async fn publish(&self, events: &[Event]) -> Result<(), StoreError> {
        self.act(Step::Publish(events.to_vec()))
    }
}

#[async_trait]
impl ReplyStore for MemoryUnit {
    async fn keep(&self, key: &RequestKey, fence: Fence, reply: &Reply) -> Result<(), StoreError> {
        self.act(Step::Keep(key.clone(), fence, reply.clone()))
    }
}

#[async_trait]
impl TokenReader for MemoryUnit {
    async fn find(&self, id: TokenId) -> Result<Option<Token>, StoreError> {
        Ok(self.staged(|state| state.tokens.get(&id).cloned()))
    }

    async fn find_by_fingerprint(&self, candidates: &[Fingerprint]) -> Result<Option<Token>, StoreError> {
        Ok(self.staged(|state| state.find_by_fingerprint(candidates)))
    }

    async fn page(&self, scope: &Scope, page: PageRequest) -> Result<Page<Token>, StoreError> {
        Ok(self.staged(|state| state.page(scope, page)))
    }

    async fn connections_of(&self, person: UserId, at_most: usize) -> Result<Vec<Token>, StoreError> {
        Ok(self.staged(|state| state.connections_of(person, at_most)))
    }

    async fn authority_version(&self) -> Result<Option<i64>, StoreError> {
        Ok(Some(self.staged(|state| state.authority_version)))
    }
}

#[async_trait]
impl TokenStore for MemoryUnit {
    async fn insert(&self, token: &Token) -> Result<(), StoreError> {
        self.act(Step::Insert(token.clone()))
    }

    async fn replace(&self, before: Version, after: &Token) -> Result<(), StoreError> {
        self.act(Step::Replace(before, after.clone()))
    }

    async fn touch(&self, uses: &[Use]) -> Result<(), StoreError> {
        self.act(Step::Touch(uses.to_vec()))
    }
}

#[async_trait]
impl AccountDirectory for MemoryUnit {
    async fn standings(
        &self,
        person: UserId,
        companies: &BTreeSet<AccountId>,
        groups: &BTreeSet<GroupId>,
    ) -> Result<Vec<CompanyStanding>, StoreError> {
        Ok(self.staged(|state| state.directory.standings(person, companies, groups)))
    }
}
