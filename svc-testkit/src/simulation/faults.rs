//! What goes wrong, and how often it did.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use svc_core::error::StoreError;

use super::world::World;

/// Draws faults while they are on; clones are the same.
#[derive(Clone)]
pub(super) struct Faults {
    world: World,
    on: Arc<AtomicBool>,
    counts: Arc<Mutex<BTreeMap<&'static str, u64>>>,
}

/// What becomes of a call of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Done,
    /// It fails, and nothing was changed.
    Refused,
    /// It is done, and the answer is lost.
    AnswerLost,
}

impl Faults {
    pub(super) fn new(world: World) -> Self {
        Self { world, on: Arc::new(AtomicBool::new(false)), counts: Arc::default() }
    }

    pub(super) fn switch(&self, on: bool) {
        self.on.store(on, Ordering::SeqCst);
    }

    pub(super) fn are_on(&self) -> bool {
        self.on.load(Ordering::SeqCst)
    }

    /// Whether a fault happens that happens once in so many times.
    pub(super) fn once_in(&self, times: u64, fault: &'static str) -> bool {
        let happens = self.are_on() && self.world.once_in(times);
        if happens {
            *self.counts.lock().unwrap_or_else(PoisonError::into_inner).entry(fault).or_default() += 1;
        }
        happens
    }

    pub(super) fn of_store(&self) -> Fate {
        if self.once_in(40, "store: refused") {
            Fate::Refused
        } else if self.once_in(40, "store: answer lost") {
            Fate::AnswerLost
        } else {
            Fate::Done
        }
    }

    /// Lets time pass before the store does something.
    pub(super) async fn before_store(&self) {
        let time = if self.once_in(50, "store: slow") {
            self.world.between(Duration::from_millis(100), Duration::from_secs(12))
        } else {
            self.world.between(Duration::ZERO, Duration::from_millis(4))
        };
        self.world.sleep(time).await;
    }

    /// Lets time pass, now and then, between what the store did and its answer.
    pub(super) async fn after_store(&self) {
        if self.once_in(60, "store: slow answer") {
            let time = self.world.between(Duration::from_millis(10), Duration::from_secs(12));
            self.world.sleep(time).await;
        }
    }

    pub(super) fn counts(&self) -> BTreeMap<&'static str, u64> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// What the store answers its caller then.
pub(super) fn lost() -> StoreError {
    StoreError::backend("the connection was lost")
}
