//! Receivers in backoff: when a backoff begins, and when it is over.

use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::id::SubscriptionId;

use super::Scheduler;

/// How often it is looked whether receivers have stopped.
const STOP_CHECK: Duration = Duration::from_millis(500);

impl Scheduler {
    /// Ends the backoffs that are over, and takes back most of what waits for receivers that have stopped; answers
    /// whether a backoff has ended since the worker asked last, now or by what the scheduler learnt of its receiver: a
    /// claim may then take more.
    pub fn check_backoffs(&mut self, now: Timestamp) -> bool {
        self.now = self.now.max(now);
        // What waited for a host without a proof has its turn already, and is looked at now.
        let ids: Vec<SubscriptionId> = self.in_backoff.iter().copied().collect();
        let mut ended = std::mem::take(&mut self.backoff_ended);
        self.check_stopped();
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
        let trickles = self.proofs.next(self.now).filter(|_| self.waiting() > 0);
        let stopped = Some(self.stop_check).filter(|_| self.waiting() > 0 && self.under_way > 0);
        [backoffs, trickles, stopped].into_iter().flatten().min()
    }

    fn check_stopped(&mut self) {
        if self.now < self.stop_check {
            return;
        }
        self.stop_check = self.now.plus(STOP_CHECK);
        let stopped = self.lanes.iter().filter(|(_, lane)| lane.has_stopped(self.now)).map(|(id, _)| *id);
        for id in stopped.collect::<Vec<_>>() {
            let before = self.full(id);
            let Some(lane) = self.lanes.get_mut(&id) else { continue };
            let away = lane.turn_away_excess(self.now);
            self.turn_away(away);
            self.note_room(id, before);
        }
    }

    /// Notes whether a receiver is in backoff. The scheduler gives back what is new for one that is: such deliveries
    /// wait in the queue.
    pub(super) fn note_backoff(&mut self, id: SubscriptionId) {
        let Some(lane) = self.lanes.get_mut(&id) else { return };
        if lane.in_backoff(self.now) {
            self.in_backoff.insert(id);
            let turned_away = lane.turn_away();
            self.turn_away(turned_away);
        } else {
            self.backoff_ended |= self.in_backoff.remove(&id);
        }
    }
}
