//! A record for each company.

use std::collections::HashMap;

use svc_core::clock::Timestamp;
use svc_core::id::AccountId;

use crate::limit::calendar::Span;
use crate::parts::Parts;

/// What a [`Table`] keeps.
pub(super) trait Record {
    /// The record of a company that was not heard of before.
    fn new(now: Timestamp) -> Self;

    /// Whether nothing in it matters at `now` any more.
    fn is_over(&self, now: Timestamp) -> bool;
}

#[derive(Debug)]
pub(super) struct Table<R>(Parts<Part<R>>);

#[derive(Debug)]
struct Part<R> {
    records: HashMap<AccountId, R>,
    /// The month in which records that are over were dropped.
    swept: Option<Span>,
}

impl<R: Record> Table<R> {
    pub(super) fn new() -> Self {
        Self(Parts::new(|| Part { records: HashMap::new(), swept: None }))
    }

    /// Works on the record of `account`. Once a month those that are over are dropped.
    pub(super) fn with<T>(&self, account: AccountId, now: Timestamp, work: impl FnOnce(&mut R) -> T) -> T {
        let mut part = self.0.of(account);
        if !part.swept.is_some_and(|month| month.contains(now)) {
            part.records.retain(|_, record| !record.is_over(now));
            part.swept = Some(Span::month(now));
        }
        work(part.records.entry(account).or_insert_with(|| R::new(now)))
    }

    /// Works on the record of `account` if there is one.
    pub(super) fn edit<T>(&self, account: AccountId, work: impl FnOnce(&mut R) -> T) -> Option<T> {
        self.0.of(account).records.get_mut(&account).map(work)
    }

    /// Goes through all records, and drops those for which `keep` is false.
    pub(super) fn retain(&self, mut keep: impl FnMut(AccountId, &mut R) -> bool) {
        for mut part in self.0.each() {
            part.records.retain(|account, record| keep(*account, record));
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.each().map(|part| part.records.len()).sum()
    }
}
