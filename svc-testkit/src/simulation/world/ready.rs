//! Which tasks can go on, and what wakes them: also from threads that are none of the world's.

use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Wake, Waker};
use std::thread::ThreadId;

use crate::simulation::PATIENCE;

/// The tasks that can go on.
pub(super) struct Ready {
    tasks: Mutex<BTreeSet<u64>>,
    woken: Condvar,
    /// The thread of the world.
    own: ThreadId,
    /// The tasks that were woken on it.
    yielded: Mutex<BTreeSet<u64>>,
}

impl Default for Ready {
    fn default() -> Self {
        let own = std::thread::current().id();
        Self { tasks: Mutex::default(), woken: Condvar::new(), own, yielded: Mutex::default() }
    }
}

impl Ready {
    pub(super) fn tasks(&self) -> MutexGuard<'_, BTreeSet<u64>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the task has let others go on: it woke itself, and no answer of a store did.
    pub(super) fn has_yielded(&self, task: u64) -> bool {
        self.yielded.lock().unwrap_or_else(PoisonError::into_inner).remove(&task)
    }

    /// Waits in real time until the task can go on.
    pub(super) fn wait_for(&self, task: u64) {
        let waited = self.woken.wait_timeout_while(self.tasks(), PATIENCE, |tasks| !tasks.contains(&task));
        let (tasks, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        drop(tasks);
        assert!(!timeout.timed_out(), "the store does not answer for {PATIENCE:?}");
    }
}

/// Wakes one task.
pub(super) struct TaskWaker {
    task: u64,
    ready: Arc<Ready>,
}

impl TaskWaker {
    pub(super) fn of(task: u64, ready: &Arc<Ready>) -> Waker {
        Waker::from(Arc::new(Self { task, ready: Arc::clone(ready) }))
    }
}

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        if std::thread::current().id() == self.ready.own {
            self.ready.yielded.lock().unwrap_or_else(PoisonError::into_inner).insert(self.task);
        }
        self.ready.tasks().insert(self.task);
        self.ready.woken.notify_all();
    }
}
