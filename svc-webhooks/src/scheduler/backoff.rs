//! Receivers in backoff: when a backoff begins, and when it is over.

use svc_core::clock::Timestamp;
use svc_core::id::SubscriptionId;

use super::Scheduler;

impl Scheduler {
    /// Ends the backoffs that are over; answers whether one has ended since the worker asked last, now or by what
    /// the scheduler learnt of its receiver: a claim may then take more.
    pub fn check_backoffs(&mut self, now: Timestamp) -> bool {
        self.now = self.now.max(now);
        // What waited for a host without a proof has its turn already, and is looked at now.
        let ids: Vec<SubscriptionId> = self.in_backoff.iter().copied().collect();
        let mut ended = std::mem::take(&mut self.backoff_ended);
        for id in ids {
            let Some(lane) = self.lanes.get_mut(&id) else { continue };
            if lane.in_backoff(self.now) {
                ended |= lane.begins_recheck(self.now);
            } else {
                self.in_backoff.remove(&id);
                ended = true;
            }
            self.list(id);
        }
        ended
    }

    /// When [`Scheduler::check_backoffs`] has something to do next.
    #[must_use]
    pub fn next_backoff_check(&self) -> Option<Timestamp> {
        let lanes = self.in_backoff.iter().filter_map(|id| self.lanes.get(id));
        let backoffs = lanes.filter_map(|lane| lane.next_check(self.now, self.policy)).min();
        let trickles = self.proofs.next(self.now).filter(|_| self.waiting > 0);
        [backoffs, trickles].into_iter().flatten().min()
    }

    /// Notes whether a receiver is in backoff. The scheduler gives back what is new for one that is: such deliveries
    /// wait in the queue.
    pub(super) fn note_backoff(&mut self, id: SubscriptionId) {
        let Some(lane) = self.lanes.get_mut(&id) else { return };
        if lane.in_backoff(self.now) {
            self.in_backoff.insert(id);
            let turned_away = lane.turn_away();
            self.waiting -= u32::try_from(turned_away.len()).unwrap_or(self.waiting);
            self.late.extend(turned_away);
        } else {
            self.backoff_ended |= self.in_backoff.remove(&id);
        }
    }
}
