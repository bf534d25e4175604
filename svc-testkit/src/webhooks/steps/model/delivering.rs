//! Deliveries: parts 3.3, 6.1 and 6.5 of the specification, and the leases under which they are made.

pub(in super::super) mod claims;

use std::time::Duration;

use svc_core::clock::Timestamp;

use super::{Model, ModelEvent, ModelQueued, ModelSubscription};
use crate::webhooks::model::{ModelDelivery, Step};
use crate::webhooks::steps::history::{By, LEASE, Pick, Reply, row};
use crate::webhooks::steps::seen::{Answer, SeenAttempt, SeenAttempted, SeenOutcome, SeenSubscription};

/// How late an event may be committed and still look as if it came after a subscription.
const SKEW: Duration = Duration::from_secs(5);

/// The waits after failed attempts 1 to 5.
const WAITS: [Duration; 5] = [
    Duration::from_mins(1),
    Duration::from_mins(5),
    Duration::from_mins(30),
    Duration::from_hours(2),
    Duration::from_hours(12),
];

const ATTEMPTS: usize = WAITS.len() + 1;

/// A lease, and what its holder was told with it.
#[derive(Clone)]
pub(in super::super) struct ModelLease {
    number: usize,
    pub(in super::super) delivery: usize,
    subscription: SeenSubscription,
    life: ModelDelivery,
}

/// An attempt that may be written back.
#[derive(Clone)]
pub(in super::super) struct Settling {
    lease: usize,
    delivery: usize,
    life: ModelDelivery,
    last: SeenOutcome,
    attempt: Option<SeenAttempt>,
}

impl Model {
    pub(in super::super) fn publish(
        &mut self,
        company: Option<usize>,
        kind: &'static str,
        count: usize,
        ago: Duration,
    ) -> Answer {
        for _ in 0..count {
            self.happen(ModelEvent { company, kind, occurred_at: self.now.minus(ago) });
        }
        Answer::Done
    }

    fn happen(&mut self, event: ModelEvent) -> usize {
        let number = self.events.len();
        self.events.push(event);
        self.outbox.push_back(number);
        number
    }

    /// The oldest events leave the outbox, and each subscription that wants one has a delivery of it.
    pub(in super::super) fn fan_out(&mut self, worker: usize, events: u32, room: u32) -> Answer {
        let taken: Vec<_> = self.outbox.drain(..self.outbox.len().min(events as usize)).collect();
        let (mut deliveries, mut leased) = (0, 0);
        for number in 0..self.subscriptions.len() {
            let mut left = room;
            for event in &taken {
                let Some(one) = self.subscriptions.get(number).and_then(Option::as_ref) else { continue };
                let happened = self.events.get(*event).expect("it was published");
                if !one.wants(happened) {
                    continue;
                }
                let (subscription, kind) = (one.seen.clone(), happened.kind);
                let delivery = self.deliver(number, *event, (kind, ATTEMPTS), true);
                deliveries += 1;
                if left > 0 {
                    left -= 1;
                    leased += 1;
                    self.lease(worker, delivery, subscription);
                }
            }
        }
        Answer::FannedOut { events: taken.len(), deliveries, leased }
    }

