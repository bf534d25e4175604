//! What a fan-out may hold.

use std::collections::{BTreeSet, HashMap};

use svc_core::id::SubscriptionId;

use super::Scheduler;

/// The room that a scheduler had at one instant, given away delivery by delivery: what a fan-out that goes on
/// meanwhile may hold for it.
#[derive(Debug)]
pub struct FreeSlots {
    all: u32,
    of: HashMap<SubscriptionId, u32>,
    /// Of each subscription that is not in `of`.
    each: u32,
    in_backoff: BTreeSet<SubscriptionId>,
}

impl Scheduler {
    /// The room that it has now.
    #[must_use]
    pub fn free_slots(&self) -> FreeSlots {
        let request = self.claim_request(u32::MAX);
        let (of, each, in_backoff) = request
            .map(|request| (request.room.into_iter().collect(), request.each, request.in_backoff))
            .unwrap_or_default();
        FreeSlots { all: self.room(), of, each, in_backoff }
    }
}

impl FreeSlots {
    /// Takes the room for a delivery of this subscription; answers whether there was any.
    pub fn take(&mut self, subscription: SubscriptionId) -> bool {
        let room = self.of.entry(subscription).or_insert(self.each);
        let is_open = *room > 0 && self.all > 0 && !self.in_backoff.contains(&subscription);
        if is_open {
            *room -= 1;
            self.all -= 1;
        }
        is_open
    }
}
