//! How many connections may be kept after their first answer.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Places for connections that are kept, over all hosts.
#[derive(Clone)]
pub(crate) struct IdleLimit(Arc<Semaphore>);

/// A place; it is free again once this is dropped.
pub(crate) type IdlePermit = OwnedSemaphorePermit;

impl IdleLimit {
    pub(crate) fn new(most: usize) -> Self {
        Self(Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS))))
    }

    /// A place for one more connection, if there is any.
    pub(crate) fn place(&self) -> Option<IdlePermit> {
        Arc::clone(&self.0).try_acquire_owned().ok()
    }
}
