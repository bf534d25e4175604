//! Writes ended attempts back.

use std::sync::Arc;

use svc_core::error::{StoreError, chain};
use svc_webhooks::ports::Settlement;
use tokio::time::Instant;

use super::super::{DelivererState, Delivering};
use super::{Job, RetryDelay, observed};

use crate::observer::Step;

/// Settlements of one commit.
const BATCH: usize = 500;

pub(in super::super) type Settled = (Vec<Settlement>, Result<u64, StoreError>);

/// Writes ended attempts back.
pub(in super::super) struct Settle {
    pub(in super::super) job: Job<Settled>,
    retry_delay: RetryDelay,
}

impl Settle {
    pub(in super::super) fn new() -> Self {
        Self { job: Job::idle(), retry_delay: RetryDelay::new() }
    }

    pub(in super::super) fn begin(&mut self, delivering: &Delivering, state: &mut DelivererState) {
        let due = self.next(state).is_some_and(|at| at <= Instant::now());
        if !due || state.ended.is_empty() {
            return;
        }
        let batch = state.ended.len().min(BATCH);
        let settlements: Vec<_> = state.ended.drain(..batch).collect();
        state.settle_at = (!state.ended.is_empty()).then(Instant::now);
        let parts = Arc::clone(&delivering.parts);
        self.job.begin(async move {
            let settling = parts.storage.queue().settle(&settlements);
            let outcome = observed(Arc::clone(&parts.observer), Step::Settle, settling).await;
            (settlements, outcome)
        });
    }

    pub(in super::super) fn end(&mut self, (settlements, outcome): Settled, state: &mut DelivererState) {
        let failed = outcome.is_err();
        settled(state, settlements, outcome);
        if failed {
            self.retry_delay.failed();
            state.settle_at = Some(self.retry_delay.until);
        } else {
            self.retry_delay.answered();
        }
    }

    pub(in super::super) fn next(&self, state: &DelivererState) -> Option<Instant> {
        state.settle_at.map(|at| self.retry_delay.after(at)).filter(|_| self.job.is_idle())
    }
}

/// Forgets what was settled, and keeps what was not.
pub(in super::super) fn settled(
    state: &mut DelivererState,
    settlements: Vec<Settlement>,
    outcome: Result<u64, StoreError>,
) {
    let batch = settlements.len();
    match outcome {
        Ok(settled) => {
            tracing::debug!(target: "svc_webhooks::settle", batch, settled, "settled");
            let stale_settlements = u64::try_from(batch).unwrap_or(u64::MAX).saturating_sub(settled);
            if stale_settlements > 0 {
                tracing::warn!(
                    stale = stale_settlements,
                    batch,
                    "attempts were not settled: their leases had ended, or their subscriptions were removed"
                );
                state.observer.stale(stale_settlements);
            }
            for settlement in &settlements {
                // A delivery may have been claimed again since: that lease is still ours.
                let id = settlement.delivery.id;
                if state.started.get(&id).is_some_and(|leased| leased.lease == settlement.lease) {
                    state.started.remove(&id);
                }
            }
        }
        Err(error) => {
            tracing::warn!("attempts cannot be settled: {}", chain(&error));
            state.ended.splice(..0, settlements);
        }
    }
}
