//! A table in parts that have a lock of their own, so that requests of
//! different tokens and companies seldom wait for each other.

use std::sync::{Mutex, MutexGuard, PoisonError};

use svc_core::id::TypedId;

/// A power of two, so that the last bits of an id, which are random, choose evenly.
const PARTS: usize = 64;

#[derive(Debug)]
pub(crate) struct Parts<P>([Mutex<P>; PARTS]);

impl<P> Parts<P> {
    pub(crate) fn new(mut part: impl FnMut() -> P) -> Self {
        Self(std::array::from_fn(|_| Mutex::new(part())))
    }

    /// The part that knows of `id`.
    pub(crate) fn of(&self, id: impl TypedId) -> MutexGuard<'_, P> {
        let last = id.uuid().as_bytes().last().copied().map_or(0, usize::from);
        lock(self.0.get(last % PARTS).expect("a remainder is smaller than its divisor"))
    }

    /// Every part, one after the other.
    pub(crate) fn each(&self) -> impl Iterator<Item = MutexGuard<'_, P>> {
        self.0.iter().map(lock)
    }
}

/// What is kept here is changed in one step, so a poisoned lock is as good as a sound one.
fn lock<P>(part: &Mutex<P>) -> MutexGuard<'_, P> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}
