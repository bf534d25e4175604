//! Gives back leases that are not used.

use std::sync::Arc;

use svc_webhooks::ports::{Leased, WebhookStorage};

use super::super::{Deliverer, DelivererState};
use super::Step;
use crate::failure::chain;
use crate::metric;

/// Gives back the leases of what has waited too long for a slot, or is for a receiver in backoff.
pub(in super::super) struct GiveBack {
    pub(in super::super) step: Step<()>,
}

impl GiveBack {
    pub(in super::super) fn new() -> Self {
        Self { step: Step::idle() }
    }

    pub(in super::super) fn begin(&mut self, deliverer: &Deliverer, state: &mut DelivererState) {
        if !self.step.is_idle() {
            return;
        }
        let late = state.scheduler.late();
        if !late.is_empty() {
            let storage = Arc::clone(&deliverer.storage);
            self.step.begin(async move { give_back(storage.as_ref(), &late).await });
        }
    }
}

/// Puts these deliveries back into the queue, due as they were. Where that fails, their leases end by themselves.
pub(in super::super) async fn give_back(storage: &dyn WebhookStorage, leased: &[Leased]) {
    if leased.is_empty() {
        return;
    }
    if let Err(error) = storage.queue().release(leased).await {
        tracing::warn!("leases end by themselves, they could not be given back: {}", chain(&error));
    } else {
        metric::returned(leased.len());
    }
}
