//! What a batch of settlements adds to the health of each receiver.

use std::collections::BTreeMap;

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, SubscriptionId};

use super::{Counts, half_day};
use crate::ports::Settlement;

/// The attempts of one batch to one receiver, added up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// The company of the subscription.
    pub account: AccountId,
    /// The half day of the latest attempt.
    pub half_day: i64,
    /// How many succeeded and failed.
    pub counts: Counts,
    /// When the latest success ended.
    pub last_success_at: Option<Timestamp>,
    /// When the latest failure ended.
    pub last_failure_at: Option<Timestamp>,
    /// Why that one failed.
    pub last_error: Option<String>,
    /// Failures after the latest success of the batch; all, if it has none.
    pub consecutive_failures: u32,
    /// The latest instant that one of these failures asked to be left alone until.
    pub asked_until: Option<Timestamp>,
}

impl Tally {
    /// One tally for each subscription to which an attempt was made, in the order of their ids.
    pub fn of<'a>(settlements: impl IntoIterator<Item = &'a Settlement>) -> BTreeMap<SubscriptionId, Self> {
        let mut ended: Vec<(Timestamp, &Settlement)> =
            settlements.into_iter().filter_map(|one| Some((one.attempt.as_ref()?.ended_at(), one))).collect();
        ended.sort_by_key(|(at, one)| (*at, one.delivery.id));
        let mut tallies = BTreeMap::new();
        for (at, one) in ended {
            let tally =
                tallies.entry(one.delivery.subscription).or_insert_with(|| Self::empty(one.delivery.account));
            tally.add(at, one);
        }
        tallies
    }

    fn empty(account: AccountId) -> Self {
        Self {
            account,
            half_day: i64::MIN,
            counts: Counts::default(),
            last_success_at: None,
            last_failure_at: None,
            last_error: None,
            consecutive_failures: 0,
            asked_until: None,
        }
    }

    fn add(&mut self, at: Timestamp, settlement: &Settlement) {
        self.half_day = self.half_day.max(half_day(at));
        let error = settlement.attempt.as_ref().and_then(|attempt| attempt.outcome.error.as_ref());
        if let Some(error) = error {
            self.counts.failures += 1;
            self.consecutive_failures += 1;
            self.last_failure_at = Some(at);
            self.last_error = Some(error.clone());
            self.asked_until = self.asked_until.max(settlement.asked_until);
        } else {
            self.counts.successes += 1;
            self.consecutive_failures = 0;
            self.last_success_at = Some(at);
            self.asked_until = None;
        }
    }
}
