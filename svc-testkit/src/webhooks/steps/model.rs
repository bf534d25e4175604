//! The reference: subscriptions and deliveries as maps, and the rules of the specification over them.

pub(super) mod delivering;
mod subscribing;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use svc_core::clock::Timestamp;

use self::delivering::{ModelLease, Settling};
use super::history::{By, COMPANIES, START, WORKERS};
use super::seen::{Picture, SeenAttempt, SeenDelivery, SeenDepth, SeenOutcome, SeenSubscription};
use crate::webhooks::model::ModelDelivery;

/// All that the model knows.
pub(super) struct Model {
    pub(super) now: Timestamp,
    /// By number; a removed one is gone.
    subscriptions: Vec<Option<ModelSubscription>>,
    /// What the audit log says of each subscription.
    pub(super) audited: Vec<(usize, Vec<&'static str>)>,
    events: Vec<ModelEvent>,
    outbox: VecDeque<usize>,
    /// By number; one that was purged, or whose subscription was removed, is gone.
    deliveries: BTreeMap<usize, ModelQueued>,
    /// Deliveries that were ever made.
    pub(super) made: usize,
    /// Claims of one delivery that were ever made.
    leases: usize,
    pub(super) workers: [ModelWorker; WORKERS],
}

/// A subscription, and what it keeps to itself.
#[derive(Clone, PartialEq, Eq)]
struct ModelSubscription {
    seen: SeenSubscription,
    /// Whether it was ever switched off.
    was_off: bool,
}

struct ModelEvent {
    company: Option<usize>,
    kind: &'static str,
    occurred_at: Timestamp,
}

/// A delivery and its place in the queue.
struct ModelQueued {
    subscription: usize,
    event: usize,
    kind: &'static str,
    automatic: bool,
    most: usize,
    created_at: Timestamp,
    life: ModelDelivery,
    attempts: Vec<SeenAttempt>,
    last: Option<SeenOutcome>,
    /// The number of the lease, and when it ends.
    lease: Option<(usize, Timestamp)>,
}

/// Everything that a worker ever held in hands.
#[derive(Default)]
pub(super) struct ModelWorker {
    pub(super) leases: Vec<ModelLease>,
    pub(super) attempted: Vec<Settling>,
}

impl ModelQueued {
    /// When it can be claimed: when it is due and its lease has ended.
    fn claimable_at(&self) -> Option<Timestamp> {
        let due_at = self.life.next_attempt_at()?;
        Some(self.lease.map_or(due_at, |(_, until)| until.max(due_at)))
    }

    fn is_free(&self, now: Timestamp) -> bool {
        self.claimable_at().is_some_and(|at| at <= now)
    }

    fn is_retry(&self) -> bool {
        self.life.attempts() > 0
    }

    fn seen(&self, number: usize) -> SeenDelivery {
        SeenDelivery {
            number,
            subscription: self.subscription,
            event: self.event,
            kind: self.kind,
            automatic: self.automatic,
            status: self.life.status(),
            attempts: self.life.attempts(),
            most: self.most,
            next_attempt_at: self.life.next_attempt_at(),
            last: self.last.clone(),
            created_at: self.created_at,
        }
    }
}

impl Model {
    pub(super) fn new() -> Self {
        Self {
            now: START,
            subscriptions: Vec::new(),
            audited: Vec::new(),
            events: Vec::new(),
            outbox: VecDeque::new(),
            deliveries: BTreeMap::new(),
            made: 0,
            leases: 0,
            workers: Default::default(),
        }
    }

    /// Subscriptions that were ever made.
    pub(super) fn subscribed(&self) -> usize {
        self.subscriptions.len()
    }

    /// The subscriptions of a company that are there.
    fn present(&self, company: usize) -> impl Iterator<Item = &ModelSubscription> {
        self.subscriptions.iter().flatten().filter(move |one| one.seen.company == company)
    }

    /// The subscription, if it is there and the caller may know of it.
    fn reached(&self, number: Option<usize>, by: By) -> Option<&ModelSubscription> {
        let found = self.subscriptions.get(number?)?.as_ref();
        found.filter(|_| matches!(by, By::Owner))
    }

    /// How long nothing can be claimed from now on; nothing waits at all without an answer.
    pub(super) fn quiet_for(&self) -> Option<Duration> {
        self.next_claim().map(|at| at.since(self.now))
    }

    pub(super) fn next_claim(&self) -> Option<Timestamp> {
        self.deliveries.values().filter_map(ModelQueued::claimable_at).min()
    }

    /// The delivery that the fan-out of an event made for a subscription.
    pub(super) fn automatic(&self, event: usize, subscription: usize) -> Option<usize> {
        let made = |queued: &ModelQueued| (queued.event, queued.subscription) == (event, subscription);
        let mut found = self.deliveries.iter().filter(|(_, queued)| queued.automatic && made(queued));
        found.next().map(|(number, _)| *number)
    }

    /// What must be seen now. `newer` says which of two deliveries of one instant the log shows first.
    pub(super) fn picture(&self, newer: impl Fn(usize, usize) -> std::cmp::Ordering) -> Picture {
        let subscriptions: Vec<Vec<SeenSubscription>> = (0..COMPANIES)
            .map(|company| self.present(company).map(|one| one.seen.clone()).collect())
            .collect();
        let log = |subscription: &SeenSubscription| {
            let of = self.deliveries.iter().filter(|(_, queued)| queued.subscription == subscription.number);
            let mut log: Vec<_> =
                of.map(|(number, queued)| (queued.seen(*number), queued.attempts.clone())).collect();
            log.sort_by(|(one, _), (other, _)| {
                other.created_at.cmp(&one.created_at).then_with(|| newer(other.number, one.number))
            });
            log
        };
        let logs = subscriptions.iter().flatten().map(log).collect();
        let open = || self.deliveries.values().filter(|queued| queued.life.next_attempt_at().is_some());
        let due = open().filter(|queued| queued.is_free(self.now));
        Picture {
            subscriptions,
            logs,
            depth: Some(SeenDepth {
                events: self.outbox.len() as u64,
                queued: open().count() as u64,
                oldest_due: due.filter_map(|queued| queued.life.next_attempt_at()).min(),
            }),
        }
    }
}
