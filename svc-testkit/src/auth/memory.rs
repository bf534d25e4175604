//! Storage of svc-auth in memory.

mod approvals;
mod calls;
mod oauth;
mod seed;
mod state;
mod unit;
mod uploads;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use svc_auth::ports::{AccountDirectory, AuthStorage, AuthUnit, CompanyStanding, Standing, TokenReader};
use svc_auth::token::{Fingerprint, Token};
use svc_core::error::StoreError;
use svc_core::event::Event;
use svc_core::id::{AccountId, GroupId, TokenId, UserId};
use svc_core::idempotency::{Reply, RequestKey};
use svc_core::page::{Page, PageRequest};
use svc_core::tenant::Scope;

pub use self::oauth::MemoryOauth;
use self::state::State;
use self::unit::MemoryUnit;
use crate::audit::MemoryAudit;
use crate::auth::directory::Directory;

/// Tokens, companies and memberships in memory. Clones share what they hold.
///
/// A unit works on a copy and writes down what it did; its commit does the
/// same to what is stored by then, whole or not at all. So units that touch
/// different tokens both commit, and the later one of two that touch the same
/// token meets [`StoreError::Conflict`].
#[derive(Clone, Debug, Default)]
pub struct MemoryAuth(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    reads: AtomicU64,
    down: AtomicBool,
    audit: MemoryAudit,
}

impl MemoryAuth {
    /// Nothing stored yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// From now on every read and every new unit fails (`true`), or works again (`false`).
    pub fn set_down(&self, down: bool) {
        self.0.down.store(down, Ordering::SeqCst);
    }

    /// The audit log that its units write to.
    #[must_use]
    pub fn audit(&self) -> &MemoryAudit {
        &self.0.audit
    }

    /// How many reads the store answered or refused, outside of units.
    #[must_use]
    pub fn reads(&self) -> u64 {
        self.0.reads.load(Ordering::SeqCst)
    }

    /// Events of committed units, in order.
    #[must_use]
    pub fn events(&self) -> Vec<Event> {
        self.state().events.clone()
    }

    /// The reply that a committed unit kept for `key`.
    #[must_use]
    pub fn reply(&self, key: &RequestKey) -> Option<Reply> {
        self.state().replies.get(key).map(|(_, reply)| reply.clone())
    }

    /// Adds a company, or changes its name and group.
    pub fn put_company(&self, id: AccountId, legal_name: &str, group: Option<GroupId>) {
        self.authority(|directory| directory.add_company(id, legal_name, group));
    }

    /// Makes a company the parent company of a group, in place of the one before.
    pub fn put_parent(&self, group: GroupId, company: AccountId) {
        self.authority(|directory| directory.set_parent(group, company));
    }

    /// Sets what a person is in a company.
    pub fn put_standing(&self, person: UserId, company: AccountId, standing: Standing) {
        self.authority(|directory| directory.set_standing(person, company, standing));
    }

    /// Ends what a person is in a company; a stranger stays one.
    pub fn end_standing(&self, person: UserId, company: AccountId) {
        self.authority(|directory| directory.end_membership(person, company));
    }

    /// Marks a company as merged into another one.
    pub fn put_merged(&self, absorbed: AccountId) {
        self.authority(|directory| directory.merge(absorbed));
    }

    /// Switches a company's API access.
    pub fn put_api_access(&self, company: AccountId, on: bool) {
        self.authority(|directory| directory.set_api_access(company, on));
    }

    /// Disables a person.
    pub fn put_disabled(&self, person: UserId) {
        self.authority(|directory| directory.disable_user(person));
    }

    /// Lets a disabled person in again.
    pub fn put_enabled(&self, person: UserId) {
        self.authority(|directory| directory.enable_user(person));
    }

    /// Adds a company with what a person is there, or puts both in the place of what is known.
    pub fn put_membership(&self, person: UserId, company: &CompanyStanding) {
        self.authority(|directory| directory.put_membership(person, company));
    }

    pub(crate) fn read_directory<T>(&self, read: impl FnOnce(&Directory) -> T) -> T {
        read(&self.state().directory)
    }

    fn authority(&self, change: impl FnOnce(&mut Directory)) {
        let mut state = self.state();
        change(&mut state.directory);
        state.authority_version += 1;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.0.state)
    }

    fn read(&self) -> Result<MutexGuard<'_, State>, StoreError> {
        self.0.reads.fetch_add(1, Ordering::SeqCst);
        self.up()?;
        Ok(self.state())
    }

    fn up(&self) -> Result<(), StoreError> {
        if self.0.down.load(Ordering::SeqCst) {
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
impl AuthStorage for MemoryAuth {
    async fn begin(&self) -> Result<Box<dyn AuthUnit>, StoreError> {
        self.up()?;
        Ok(Box::new(MemoryUnit::new(self.clone())))
    }

    fn tokens(&self) -> &dyn TokenReader {
        self
    }

    fn directory(&self) -> &dyn AccountDirectory {
        self
    }
}

#[async_trait]
impl TokenReader for MemoryAuth {
    async fn find(&self, id: TokenId) -> Result<Option<Token>, StoreError> {
        Ok(self.read()?.tokens.get(&id).cloned())
    }

    async fn find_by_fingerprint(&self, candidates: &[Fingerprint]) -> Result<Option<Token>, StoreError> {
        Ok(self.read()?.find_by_fingerprint(candidates))
    }

    async fn page(&self, scope: &Scope, page: PageRequest) -> Result<Page<Token>, StoreError> {
        Ok(self.read()?.page(scope, page))
    }

    async fn connections_of(&self, person: UserId, at_most: usize) -> Result<Vec<Token>, StoreError> {
        Ok(self.read()?.connections_of(person, at_most))
    }

    async fn authority_version(&self) -> Result<Option<i64>, StoreError> {
        Ok(Some(self.read()?.authority_version))
    }
}

#[async_trait]
impl AccountDirectory for MemoryAuth {
    async fn standings(
        &self,
        person: UserId,
        companies: &BTreeSet<AccountId>,
        groups: &BTreeSet<GroupId>,
    ) -> Result<Vec<CompanyStanding>, StoreError> {
        Ok(self.read()?.directory.standings(person, companies, groups))
    }
}
