//! How many leased deliveries wait for a slot, in all and of each company.

use std::collections::BTreeMap;

use svc_core::id::AccountId;

/// How many wait. A company has half of the room at most, so that there is always some for others.
#[derive(Debug)]
pub(super) struct Waiting {
    most: u32,
    all: u32,
    of: BTreeMap<AccountId, u32>,
}

impl Waiting {
    /// Nothing waits, and so much may.
    pub(super) const fn new(most: u32) -> Self {
        Self { most, all: 0, of: BTreeMap::new() }
    }

    pub(super) const fn all(&self) -> u32 {
        self.all
    }

    /// How many more may wait in all.
    pub(super) const fn room(&self) -> u32 {
        self.most.saturating_sub(self.all)
    }

    /// How many more of a company may wait. They are fetched many at a time: while more than three quarters of those
    /// that may wait do so, no more are.
    pub(super) fn room_of(&self, account: AccountId) -> u32 {
        let (most, waiting) = (self.most / 2, self.of.get(&account).copied().unwrap_or_default());
        if waiting > most / 4 * 3 { 0 } else { most.saturating_sub(waiting) }
    }

    /// What each lane of a company may take of the company's room: `accounts` has the company of each lane.
    pub(super) fn shares(&self, accounts: impl Iterator<Item = AccountId>) -> BTreeMap<AccountId, u32> {
        let mut lanes: BTreeMap<AccountId, u32> = BTreeMap::new();
        for account in accounts {
            let count = lanes.entry(account).or_default();
            *count = count.saturating_add(1);
        }
        let share = |(account, count): (AccountId, u32)| (account, self.room_of(account) / count.max(1));
        lanes.into_iter().map(share).collect()
    }

    pub(super) fn add(&mut self, account: AccountId) {
        self.all = self.all.saturating_add(1);
        let count = self.of.entry(account).or_default();
        *count = count.saturating_add(1);
    }

    pub(super) fn remove(&mut self, account: AccountId) {
        self.all = self.all.saturating_sub(1);
        if let Some(count) = self.of.get_mut(&account) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.of.remove(&account);
            }
        }
    }
}
