//! Fans events out into deliveries.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::event::Event;
use svc_core::id::{AccountId, EventId, SubscriptionId};
use svc_core::random::RandomSource;

use crate::delivery::Delivery;
use crate::ports::{
    FanOut, FannedOut, InitialLease, Lease, Leased, Notification, OutboxPosition, WebhookStorage,
};
use crate::retry::RetrySchedule;
use crate::subscription::Subscription;

/// A round adds so many deliveries at most, and those of one event: what is published meanwhile waits for its end.
const DELIVERIES: usize = 500;

/// What one round did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DispatchReport {
    /// Events taken out of the outbox.
    pub events: usize,
    /// Deliveries added for them.
    pub deliveries: usize,
    /// Whether more events may wait.
    pub more: bool,
}

/// What a dispatcher takes in one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// Events at most.
    pub events: u32,
    /// Attempts that each delivery has: [`RetrySchedule::attempts`].
    pub attempts: u8,
    /// How long leases last.
    pub lease_for: Duration,
}

/// Takes up to `limit` events out of the outbox and queues their deliveries: [`fan_out`] for a worker
/// that claims what it attempts.
///
/// # Errors
/// When nothing was changed.
pub async fn dispatch_once(
    storage: &dyn WebhookStorage,
    schedule: &RetrySchedule,
    now: Timestamp,
    random: &dyn RandomSource,
    limit: u32,
) -> Result<DispatchReport, StoreError> {
    let round = Round { events: limit, attempts: schedule.attempts(), lease_for: Duration::ZERO };
    fan_out(storage, round, now, random, |_| false).await.map(|(report, _)| report)
}

/// Takes events out of the outbox and adds a delivery for each active
/// subscription that lists the type and was active when it occurred: of the companies in turn, and no more in one
/// round than what takes a moment.
///
/// Each new delivery that `wanted` says yes to is leased to the caller in the
/// same commit, so that it can be attempted without a claim. An event that
/// no subscription wants leaves the outbox without a delivery. What is for a receiver that may be in backoff waits
/// in the queue, and none of it is offered. What another process takes
/// at the same time is left to it.
///
/// # Errors
/// When nothing was changed.
pub async fn fan_out(
    storage: &dyn WebhookStorage,
    round: Round,
    now: Timestamp,
    random: &dyn RandomSource,
    mut wanted: impl FnMut(&Subscription) -> bool + Send,
) -> Result<(DispatchReport, Vec<Leased>), StoreError> {
    let queue = storage.queue();
    let waiting = queue.waiting(round.events).await?;
    if waiting.events.is_empty() {
        return Ok((DispatchReport::default(), Vec::new()));
    }
    let found = waiting.events.len();
    let (mut positions, mut events, mut deliveries) = (Vec::new(), Vec::new(), Vec::new());
    for (position, event) in in_turn(waiting.events) {
        if deliveries.len() >= DELIVERIES {
            break;
        }
        let event = [event];
        deliveries.extend(deliveries_for(&event, &waiting.subscriptions, round.attempts, now, random));
        positions.push(position);
        events.extend(event);
    }
    let more = waiting.more || events.len() < found;
    let subscriptions: HashMap<SubscriptionId, Arc<Subscription>> =
        waiting.subscriptions.into_iter().map(|one| (one.id, Arc::new(one))).collect();
    let backoff = |id: &SubscriptionId| waiting.backoffs.get(id).copied().unwrap_or_default();
    let is_wanted = |delivery: &Delivery| {
        let receiver = subscriptions.get(&delivery.subscription);
        receiver.is_some_and(|one| !backoff(&one.id).may_be_active() && wanted(one))
    };
    let (ours, others): (Vec<_>, Vec<_>) = deliveries.into_iter().partition(is_wanted);
    let initial_lease = InitialLease { lease: Lease::generate(random), until: now.plus(round.lease_for) };
    let batch = FanOut { positions, leased: ours, queued: others, initial_lease };
    let done = queue.fan_out(&batch).await?;
    tell(batch.deliveries().map(|(delivery, _)| delivery), &done);

    let notifications: HashMap<EventId, Notification> =
        events.iter().map(|event| (event.id, Notification::from(event))).collect();
    let added = batch.leased.into_iter().filter(|delivery| done.deliveries.contains(&delivery.id));
    let leased = added.filter_map(|delivery| {
        let notification = notifications.get(&delivery.event)?.clone();
        let subscription = subscriptions.get(&delivery.subscription).cloned();
        let backoff = backoff(&delivery.subscription);
        Some(Leased { lease: initial_lease.lease, since: now, delivery, notification, subscription, backoff })
    });
    let report = DispatchReport { events: done.events.len(), deliveries: done.deliveries.len(), more };
    Ok((report, leased.collect()))
}

/// The events of each company in their order, and the companies in turn: what one publishes by thousands holds up no
/// event of another that was read with them.
fn in_turn(events: Vec<(OutboxPosition, Event)>) -> impl Iterator<Item = (OutboxPosition, Event)> {
    let mut of: HashMap<Option<AccountId>, usize> = HashMap::new();
    let mut turns: Vec<_> = events
        .into_iter()
        .map(|one| {
            let count = of.entry(one.1.account()).or_default();
            *count += 1;
            (*count, one)
        })
        .collect();
    turns.sort_by_key(|(turn, _)| *turn);
    turns.into_iter().map(|(_, one)| one)
}

/// Which deliveries came of which event: with the ids, a change can be followed to its receivers.
fn tell<'a>(made: impl Iterator<Item = &'a Delivery>, done: &FannedOut) {
    if !tracing::enabled!(tracing::Level::DEBUG) {
        return;
    }
    for Delivery { id, event, event_type, subscription, .. } in
        made.filter(|one| done.deliveries.contains(&one.id))
    {
        tracing::debug!(%event, kind = event_type.name(), delivery = %id, %subscription, "fanned out");
    }
}

/// The deliveries that these events cause among these subscriptions, due at `now`, with so many attempts each.
pub fn deliveries_for(
    events: &[Event],
    subscriptions: &[Subscription],
    attempts: u8,
    now: Timestamp,
    random: &dyn RandomSource,
) -> Vec<Delivery> {
    let wanted = |event| {
        subscriptions
            .iter()
            .filter(move |subscription| subscription.wants(event))
            .map(move |subscription| Delivery::of(event, subscription, attempts, now, random))
    };
    events.iter().flat_map(wanted).collect()
}
