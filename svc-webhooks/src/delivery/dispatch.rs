//! Fans events out into deliveries.

use std::collections::BTreeSet;

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::event::Event;
use svc_core::random::RandomSource;

use crate::delivery::Delivery;
use crate::ports::WebhookStorage;
use crate::subscription::Subscription;

/// What one round did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DispatchReport {
    /// Events taken out of the outbox.
    pub events: usize,
    /// Deliveries added for them.
    pub deliveries: usize,
}

/// Takes up to `limit` events out of the outbox and adds a delivery for each
/// active subscription that lists the type and was active when it occurred.
///
/// An event that nobody wants leaves the outbox without a delivery.
///
/// # Errors
/// When nothing was changed.
pub async fn dispatch_once(
    storage: &dyn WebhookStorage,
    now: Timestamp,
    random: &dyn RandomSource,
    limit: u32,
) -> Result<DispatchReport, StoreError> {
    let unit = storage.begin().await?;
    let events = unit.deliveries().take_events(limit).await?;
    if events.is_empty() {
        return Ok(DispatchReport::default());
    }
    let accounts: BTreeSet<_> = events.iter().filter_map(|event| event.account).collect();
    let accounts: Vec<_> = accounts.into_iter().collect();
    let subscriptions = unit.subscriptions().active(&accounts).await?;
    let deliveries = deliveries_for(&events, &subscriptions, now, random);
    if !deliveries.is_empty() {
        unit.deliveries().insert(&deliveries).await?;
    }
    unit.commit().await?;
    Ok(DispatchReport { events: events.len(), deliveries: deliveries.len() })
}

/// The deliveries that these events cause among these subscriptions, due at `now`.
pub fn deliveries_for(
    events: &[Event],
    subscriptions: &[Subscription],
    now: Timestamp,
    random: &dyn RandomSource,
) -> Vec<Delivery> {
    let wanted = |event| {
        subscriptions
            .iter()
            .filter(move |subscription| subscription.wants(event))
            .map(move |subscription| Delivery::of(event, subscription, now, random))
    };
    events.iter().flat_map(wanted).collect()
}