    fn deliver(
        &mut self,
        subscription: usize,
        event: usize,
        (kind, most): (&'static str, usize),
        automatic: bool,
    ) -> usize {
        let number = self.made;
        self.made += 1;
        let queued = ModelQueued {
            subscription,
            event,
            kind,
            automatic,
            most,
            created_at: self.now,
            life: ModelDelivery::new(self.now, most, WAITS),
            attempts: Vec::new(),
            last: None,
            lease: None,
        };
        self.deliveries.insert(number, queued);
        number
    }

    fn lease(&mut self, worker: usize, delivery: usize, subscription: SeenSubscription) {
        let queued = self.deliveries.get_mut(&delivery).expect("it is there");
        self.leases += 1;
        queued.lease = Some((self.leases, self.now.plus(LEASE)));
        let lease = ModelLease { number: self.leases, delivery, subscription, life: queued.life.clone() };
        self.workers.get_mut(worker).expect("a worker").leases.push(lease);
    }

    /// The lease that is so far back of all that the worker ever had.
    pub(in super::super) fn lease_of(&self, worker: usize, back: usize) -> Option<usize> {
        row(back, 1, self.workers.get(worker)?.leases.len()).next()
    }

    /// What is sent goes where the subscription was when it was leased, signed with its secret of then; one
    /// that was off then gets nothing, and the delivery ends.
    pub(in super::super) fn attempt(
        &mut self,
        worker: usize,
        lease: usize,
        reply: Reply,
        takes: Duration,
    ) -> Answer {
        let started = self.now;
        let worker = self.workers.get_mut(worker).expect("a worker");
        let lease = worker.leases.get(lease).expect("it was had").clone();
        let ModelLease { number, delivery, subscription, mut life } = lease;
        let outcome = |status_code, failed, reason: Option<&str>, took| SeenOutcome {
            status_code,
            failed,
            reason: reason.map(ToOwned::to_owned),
            took,
        };
        if subscription.active_since.is_none() {
            assert!(life.step(Step::Cancel, started), "what is leased has not ended");
            let last = outcome(None, true, Some("subscription_inactive"), Duration::ZERO);
            worker.attempted.push(Settling { lease: number, delivery, life, last, attempt: None });
            return Answer::Attempted(SeenAttempted { delivery, sent: None });
        }
        self.now = started.plus(takes);
        let (status_code, failed) = match reply {
            Reply::Status(code) => (Some(code), !(200..300).contains(&code)),
            Reply::TimeOut => (None, true),
        };
        let step = if failed { Step::Fail } else { Step::Succeed };
        assert!(life.step(step, self.now), "what is leased has not ended");
        let last = outcome(status_code, failed, None, takes);
        let attempt = SeenAttempt { number: life.attempts(), at: started, outcome: last.clone() };
        worker.attempted.push(Settling { lease: number, delivery, life, last, attempt: Some(attempt) });
        Answer::Attempted(SeenAttempted { delivery, sent: Some((subscription.url, subscription.secret)) })
    }

    /// What was attempted counts while its lease is the one that stands, and once.
    pub(in super::super) fn settle(&mut self, worker: usize, back: usize, count: usize) -> Answer {
        let attempted = &self.workers.get(worker).expect("a worker").attempted;
        let some = attempted.get(row(back, count, attempted.len())).unwrap_or_default().to_vec();
        if some.is_empty() {
            return Answer::Done;
        }
        let mut settled = 0;
        for Settling { lease, delivery, life, last, attempt } in some {
            let Some(queued) = self.held(delivery, lease) else { continue };
            queued.lease = None;
            queued.life = life;
            queued.last = Some(last);
            queued.attempts.extend(attempt);
            settled += 1;
        }
        Answer::Settled(settled)
    }

    /// A lease that stands is given back; another one stays as it is.
    pub(in super::super) fn release(&mut self, worker: usize, back: usize, count: usize) -> Answer {
        let leases = &self.workers.get(worker).expect("a worker").leases;
        let some = leases.get(row(back, count, leases.len())).unwrap_or_default().to_vec();
        for ModelLease { number, delivery, .. } in some {
            if let Some(queued) = self.held(delivery, number) {
                queued.lease = None;
            }
        }
        Answer::Done
    }

    fn held(&mut self, delivery: usize, lease: usize) -> Option<&mut ModelQueued> {
        let queued = self.deliveries.get_mut(&delivery)?;
        queued.lease.is_some_and(|(held, _)| held == lease).then_some(queued)
    }

    /// What has ended is sent once more: another delivery of the same event.
    pub(in super::super) fn redeliver(&mut self, delivery: Pick, by: By) -> Answer {
        let found = delivery.of(self.made).and_then(|number| self.deliveries.get(&number));
        let Some(earlier) = found.filter(|_| matches!(by, By::Owner)) else { return Answer::NotFound };
        if earlier.life.next_attempt_at().is_some() {
            return Answer::NotEnded(earlier.life.status());
        }
        let (subscription, event, kind, most) =
            (earlier.subscription, earlier.event, earlier.kind, earlier.most);
        let present = self.reached(Some(subscription), By::Owner).expect("its log goes with it");
        if present.seen.active_since.is_none() {
            return Answer::Inactive;
        }
        Answer::Added(self.deliver(subscription, event, (kind, most), false))
    }

    /// One attempt, leased to the server that was asked for it.
    pub(in super::super) fn test(&mut self, subscription: Pick, by: By, worker: usize) -> Answer {
        let number = subscription.of(self.subscriptions.len());
        let Some(found) = self.reached(number, by).map(|found| found.seen.clone()) else {
            return Answer::NotFound;
        };
        if found.active_since.is_none() {
            return Answer::Inactive;
        }
        let (kind, occurred_at) = ("webhook.test", self.now);
        let event = self.happen(ModelEvent { company: Some(found.company), kind, occurred_at });
        let delivery = self.deliver(found.number, event, (kind, 1), false);
        self.lease(worker, delivery, found);
        Answer::Added(delivery)
    }

    /// What has ended and is older goes, the oldest first.
    pub(in super::super) fn purge(
        &mut self,
        before: Timestamp,
        limit: u32,
        gone: &[usize],
    ) -> Result<(), String> {
        let old =
            |queued: &ModelQueued| queued.life.next_attempt_at().is_none() && queued.created_at < before;
        let due: Vec<_> = self.deliveries.iter().filter(|(_, queued)| old(queued)).collect();
        let expected = due.len().min(limit as usize);
        if gone.len() != expected || !gone.iter().all(|one| due.iter().any(|(number, _)| *number == one)) {
            return Err(format!(
                "{expected} go, of {:?}",
                due.iter().map(|(number, _)| number).collect::<Vec<_>>()
            ));
        }
        let ages = |went: bool| {
            let of = due.iter().filter(move |(number, _)| gone.contains(number) == went);
            of.map(|(_, queued)| queued.created_at)
        };
        if ages(true).max() > ages(false).min() && expected < due.len() {
            return Err("older ones stayed".to_owned());
        }
        self.deliveries.retain(|number, _| !gone.contains(number));
        Ok(())
    }
}

impl ModelSubscription {
    /// Of its company, of a type that it lists, and not from before it was there or from while it was off.
    fn wants(&self, event: &ModelEvent) -> bool {
        let awake = self.seen.active_since.is_some_and(|since| {
            let from = if self.was_off { since } else { since.minus(SKEW) };
            event.occurred_at >= from
        });
        awake && event.company == Some(self.seen.company) && self.seen.events.contains(&event.kind)
    }
}
