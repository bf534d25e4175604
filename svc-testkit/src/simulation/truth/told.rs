//! What people asked for, and what they were told.

use std::collections::BTreeMap;

use svc_core::event::Event;
use svc_core::id::DeliveryId;
use svc_webhooks::delivery::Delivery;
use svc_webhooks::ports::{InitialLease, Leased};

use super::{Held, Known, Moment, Process, Told, Truth, short};
use crate::simulation::committed::Committed;

impl Truth {
    /// A client is about to publish an event: from now on it may be delivered.
    pub(in super::super) fn publishes(&self, event: &Event) {
        let known = &mut *self.known();
        let told = Told { event: event.clone(), tried: known.moment, acknowledged: false };
        known.events.insert(event.id, told);
    }

    /// The client that published it knows that it is published: from now on it must be delivered.
    pub(in super::super) fn published(&self, event: &Event) {
        self.tell(|| format!("event {} is acknowledged", short(event.id)));
        if let Some(told) = self.known().events.get_mut(&event.id) {
            told.acknowledged = true;
        }
    }

    /// A client is about to have an event delivered by hand.
    pub(in super::super) fn asks_for(&self, delivery: &Delivery) {
        let [id, event] = [short(delivery.id), short(delivery.event)];
        self.tell(|| format!("delivery {id} of {event} is asked for by hand"));
        let known = &mut *self.known();
        known.asked.insert(delivery.id);
        known.deliveries.insert(delivery.id, (delivery.event, delivery.subscription));
    }

    /// A server is about to commit a test that is leased to it, which may or may not be made. It reads the
    /// subscription at `from` or after it.
    pub(in super::super) fn tests(
        &self,
        server: Process,
        leased: &Leased,
        initial_lease: InitialLease,
        from: Moment,
    ) {
        let as_read = Held { server, from, to: from };
        self.known().tests.insert(leased.delivery.id, (as_read, initial_lease));
    }
}

impl Known {
    /// Tests that were committed since the last look are leased from now on.
    pub(super) fn look_for_tests(&mut self, committed: &dyn Committed) {
        if self.tests.is_empty() {
            return;
        }
        let asked: Vec<DeliveryId> = self.tests.keys().copied().collect();
        let there = committed.those_made(&asked);
        let (made, rest) =
            std::mem::take(&mut self.tests).into_iter().partition(|(id, _)| there.contains(id));
        let made: BTreeMap<DeliveryId, (Held, InitialLease)> = made;
        self.tests = rest;
        for (id, (held, initial_lease)) in made {
            self.current_leases.insert(id, (initial_lease.lease, initial_lease.until));
            self.leases.insert((id, initial_lease.lease.0), Held { to: self.moment, ..held });
        }
    }
}
