//! What may be sent, and to whom.

use svc_core::event::EventDeclaration;
use svc_core::id::{DeliveryId, EventId, SubscriptionId};
use svc_webhooks::ports::{Lease, Outgoing};
use svc_webhooks::signature::Verifier;
use svc_webhooks::subscription::Subscription;

use super::{Held, Known, Truth, short};

impl Truth {
    /// A request leaves under a lease.
    ///
    /// It goes to where the subscription was when it was leased, signed with its secret of then, and only
    /// if it was active then; it carries an event that was published, as it was published, of a type and
    /// a company that are the subscription's.
    pub(in super::super) fn sent(&self, delivery: DeliveryId, lease: Lease, request: &Outgoing) {
        let checked = {
            let known = &mut *self.known();
            known.requests += 1;
            known.check(delivery, lease, request, self.world.now())
        };
        match checked {
            Ok(server) => {
                self.tell(|| format!("server {server}: sends {} under {}", short(delivery), lease.0));
            }
            Err(why) => self.broken(format!("delivery {} was sent, and {why}", short(delivery))),
        }
    }

    /// A receiver answered 2xx.
    pub(in super::super) fn accepted(&self, delivery: DeliveryId) {
        self.tell(|| format!("{} is accepted", short(delivery)));
        self.known().accepted.insert(delivery);
    }
}

impl Known {
    fn check(
        &self,
        delivery: DeliveryId,
        lease: Lease,
        request: &Outgoing,
        now: svc_core::clock::Timestamp,
    ) -> Result<usize, &'static str> {
        let Held { server, from, to } =
            *self.leases.get(&(delivery, lease.0)).ok_or("no server leased it")?;
        let (event, subscription) = *self.deliveries.get(&delivery).ok_or("no server made it")?;
        let told = &self.events.get(&event).ok_or("its event was published by no client")?.event;
        if request.body != told.body() {
            return Err("its body is not that of its event");
        }
        let at_the_time: Vec<&Subscription> = self.states(subscription, from, to).flatten().collect();
        if at_the_time.is_empty() {
            return Err("its subscription was removed before it was leased");
        }
        let active: Vec<_> = at_the_time.into_iter().filter(|one| one.is_active()).collect();
        if active.is_empty() {
            return Err("its subscription was switched off before it was leased");
        }
        let signed: Vec<_> =
            active.into_iter().filter(|one| is_signed(one, request, (delivery, event), now)).collect();
        if signed.is_empty() {
            return Err("its signature is of no secret of the time when it was leased");
        }
        if !signed.iter().any(|one| one.endpoint == request.endpoint) {
            return Err("it goes to where its subscription was not when it was leased");
        }
        if !self.concerns(event, subscription) {
            return Err("its event is none that its subscription ever wanted");
        }
        Ok(server)
    }

    /// Whether the subscription ever listed the type of the event, of its company.
    pub(in super::super) fn concerns(&self, event: EventId, subscription: SubscriptionId) -> bool {
        let Some(told) = self.events.get(&event).map(|told| &told.event) else { return false };
        let states = self.subscriptions.get(&subscription).into_iter().flatten();
        let wanted = |one: &Subscription| {
            told.account() == Some(one.account)
                && (one.events.contains(&told.kind) || told.kind == EventDeclaration::TEST.kind())
        };
        states.filter_map(|(_, state)| state.as_ref()).any(wanted)
    }
}

/// Whether the receiver of the subscription takes the request for genuine, at the hands of its clock.
fn is_signed(
    subscription: &Subscription,
    request: &Outgoing,
    (delivery, event): (DeliveryId, EventId),
    now: svc_core::clock::Timestamp,
) -> bool {
    let verifier = Verifier::new([subscription.secret.expose()]).expect("a whole secret");
    let headers = request.headers.iter().map(|(name, value)| (*name, value.as_str()));
    verifier
        .verify(headers, &request.body, now)
        .is_ok_and(|verified| verified.event == event && verified.delivery == Some(delivery))
}
