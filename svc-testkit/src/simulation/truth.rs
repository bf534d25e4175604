//! What really happened, and what must never happen.
//!
//! What is committed is written down here at the same moment, whether or
//! not the store answers its caller. Each rule is checked as soon as something could
//! break it; the first that is broken ends the run.

mod requests;
mod settlements;
mod told;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use svc_core::clock::Timestamp;
use svc_core::event::Event;
use svc_core::id::{DeliveryId, EventId, SubscriptionId};
use svc_webhooks::ports::{FanOut, FannedOut, InitialLease, Lease, Leased};
use svc_webhooks::subscription::Subscription;

use super::committed::Committed;
use super::world::{Process, World};

/// Counts what was committed: a later commit has a greater one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment(u64);

/// What really happened; clones are the same.
#[derive(Clone)]
pub(super) struct Truth {
    world: World,
    pub(super) committed: Arc<dyn Committed>,
    known: Arc<Mutex<Known>>,
}

#[derive(Default)]
pub(super) struct Known {
    moment: Moment,
    /// Every state that each subscription was in, and from when on; nothing when it was removed.
    pub(super) subscriptions: BTreeMap<SubscriptionId, Vec<(Moment, Option<Subscription>)>>,
    pub(super) events: BTreeMap<EventId, Told>,
    /// What was asked for by hand: redeliveries and tests.
    pub(super) asked: BTreeSet<DeliveryId>,
    pub(super) deliveries: BTreeMap<DeliveryId, (EventId, SubscriptionId)>,
    automatic: BTreeMap<(EventId, SubscriptionId), DeliveryId>,
    /// The lease of each delivery that can be settled, and when it ends.
    current_leases: BTreeMap<DeliveryId, (Lease, Timestamp)>,
    leases: BTreeMap<(DeliveryId, i64), Held>,
    lives: BTreeMap<DeliveryId, Life>,
    /// Tests that a server is about to commit.
    tests: BTreeMap<DeliveryId, (Held, InitialLease)>,
    /// Deliveries that a receiver answered with 2xx.
    pub(super) accepted: BTreeSet<DeliveryId>,
    violation: Option<String>,
    transcript: Option<Vec<String>>,
    pub(super) requests: u64,
    pub(super) stale: u64,
}

/// An event that a client published.
pub(super) struct Told {
    pub(super) event: Event,
    /// When a client tried to publish it.
    pub(super) tried: Moment,
    /// Whether they were told that it is published.
    pub(super) acknowledged: bool,
}

/// A lease as it was given.
#[derive(Clone, Copy)]
struct Held {
    server: Process,
    /// The subscription was read between these.
    from: Moment,
    to: Moment,
}

/// What was settled of a delivery.
#[derive(Default)]
struct Life {
    attempts: u8,
    due_at: Option<Timestamp>,
    ended: bool,
}

impl Truth {
    pub(super) fn new(world: World, committed: Arc<dyn Committed>, transcript: bool) -> Self {
        let known = Known { transcript: transcript.then(Vec::new), ..Known::default() };
        Self { world, committed, known: Arc::new(Mutex::new(known)) }
    }

    pub(super) fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn moment(&self) -> Moment {
        self.known().moment
    }

    /// Adds a line to the transcript, if there is one.
    pub(super) fn tell(&self, line: impl FnOnce() -> String) {
        if let Some(transcript) = &mut self.known().transcript {
            transcript.push(format!("{} {}", self.world.now(), line()));
        }
    }

    /// A rule was broken; the first one counts.
    pub(super) fn broken(&self, what: String) {
        self.tell(|| format!("BROKEN: {what}"));
        self.known().violation.get_or_insert(what);
    }

    pub(super) fn violation(&self) -> Option<String> {
        self.known().violation.clone()
    }

    pub(super) fn transcript(&self) -> Vec<String> {
        self.known().transcript.take().unwrap_or_default()
    }

