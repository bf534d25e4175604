//! The deliveries that the deliverer has in hand.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::id::DeliveryId;
use svc_webhooks::delivery::{AnswerBudget, Attempt};
use svc_webhooks::ports::{Leased, Settlement};
use svc_webhooks::scheduler::{Capacity, Ended, Scheduler};
use tokio::task::{JoinError, JoinSet};
use tokio::time::Instant;

use super::SLOTS;
use crate::observer::Observer;
use crate::task::Parts;

/// Attempts under way, and deliveries that wait for a slot, at most.
const CAPACITY: Capacity = Capacity { attempts: SLOTS, waiting: 2_048 };
/// Attempts that were started and are not settled, at most: all of them are in memory, and a crash has each made again.
pub(super) const UNSETTLED: usize = 2_560;
/// So many settlements do not wait for more.
const ENOUGH: usize = 100;
/// How long the settlement of an attempt that arrived waits for company.
const SETTLE_WITHIN: Duration = Duration::from_millis(10);
/// The same of one that failed: when a crash has it made again, nothing arrives twice.
const SETTLE_FAILED_WITHIN: Duration = Duration::from_millis(100);

/// The deliveries that the deliverer has in hand, from the lease to the settlement.
pub(super) struct DelivererState {
    pub(super) scheduler: Scheduler,
    pub(super) observer: Arc<dyn Observer>,
    pub(super) attempts: JoinSet<Settlement>,
    /// Attempts that were started and not settled.
    pub(super) started: HashMap<DeliveryId, Leased>,
    /// Attempted and not settled.
    pub(super) ended: Vec<Settlement>,
    pub(super) settle_at: Option<Instant>,
    /// What the log keeps of answers.
    answers: AnswerBudget,
}

impl DelivererState {
    pub(super) fn new(parts: &Parts) -> Self {
        Self {
            scheduler: Scheduler::with_schedule(CAPACITY, &parts.attempts.schedule),
            observer: Arc::clone(&parts.observer),
            attempts: JoinSet::new(),
            started: HashMap::new(),
            ended: Vec::new(),
            settle_at: None,
            answers: AnswerBudget::default(),
        }
    }

    /// The next delivery to attempt, if there is a slot for one and the settlements are not far behind.
    pub(super) fn next(&mut self, now: Timestamp) -> Option<Leased> {
        if self.may_attempt() { self.scheduler.start(now) } else { None }
    }

    /// How many more deliveries may be taken on.
    pub(super) fn room(&self) -> u32 {
        if self.may_attempt() { self.scheduler.room() } else { 0 }
    }

    /// Whether the settlements of earlier attempts are not far behind.
    fn may_attempt(&self) -> bool {
        self.started.len() < UNSETTLED
    }

    /// Takes in how an attempt ended.
    pub(super) fn record(&mut self, joined: Result<Settlement, JoinError>) {
        let mut settlement = match joined {
            Ok(settlement) => settlement,
            // A panic is a fault of the program: the deliverer ends with it.
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => return,
            },
        };
        self.observer.attempted(&settlement);
        if let Some(attempt) = &mut settlement.attempt {
            self.answers.spend(settlement.delivery.account, attempt.ended_at(), attempt);
        }
        let arrived = self.tell_scheduler(&settlement);
        self.ended.push(settlement);
        let within = if arrived { SETTLE_WITHIN } else { SETTLE_FAILED_WITHIN };
        let within = if self.ended.len() >= ENOUGH { Duration::ZERO } else { within };
        let due = Instant::now() + within;
        self.settle_at = Some(self.settle_at.map_or(due, |at| at.min(due)));
    }

    /// Takes in all attempts that have ended by now.
    pub(super) fn record_finished(&mut self) {
        while let Some(joined) = self.attempts.try_join_next() {
            self.record(joined);
        }
    }

    /// Tells the scheduler how an attempt ended; answers whether it arrived.
    fn tell_scheduler(&mut self, Settlement { delivery, attempt, asked_until, .. }: &Settlement) -> bool {
        let attempt = attempt.as_ref();
        let arrived = attempt.is_some_and(|attempt| attempt.outcome.arrived());
        self.scheduler.ended(Ended {
            subscription: delivery.subscription,
            account: delivery.account,
            retry: attempt.map_or(delivery.attempts > 0, |attempt| attempt.number > 1),
            arrived,
            took: attempt.map(|attempt| attempt.outcome.duration).unwrap_or_default(),
            at: attempt.map(Attempt::ended_at),
            asked_until: *asked_until,
            peer: attempt.and_then(|attempt| attempt.peer).map(|peer| peer.ip()),
        });
        arrived
    }
}
