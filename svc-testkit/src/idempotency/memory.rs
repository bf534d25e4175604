//! Claims and replies in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::idempotency::{
    CLAIM_LEASE, Claim, Fence, IdempotencyStore, KEPT_FOR, Reply, ReplyStore, RequestHash, RequestKey,
};

/// An idempotency store that forgets with the process; clones share one table.
#[derive(Clone, Debug, Default)]
pub struct MemoryIdempotency(Arc<Mutex<Table>>);

#[derive(Debug, Default)]
struct Table {
    rows: HashMap<RequestKey, Row>,
    fences: i64,
}

#[derive(Clone, Debug)]
struct Row {
    request: RequestHash,
    claimed_at: Timestamp,
    state: RowState,
}

#[derive(Clone, Debug)]
enum RowState {
    Running(Fence),
    Done(Reply),
}

/// Replies of one unit of work, not durable until [`StagedReplies::commit`].
///
/// A unit over several in-memory tables commits these last, while it holds its
/// own tables locked: when they fail, it drops its other changes.
#[derive(Debug)]
pub struct StagedReplies {
    store: MemoryIdempotency,
    kept: Mutex<Vec<(RequestKey, Fence, Reply)>>,
}

impl MemoryIdempotency {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The replies of a new unit of work.
    #[must_use]
    pub fn stage(&self) -> StagedReplies {
        StagedReplies { store: self.clone(), kept: Mutex::default() }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    /// Whether the claim on `key` is still the one with this fence.
    fn is_running(&self, key: &RequestKey, fence: Fence) -> bool {
        self.rows.get(key).is_some_and(|row| match &row.state {
            RowState::Running(held) => *held == fence,
            RowState::Done(_) => false,
        })
    }

    fn hold(&mut self, key: &RequestKey, request: RequestHash, now: Timestamp) -> Claim {
        self.fences += 1;
        let fence = Fence(self.fences);
        let row = Row { request, claimed_at: now, state: RowState::Running(fence) };
        self.rows.insert(key.clone(), row);
        Claim::Held(fence)
    }
}

#[async_trait]
impl IdempotencyStore for MemoryIdempotency {
    async fn claim(
        &self,
        key: &RequestKey,
        request: RequestHash,
        now: Timestamp,
    ) -> Result<Claim, StoreError> {
        let mut table = self.table();
        let Some(row) = table.rows.get(key).filter(|row| now < row.claimed_at.plus(KEPT_FOR)).cloned() else {
            return Ok(table.hold(key, request, now));
        };
        if row.request != request {
            return Ok(Claim::Reused);
        }
        Ok(match row.state {
            RowState::Done(reply) => Claim::Done(reply),
            RowState::Running(_) if now < row.claimed_at.plus(CLAIM_LEASE) => Claim::Running,
            RowState::Running(_) => table.hold(key, request, now),
        })
    }

    async fn release(&self, key: &RequestKey, fence: Fence) -> Result<(), StoreError> {
        let mut table = self.table();
        if table.is_running(key, fence) {
            table.rows.remove(key);
        }
        Ok(())
    }

    async fn purge(&self, before: Timestamp) -> Result<u64, StoreError> {
        let mut table = self.table();
        let count = table.rows.len();
        table.rows.retain(|_, row| row.claimed_at >= before);
        Ok(u64::try_from(count - table.rows.len()).unwrap_or(u64::MAX))
    }
}

impl StagedReplies {
    /// Keeps every staged reply, or none.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when a claim was taken over meanwhile.
    pub fn commit(self) -> Result<(), StoreError> {
        let kept = self.kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut table = self.store.table();
        if !kept.iter().all(|(key, fence, _)| table.is_running(key, *fence)) {
            return Err(StoreError::Conflict);
        }
        for (key, _, reply) in kept {
            if let Some(row) = table.rows.get_mut(&key) {
                row.state = RowState::Done(reply);
            }
        }
        Ok(())
    }
}

#[async_trait]
impl ReplyStore for StagedReplies {
    async fn keep(&self, key: &RequestKey, fence: Fence, reply: &Reply) -> Result<(), StoreError> {
        if !self.store.table().is_running(key, fence) {
            return Err(StoreError::Conflict);
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push((key.clone(), fence, reply.clone()));
        Ok(())
    }
}
