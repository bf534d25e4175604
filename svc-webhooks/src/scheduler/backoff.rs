//! Receivers that rest: when they begin to, and when that is over.

use svc_core::clock::Timestamp;
use svc_core::id::SubscriptionId;

use super::Scheduler;

impl Scheduler {
    /// Ends the rests that are over; answers whether one has ended since this was asked last, now or by what was
    /// learnt of its receiver: more may be wished for.
    pub fn rouse(&mut self, now: Timestamp) -> bool {
        self.now = self.now.max(now);
        let ids: Vec<SubscriptionId> = self.resting.iter().copied().collect();
        let mut ended = std::mem::take(&mut self.rested);
        for id in ids {
            let Some(lane) = self.lanes.get_mut(&id) else { continue };
            if lane.rests(self.now) {
                ended |= lane.looks_now(self.now);
            } else {
                self.resting.remove(&id);
                ended = true;
            }
            self.list(id);
        }
        ended
    }

    /// When [`Scheduler::rouse`] has something to do next.
    #[must_use]
    pub fn wakes_at(&self) -> Option<Timestamp> {
        let lanes = self.resting.iter().filter_map(|id| self.lanes.get(id));
        lanes.filter_map(|lane| lane.wakes_at(self.now, self.pace)).min()
    }

    /// Notes whether a receiver rests. What is new for one that does is given back: the queue is the place
    /// to wait in.
    pub(super) fn rest_or_not(&mut self, id: SubscriptionId) {
        let Some(lane) = self.lanes.get_mut(&id) else { return };
        if lane.rests(self.now) {
            self.resting.insert(id);
            let turned_away = lane.turn_away();
            self.waiting -= u32::try_from(turned_away.len()).unwrap_or(self.waiting);
            self.late.extend(turned_away);
        } else {
            self.rested |= self.resting.remove(&id);
        }
    }
}
