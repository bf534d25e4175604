//! A record for each company, in parts that have a lock of their own, so that
//! companies seldom wait for each other.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, TypedId};

use crate::limit::calendar::{after_month, month_of};

/// A power of two, so that the last bits of an id, which are random, choose evenly.
const PARTS: usize = 64;

/// What a [`Table`] keeps.
pub(super) trait Record {
    /// The record of a company that was not heard of before.
    fn new(now: Timestamp) -> Self;

    /// Whether nothing in it matters at `now` any more.
    fn is_over(&self, now: Timestamp) -> bool;
}

#[derive(Debug)]
pub(super) struct Table<R>([Mutex<Part<R>>; PARTS]);

#[derive(Debug)]
struct Part<R> {
    records: HashMap<AccountId, R>,
    /// When records that are over are to be dropped again.
    next_sweep: Timestamp,
}

impl<R: Record> Table<R> {
    pub(super) fn new() -> Self {
        let part = || Mutex::new(Part { records: HashMap::new(), next_sweep: Timestamp::default() });
        Self(std::array::from_fn(|_| part()))
    }

    /// Works on the record of `account`. Once a month those that are over are dropped.
    pub(super) fn with<T>(&self, account: AccountId, now: Timestamp, work: impl FnOnce(&mut R) -> T) -> T {
        let mut part = self.part(account);
        if part.next_sweep <= now {
            part.records.retain(|_, record| !record.is_over(now));
            part.next_sweep = after_month(month_of(now));
        }
        work(part.records.entry(account).or_insert_with(|| R::new(now)))
    }

    /// Works on the record of `account` if there is one.
    pub(super) fn edit<T>(&self, account: AccountId, work: impl FnOnce(&mut R) -> T) -> Option<T> {
        self.part(account).records.get_mut(&account).map(work)
    }

    /// Goes through all records, one part after the other, and drops those for which `keep` is false.
    pub(super) fn retain(&self, mut keep: impl FnMut(AccountId, &mut R) -> bool) {
        for part in &self.0 {
            lock(part).records.retain(|account, record| keep(*account, record));
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|part| lock(part).records.len()).sum()
    }

    fn part(&self, account: AccountId) -> MutexGuard<'_, Part<R>> {
        let last = account.uuid().as_bytes().last().copied().map_or(0, usize::from);
        lock(self.0.get(last % PARTS).expect("a remainder is smaller than its divisor"))
    }
}

/// A panic cannot leave a record half changed, so a poisoned lock is as good as a sound one.
fn lock<R>(part: &Mutex<Part<R>>) -> MutexGuard<'_, Part<R>> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}
