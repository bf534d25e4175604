//! What must hold once nothing goes wrong any more.

use std::collections::{BTreeMap, BTreeSet};

use svc_core::id::{EventId, SubscriptionId};
use svc_webhooks::delivery::Status;
use svc_webhooks::ports::LoggedDelivery;
use svc_webhooks::subscription::Subscription;

use super::truth::{Known, Told, Truth, short};

/// Checks the log: everything has ended as it should, and nothing is missing.
pub(super) fn check(truth: &Truth) -> Result<(), String> {
    let log = truth.committed.log();
    let known = truth.known();
    let mut automatic = BTreeMap::<(EventId, SubscriptionId), u32>::new();
    for logged in &log {
        let delivery = &logged.delivery;
        ended(logged, &known).map_err(|why| format!("delivery {} {why}", short(delivery.id)))?;
        if delivery.automatic {
            *automatic.entry((delivery.event, delivery.subscription)).or_default() += 1;
        } else if !known.asked.contains(&delivery.id) {
            return Err(format!("delivery {} was asked for by no caller", short(delivery.id)));
        }
    }
    if let Some(((event, _), count)) = automatic.iter().find(|(_, count)| **count > 1) {
        return Err(format!("event {} has {count} automatic deliveries to a subscription", short(event)));
    }
    let has: BTreeSet<_> = automatic.into_keys().collect();
    for (event, subscription) in due(&known) {
        if !has.contains(&(event, subscription)) {
            let [event, of] = [short(event), short(subscription)];
            return Err(format!("event {event} was acknowledged and never went to {of}"));
        }
    }
    Ok(())
}

/// Whether a delivery ended by the rules.
fn ended(logged: &LoggedDelivery, known: &Known) -> Result<(), String> {
    let LoggedDelivery { delivery, attempts } = logged;
    let numbers: Vec<u8> = attempts.iter().map(|attempt| attempt.number).collect();
    if numbers != (1..=delivery.attempts).collect::<Vec<_>>() {
        return Err(format!("has the attempts {numbers:?}, and {} are counted", delivery.attempts));
    }
    if delivery.attempts > delivery.max_attempts {
        return Err(format!("was attempted {} times", delivery.attempts));
    }
    if !known.concerns(delivery.event, delivery.subscription) {
        return Err("is of an event that its subscription never wanted".to_owned());
    }
    let arrived = attempts.last().is_some_and(|last| last.outcome.arrived());
    let reason = delivery.last.as_ref().and_then(|last| last.error.as_deref()).unwrap_or_default();
    match delivery.status() {
        Status::Delivered if !known.accepted.contains(&delivery.id) => {
            Err("is delivered, and no receiver has accepted it".to_owned())
        }
        Status::Delivered if !arrived => Err("is delivered after a failure".to_owned()),
        Status::Failed if reason != "subscription_inactive" && delivery.attempts < delivery.max_attempts => {
            Err(format!("failed after {} attempts: {reason}", delivery.attempts))
        }
        Status::Delivered | Status::Failed => Ok(()),
        status @ (Status::Pending | Status::Retrying) => Err(format!("is still {status}")),
    }
}

/// Each acknowledged event with each subscription that was there before it, wanted it, and always did.
fn due(known: &Known) -> Vec<(EventId, SubscriptionId)> {
    let mut due = Vec::new();
    for (id, Told { event, tried, acknowledged }) in &known.events {
        let wants = |state: &Option<Subscription>| {
            state.as_ref().is_some_and(|state| {
                state.is_active()
                    && Some(state.account) == event.account()
                    && state.events.contains(&event.kind)
            })
        };
        for (subscription, states) in &known.subscriptions {
            let before = states.first().is_some_and(|(moment, _)| moment <= tried);
            if *acknowledged && before && states.iter().all(|(_, state)| wants(state)) {
                due.push((*id, *subscription));
            }
        }
    }
    due
}
