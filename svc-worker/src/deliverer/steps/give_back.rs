//! Gives back leases that are not used.

use std::sync::Arc;

use svc_core::error::chain;
use svc_webhooks::ports::Leased;

use super::super::{DelivererState, Delivering};
use super::Job;

use crate::task::Parts;

/// Gives back the leases of what has waited too long for a slot, or is for a receiver in backoff.
pub(in super::super) struct GiveBack {
    pub(in super::super) job: Job<()>,
}

impl GiveBack {
    pub(in super::super) fn new() -> Self {
        Self { job: Job::idle() }
    }

    pub(in super::super) fn begin(&mut self, delivering: &Delivering, state: &mut DelivererState) {
        if !self.job.is_idle() {
            return;
        }
        let late = state.scheduler.late();
        if !late.is_empty() {
            let parts = Arc::clone(&delivering.parts);
            self.job.begin(async move { give_back(&parts, &late).await });
        }
    }
}

/// Puts these deliveries back into the queue, due as they were. Where that fails, their leases end by themselves.
pub(in super::super) async fn give_back(parts: &Parts, leased: &[Leased]) {
    if leased.is_empty() {
        return;
    }
    if let Err(error) = parts.storage.queue().release(leased).await {
        tracing::warn!("leases end by themselves, they could not be given back: {}", chain(&error));
    } else {
        parts.observer.given_back(leased.len());
    }
}
