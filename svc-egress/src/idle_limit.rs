//! The limit of connections that stay open after their first answer.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Counts the connections that the sender keeps for further requests, over all hosts.
#[derive(Clone)]
pub(crate) struct IdleLimit(Arc<Semaphore>);

/// Lets one connection be kept; dropping it lets the next connection take its part of the limit.
pub(crate) type IdlePermit = OwnedSemaphorePermit;

impl IdleLimit {
    pub(crate) fn new(most: usize) -> Self {
        Self(Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS))))
    }

    /// A permit for one more connection; `None` when the limit is reached.
    pub(crate) fn acquire(&self) -> Option<IdlePermit> {
        Arc::clone(&self.0).try_acquire_owned().ok()
    }
}