    /// Something was committed: writes down which subscriptions changed.
    pub(super) fn look(&self) {
        let stored = self.committed.subscriptions();
        let known = &mut *self.known();
        known.moment.0 += 1;
        let moment = known.moment;
        known.look_for_tests(&*self.committed);
        for (id, states) in &mut known.subscriptions {
            let gone = !stored.contains_key(id) && states.last().is_some_and(|(_, state)| state.is_some());
            if gone {
                states.push((moment, None));
                let of =
                    |delivery: &DeliveryId| known.deliveries.get(delivery).is_some_and(|(_, of)| of == id);
                known.current_leases.retain(|delivery, _| !of(delivery));
            }
        }
        for (id, subscription) in stored {
            let states = known.subscriptions.entry(id).or_default();
            let last = states.last().and_then(|(_, state)| state.as_ref());
            if last.is_none_or(|last| last.version != subscription.version) {
                states.push((moment, Some(Subscription::clone(&subscription))));
            }
        }
    }

    /// Deliveries were made for events, some of them leased to their maker.
    pub(super) fn fanned_out(&self, server: Process, batch: &FanOut, done: &FannedOut, looked: Moment) {
        self.look();
        let to = self.moment();
        for (delivery, initial_lease) in
            batch.deliveries().filter(|(one, _)| done.deliveries.contains(&one.id))
        {
            let what = (delivery.event, delivery.subscription);
            self.tell(|| {
                let held = if initial_lease.is_some() { ", leased" } else { "" };
                let [delivery, event, of] = [short(delivery.id), short(what.0), short(what.1)];
                format!("server {server}: delivery {delivery} of {event} to {of}{held}")
            });
            let known = &mut *self.known();
            known.deliveries.insert(delivery.id, what);
            if let Some(initial_lease) = initial_lease {
                known.current_leases.insert(delivery.id, (initial_lease.lease, initial_lease.until));
                known.leases.insert((delivery.id, initial_lease.lease.0), Held { server, from: looked, to });
            }
            let twice = known.automatic.insert(what, delivery.id).is_some();
            let unpublished = !known.events.contains_key(&what.0);
            if twice || unpublished {
                let why = if twice { "has two automatic deliveries" } else { "was published by no client" };
                self.known().violation.get_or_insert(format!("event {} {why}", short(what.0)));
            }
        }
    }

    /// Deliveries were leased: no other lease on them may stand.
    pub(super) fn claimed(&self, server: Process, leased: &[Leased], now: Timestamp, until: Timestamp) {
        for Leased { lease, delivery, .. } in leased {
            let id = delivery.id;
            self.tell(|| format!("server {server}: claimed {} under {}", short(id), lease.0));
            let known = &mut *self.known();
            let (from, to) = (known.moment, known.moment);
            let previous = known.current_leases.insert(id, (*lease, until));
            known.leases.insert((id, lease.0), Held { server, from, to });
            let made = known.deliveries.contains_key(&id);
            let ended = known.lives.get(&id).is_some_and(|life| life.ended);
            let why = match previous {
                Some((_, until)) if until > now => "is leased already",
                Some(_) | None if !made => "was made by no server",
                Some(_) | None if ended => "has ended",
                Some(_) | None => continue,
            };
            known.violation.get_or_insert(format!("delivery {} was claimed, and {why}", short(id)));
        }
    }

    /// Leases were given back.
    pub(super) fn released(&self, leased: &[Leased]) {
        for Leased { lease, delivery, .. } in leased {
            self.tell(|| format!("gave back {} under {}", short(delivery.id), lease.0));
            let current_leases = &mut self.known().current_leases;
            if current_leases.get(&delivery.id).is_some_and(|(current, _)| current == lease) {
                current_leases.remove(&delivery.id);
            }
        }
    }
}

impl Known {
    /// The states that a subscription was in between two moments.
    fn states(
        &self,
        id: SubscriptionId,
        from: Moment,
        to: Moment,
    ) -> impl Iterator<Item = Option<&Subscription>> {
        let states = self.subscriptions.get(&id).map(Vec::as_slice).unwrap_or_default();
        let before = states.iter().rfind(|(moment, _)| *moment <= from);
        let since = states.iter().filter(move |(moment, _)| *moment > from && *moment <= to);
        before.into_iter().chain(since).map(|(_, state)| state.as_ref())
    }
}

/// The end of an id: enough to tell it apart.
pub(super) fn short(id: impl Display) -> String {
    let text = id.to_string();
    text.get(text.len().saturating_sub(5)..).unwrap_or_default().to_owned()
}
