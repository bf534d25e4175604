//! A unit of work: a copy of the state that becomes the state.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use svc_auth::ports::{AccountDirectory, AuthUnit, CompanyStanding, TokenReader, TokenStore, Use};
use svc_auth::token::{Fingerprint, Token};
use svc_core::audit::{AuditLog, Entry};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, GroupId, TokenId, UserId};
use svc_core::page::{Page, PageRequest};
use svc_core::resource::Version;
use svc_core::tenant::Scope;
use svc_core::unit::UnitOfWork;
use tokio::sync::OwnedMutexGuard;

use super::state::State;
use super::store::Shared;

/// Changes that commit together; dropped, they are forgotten.
pub struct FileUnit {
    shared: Arc<Shared>,
    work: Mutex<Work>,
    turn: OwnedMutexGuard<()>,
}

struct Work {
    state: State,
    /// Tokens were added or changed.
    changed: bool,
    /// Whether the audit log was told of the change.
    told: bool,
}

impl FileUnit {
    pub(super) fn new(shared: Arc<Shared>, turn: OwnedMutexGuard<()>) -> Self {
        let state = State::clone(&shared.state());
        Self { shared, work: Mutex::new(Work { state, changed: false, told: false }), turn }
    }

    fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for FileUnit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FileUnit").finish_non_exhaustive()
    }
}

#[async_trait]
impl UnitOfWork for FileUnit {
    fn audit(&self) -> &dyn AuditLog {
        self
    }

    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        let Self { shared, work, turn } = *self;
        let Work { state, changed, told } = work.into_inner().unwrap_or_else(PoisonError::into_inner);
        if changed && !told {
            return Err(StoreError::backend("a token was changed without an audit entry"));
        }
        // In a task of its own, turn included: a caller who goes away cannot end it half-way.
        let writing = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            shared.save(state)
        });
        writing.await.map_err(StoreError::backend)?
    }
}

impl AuthUnit for FileUnit {
    fn tokens(&self) -> &dyn TokenStore {
        self
    }

    fn directory(&self) -> &dyn AccountDirectory {
        self
    }
}

#[async_trait]
impl AuditLog for FileUnit {
    async fn append(&self, entries: &[Entry]) -> Result<(), StoreError> {
        let mut work = self.work();
        for entry in entries {
            work.state.append(&self.shared.keys, entry.clone());
            work.told = true;
        }
        Ok(())
    }
}

#[async_trait]
impl TokenStore for FileUnit {
    async fn insert(&self, token: &Token) -> Result<(), StoreError> {
        let mut work = self.work();
        work.changed = true;
        work.state.insert(token)
    }

    async fn replace(&self, before: Version, after: &Token) -> Result<(), StoreError> {
        let mut work = self.work();
        work.changed = true;
        work.state.replace(before, after)
    }

    async fn touch(&self, uses: &[Use]) -> Result<(), StoreError> {
        let mut work = self.work();
        for latest in uses {
            work.state.touch(latest);
        }
        Ok(())
    }
}

#[async_trait]
impl TokenReader for FileUnit {
    async fn find(&self, id: TokenId) -> Result<Option<Token>, StoreError> {
        Ok(self.work().state.tokens.get(&id).cloned())
    }

    async fn find_by_fingerprint(&self, candidates: &[Fingerprint]) -> Result<Option<Token>, StoreError> {
        Ok(self.work().state.find_by_fingerprint(candidates))
    }

    async fn page(&self, scope: &Scope, page: PageRequest) -> Result<Page<Token>, StoreError> {
        Ok(self.work().state.page(scope, page))
    }

    async fn authority_version(&self) -> Result<Option<i64>, StoreError> {
        Ok(Some(self.work().state.authority))
    }
}

#[async_trait]
impl AccountDirectory for FileUnit {
    async fn standings(
        &self,
        person: UserId,
        companies: &BTreeSet<AccountId>,
        groups: &BTreeSet<GroupId>,
    ) -> Result<Vec<CompanyStanding>, StoreError> {
        Ok(self.work().state.standings(person, companies, groups))
    }
}
