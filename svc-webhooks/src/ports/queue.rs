//! The queue of deliveries that are due.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::event::{Event, EventType};
use svc_core::id::{EventId, SubscriptionId};
use svc_core::random::{self, RandomSource};
use svc_core::tenant::Tenant;

use super::{FanOut, FannedOut, Waiting};
use crate::delivery::{Attempt, Delivery};
use crate::health::ReceiverBackoff;
use crate::subscription::Subscription;

/// Proof of a claim: a completion with another token changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lease(pub i64);

impl Lease {
    /// A random token, for a delivery that is leased as it is added: never negative.
    ///
    /// Queues make the tokens of their claims themselves.
    pub fn generate(random: &dyn RandomSource) -> Self {
        Self(i64::from_be_bytes(random::bytes(random)) & i64::MAX)
    }
}

/// The event of a leased delivery, as it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    /// Event id.
    pub id: EventId,
    /// Event type.
    pub kind: EventType,
    /// Company, or other tenant, of the event.
    ///
    /// A storage that has the account and the body makes it with [`Tenant::of_body`].
    pub tenant: Option<Tenant>,
    /// The bytes that are signed and sent; shared by all deliveries of the event.
    pub body: Bytes,
}

impl From<&Event> for Notification {
    fn from(event: &Event) -> Self {
        Self {
            id: event.id,
            kind: event.kind.clone(),
            tenant: event.tenant.clone(),
            body: event.body().into(),
        }
    }
}

/// A delivery that this process may attempt until its lease ends.
#[derive(Clone, Debug)]
pub struct Leased {
    /// The claim.
    pub lease: Lease,
    /// When it was claimed.
    pub since: Timestamp,
    /// The delivery as it was claimed.
    pub delivery: Delivery,
    /// What to send.
    pub notification: Notification,
    /// Where to send it and with which secret; `None` when the subscription is gone.
    pub subscription: Option<Arc<Subscription>>,
    /// The backoff of its receiver, as it was read with the claim.
    pub backoff: ReceiverBackoff,
}

/// How one attempt ended, to be written back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// The claim under which the attempt was made.
    pub lease: Lease,
    /// The delivery after the attempt.
    pub delivery: Delivery,
    /// The attempt; `None` when the delivery ended without one.
    pub attempt: Option<Attempt>,
    /// Until when a receiver that failed asked to be left alone; never after the delivery's next attempt.
    pub asked_until: Option<Timestamp>,
}

/// What a worker can take on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimRequest {
    /// Deliveries in all, at most.
    pub limit: u32,
    /// Deliveries of one subscription that is not in `room`, at most.
    pub each: u32,
    /// Deliveries of these subscriptions, at most; none at all leaves one out.
    pub room: BTreeMap<SubscriptionId, u32>,
    /// Whether attempts after the first are wanted too.
    pub retries: bool,
    /// Subscriptions of which no first attempts are wanted: their receivers are in backoff.
    pub in_backoff: BTreeSet<SubscriptionId>,
}

impl ClaimRequest {
    /// Anything that is due, up to `limit`.
    #[must_use]
    pub fn any(limit: u32) -> Self {
        Self { limit, each: limit, room: BTreeMap::new(), retries: true, in_backoff: BTreeSet::new() }
    }

    /// How many deliveries of `subscription` are wanted at most.
    #[must_use]
    pub fn room(&self, subscription: SubscriptionId) -> u32 {
        self.room.get(&subscription).copied().unwrap_or(self.each)
    }

    /// The subscriptions of which nothing is wanted.
    pub fn full(&self) -> impl Iterator<Item = SubscriptionId> {
        self.room.iter().filter(|(_, room)| **room == 0).map(|(id, _)| *id)
    }
}

/// What was claimed, and when to look again.
#[derive(Clone, Debug, Default)]
pub struct Claimed {
    /// The deliveries, longest due first.
    pub leased: Vec<Leased>,
    /// What may be due and was not claimed.
    pub remaining: Remaining,
}

