//! Claims: the storage chooses, within rules.

use std::collections::{BTreeMap, BTreeSet};

use svc_core::clock::Timestamp;

use super::super::{Model, ModelQueued};
use crate::webhooks::steps::seen::SeenLease;

/// What a worker asks for.
#[derive(Clone, Copy, Debug)]
pub(in super::super::super) struct ModelRequest {
    pub(in super::super::super) limit: u32,
    pub(in super::super::super) each: u32,
    /// A subscription with a room of its own.
    pub(in super::super::super) room: Option<(usize, u32)>,
    pub(in super::super::super) retries: bool,
}

impl ModelRequest {
    fn room(&self, subscription: usize) -> u32 {
        self.room.filter(|(known, _)| *known == subscription).map_or(self.each, |(_, room)| room)
    }
}

impl Model {
    /// Validator what was chosen, and goes on from it.
    pub(in super::super::super) fn claimed(
        &mut self,
        worker: usize,
        request: ModelRequest,
        leased: &[SeenLease],
    ) -> Result<(), String> {
        let chosen: BTreeSet<_> = leased.iter().map(|lease| lease.delivery.number).collect();
        if chosen.len() < leased.len() {
            return Err("a delivery was leased twice at once".to_owned());
        }
        if leased.len() > request.limit as usize {
            return Err(format!("no more than {} were asked for", request.limit));
        }
        let mut last = Timestamp::default();
        let mut counts = BTreeMap::<usize, u32>::new();
        for SeenLease { delivery, subscription, intact } in leased {
            let number = delivery.number;
            let queued = self.deliveries.get(&number).filter(|queued| queued.is_free(self.now));
            let queued = queued.ok_or_else(|| format!("delivery {number} could not be claimed"))?;
            if *delivery != queued.seen(number) {
                return Err(format!("delivery {number} is\n{:#?}", queued.seen(number)));
            }
            if queued.is_retry() && !request.retries {
                return Err(format!("delivery {number} was attempted before"));
            }
            let present = self.subscriptions.get(queued.subscription).and_then(Option::as_ref);
            if subscription.as_ref() != present.map(|present| &present.seen) {
                return Err(format!("subscription {} is not as it was told", queued.subscription));
            }
            if !intact {
                return Err(format!("delivery {number} does not carry its event"));
            }
            *counts.entry(queued.subscription).or_default() += 1;
            let due_at = queued.life.next_attempt_at().unwrap_or_default();
            if due_at < last {
                return Err("what is due longest does not come first".to_owned());
            }
            last = due_at;
        }
        if let Some((number, count)) =
            counts.into_iter().find(|(number, count)| *count > request.room(*number))
        {
            return Err(format!(
                "{count} of subscription {number}, which has room for {}",
                request.room(number)
            ));
        }
        self.in_turn(&chosen)?;
        for delivery in leased.iter().map(|lease| lease.delivery.number) {
            let subscription = self.deliveries.get(&delivery).expect("checked before").subscription;
            let present = self.subscriptions.get(subscription).and_then(Option::as_ref);
            let seen = present.expect("its log goes with it").seen.clone();
            self.lease(worker, delivery, seen);
        }
        Ok(())
    }

    /// Of the first attempts of a subscription those that are due longest are leased, and of the later ones.
    fn in_turn(&self, chosen: &BTreeSet<usize>) -> Result<(), String> {
        let mut lanes = BTreeMap::<(usize, bool), Vec<(Timestamp, usize)>>::new();
        for (number, queued) in &self.deliveries {
            if let Some(due_at) = queued.life.next_attempt_at().filter(|_| queued.is_free(self.now)) {
                lanes.entry((queued.subscription, queued.is_retry())).or_default().push((due_at, *number));
            }
        }
        for lane in lanes.into_values() {
            let due = |leased: bool| {
                let of = lane.iter().filter(move |(_, number)| chosen.contains(number) == leased);
                of.map(|(due_at, _)| *due_at)
            };
            if let (Some(latest), Some(earliest)) = (due(true).max(), due(false).min())
                && latest > earliest
            {
                return Err("others of the subscription are due for longer".to_owned());
            }
        }
        Ok(())
    }

    /// What could be claimed now.
    pub(in super::super::super) fn claimable(&self) -> Vec<usize> {
        let free = self.deliveries.iter().filter(|(_, queued): &(_, &ModelQueued)| queued.is_free(self.now));
        free.map(|(number, _)| *number).collect()
    }
}
