//! Records in memory, with the entries that a unit of work stages.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use svc_core::audit::{AuditLog, AuditReader, ChainKey, ChainKeys, Entry, Filter, Head, Record, Unreadable};
use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::page::{Page, PageRequest};
use svc_core::tenant::Scope;

/// An audit log that forgets with the process; clones share one log.
#[derive(Clone, Debug)]
pub struct MemoryAudit(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    keys: ChainKeys,
    records: Mutex<BTreeMap<AccountId, Vec<Record>>>,
}

/// Entries of one unit of work, not durable until [`StagedAudit::commit`].
///
/// A unit calls [`StagedAudit::settle`] before anything of it becomes durable,
/// and `commit` while it holds its own tables locked.
#[derive(Debug)]
pub struct StagedAudit {
    log: MemoryAudit,
    entries: Mutex<Vec<Entry>>,
    told: AtomicBool,
}

impl Default for MemoryAudit {
    fn default() -> Self {
        Self::new(ChainKeys::new(ChainKey::new(1, [0x61; 32]), Vec::new()))
    }
}

impl MemoryAudit {
    /// An empty log sealed with these keys.
    #[must_use]
    pub fn new(keys: ChainKeys) -> Self {
        Self(Arc::new(Shared { keys, records: Mutex::default() }))
    }

    /// The keys that it seals with.
    #[must_use]
    pub fn keys(&self) -> &ChainKeys {
        &self.0.keys
    }

    /// The log of a new unit of work.
    #[must_use]
    pub fn stage(&self) -> StagedAudit {
        StagedAudit { log: self.clone(), entries: Mutex::default(), told: AtomicBool::new(false) }
    }

    /// Every entry of a company, oldest first.
    #[must_use]
    pub fn entries(&self, account: AccountId) -> Vec<Entry> {
        let records = self.records();
        records.get(&account).into_iter().flatten().map(|record| record.entry.clone()).collect()
    }

    fn records(&self) -> MutexGuard<'_, BTreeMap<AccountId, Vec<Record>>> {
        self.0.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StagedAudit {
    /// Whether the unit may commit: `changed` names what it changed of the things that owe an entry.
    ///
    /// # Errors
    /// [`StoreError::Backend`] when it changed one and the log was told nothing.
    pub fn settle(&self, changed: Option<&'static str>) -> Result<(), StoreError> {
        match changed {
            Some(what) if !self.told.load(Ordering::SeqCst) => {
                Err(StoreError::backend(format!("{what} was changed without an audit entry")))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Adds the staged entries to the log.
    pub fn commit(self) {
        let mut records = self.log.records();
        for entry in self.entries.into_inner().unwrap_or_else(PoisonError::into_inner) {
            let chain = records.entry(entry.account).or_default();
            let head = chain.last().map(head);
            chain.push(self.log.0.keys.seal(head, entry));
        }
    }
}

#[async_trait]
impl AuditLog for StagedAudit {
    async fn append(&self, entries: &[Entry]) -> Result<(), StoreError> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(entries);
        self.told.store(true, Ordering::SeqCst);
        Ok(())
    }
}

#[async_trait]
impl AuditReader for MemoryAudit {
    async fn page(
        &self,
        scope: &Scope,
        filter: &Filter,
        request: PageRequest,
    ) -> Result<Page<Record>, StoreError> {
        let records = self.records();
        let mut found: Vec<_> = records
            .values()
            .flatten()
            .filter(|record| scope.contains(record.entry.account) && matches(filter, &record.entry))
            .collect();
        found.sort_by_key(|record| std::cmp::Reverse((record.entry.at, record.entry.account, record.number)));
        Ok(Page::of_all(found, request).map(Clone::clone))
    }

    async fn records(
        &self,
        account: AccountId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<Result<Record, Unreadable>>, StoreError> {
        let records = self.records();
        let chain = records.get(&account).into_iter().flatten();
        Ok(chain.filter(|record| record.number > after).take(limit as usize).cloned().map(Ok).collect())
    }

    async fn companies(&self) -> Result<Vec<Result<AccountId, Unreadable>>, StoreError> {
        Ok(self.records().keys().copied().map(Ok).collect())
    }

    async fn head(&self, account: AccountId) -> Result<Option<Result<Head, Unreadable>>, StoreError> {
        Ok(self.records().get(&account).and_then(|chain| chain.last()).map(|last| Ok(head(last))))
    }
}

fn head(record: &Record) -> Head {
    Head { number: record.number, seal: record.seal }
}

fn matches(filter: &Filter, entry: &Entry) -> bool {
    let Filter { action, subject, from, until } = filter;
    action.is_none_or(|action| entry.action == action)
        && subject.as_ref().is_none_or(|subject| entry.subject == *subject)
        && from.is_none_or(|from| entry.at >= from)
        && until.is_none_or(|until| entry.at < until)
}