/// What may be due after a claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Remaining {
    /// Nothing that the request asks for.
    #[default]
    Nothing,
    /// More of a subscription than there was room for, as far as the claim could see.
    NoRoom,
    /// Something that there was room for: another claim may find it.
    More,
}

/// The queue: events on their way to deliveries, and deliveries on their way to receivers.
///
/// Deliveries wait in *lanes*: two for each subscription, one for first
/// attempts and one for later ones. A claim takes from the lanes in turn, so a
/// subscription with a million deliveries due holds up no other one, and what a
/// claim costs depends on how many lanes have something due, not on how many
/// deliveries wait.
///
/// A settlement also adds its attempts to the [`crate::health::Health`] of their
/// subscriptions, in the same commit and once per subscription; what is leased
/// or may be fanned out brings the [`ReceiverBackoff`] of its receiver along.
///
/// # Implementing this port
/// Every method commits before it answers and keeps no transaction open.
/// `claim` gives a delivery to one caller at a time: it can be claimed again
/// only when it is due and its lease has ended. `settle` changes only rows whose
/// lease token is still the one given. See [`crate::delivery`] for the protocol.
///
/// A power cut or a crash of the database may undo the latest commits of every method as long as each
/// is undone as a whole: the worker does all of this again when it is lost, and no client was told of it.
///
/// The contract suite is `svc_testkit::webhook_storage_contract!`.
#[async_trait]
pub trait DeliveryQueue: Send + Sync {
    /// Up to `limit` events of the outbox, oldest first, and who may want them.
    ///
    /// Where there are more, the storage may leave out some of a company that has many, so that those of others are
    /// among them.
    ///
    /// What was added within the last second may be left out, as long as something else is answered.
    async fn waiting(&self, limit: u32) -> Result<Waiting, StoreError>;

    /// Takes events out of the outbox and adds their deliveries, due at their `next_attempt_at`.
    ///
    /// # Implementing this method
    /// An event that another process took meanwhile is no longer there: it is left out, and so are its
    /// deliveries. Left out are also deliveries to a subscription that was removed or switched off meanwhile, and of
    /// the deliveries with `automatic` set the second one of an event and a subscription.
    async fn fan_out(&self, batch: &FanOut) -> Result<FannedOut, StoreError>;

    /// Leases due deliveries until `now + lease_for`: from each lane those that are due longest, from the
    /// lanes in turn.
    async fn claim(
        &self,
        request: &ClaimRequest,
        now: Timestamp,
        lease_for: Duration,
    ) -> Result<Claimed, StoreError>;

    /// Writes attempts back in one commit; answers how many were still ours.
    async fn settle(&self, settlements: &[Settlement]) -> Result<u64, StoreError>;

    /// Gives leases back unused, so that others can claim at once.
    async fn release(&self, leases: &[Leased]) -> Result<(), StoreError>;

    /// When to look for the next delivery that `request` asks for; `None` when none waits.
    ///
    /// Never later than a delivery falls due or its lease ends; it may be earlier, and nothing due then.
    async fn next_due(&self, request: &ClaimRequest) -> Result<Option<Timestamp>, StoreError>;

    /// Makes room for the attempts of the days to come; called at the start and now and then.
    ///
    /// # Implementing this method
    /// For storages that keep attempts in parts. An attempt must find its part even if no server called this.
    async fn make_room(&self, _now: Timestamp) -> Result<(), StoreError> {
        Ok(())
    }

    /// Forgets up to `limit` deliveries that a removed subscription left, with what is queued of them and their attempts;
    /// answers whether there may be more.
    ///
    /// For storages that do not forget all with the subscription.
    async fn forget_removed(&self, _limit: u32) -> Result<bool, StoreError> {
        Ok(false)
    }

    /// Forgets ended deliveries that were made before `before`, `limit` of them at most and the oldest first, with
    /// their attempts; and events that happened before it. Answers how many deliveries went.
    ///
    /// # Implementing this method
    /// An event stays while it waits in the outbox or has a delivery. What was made at `before` itself stays; what
    /// was made in the same millisecond, as ids tell it, may.
    async fn purge(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;
}
