//! The connections of a receiver, counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use tokio::sync::watch;

#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) taken: AtomicUsize,
    pub(super) open: watch::Sender<usize>,
    pub(super) written: AtomicU64,
}

/// Counts an open connection for as long as it lives.
pub(super) struct Open(Arc<Counts>);

impl Open {
    pub(super) fn new(counts: Arc<Counts>) -> Self {
        counts.taken.fetch_add(1, Ordering::SeqCst);
        counts.open.send_modify(|open| *open += 1);
        Self(counts)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.send_modify(|open| *open -= 1);
    }
}
