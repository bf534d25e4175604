//! Writes ended attempts back.

use std::sync::Arc;

use svc_core::error::StoreError;
use svc_webhooks::ports::Settlement;
use tokio::time::Instant;

use super::super::{Deliverer, Work};
use super::{Respite, Step};
use crate::failure::chain;
use crate::metric::{self, Round};

/// Settlements of one commit.
const BATCH: usize = 500;

pub(in super::super) type Settled = (Vec<Settlement>, Result<u64, StoreError>);

/// Writes ended attempts back.
pub(in super::super) struct Settle {
    pub(in super::super) step: Step<Settled>,
    respite: Respite,
}

impl Settle {
    pub(in super::super) fn new() -> Self {
        Self { step: Step::idle(), respite: Respite::new() }
    }

    pub(in super::super) fn begin(&mut self, deliverer: &Deliverer, work: &mut Work) {
        let due = self.next(work).is_some_and(|at| at <= Instant::now());
        if !due || work.ended.is_empty() {
            return;
        }
        let batch = work.ended.len().min(BATCH);
        let settlements: Vec<_> = work.ended.drain(..batch).collect();
        work.settle_at = (!work.ended.is_empty()).then(Instant::now);
        let storage = Arc::clone(&deliverer.storage);
        self.step.begin(async move {
            let outcome = metric::watched(Round::Settle, storage.queue().settle(&settlements)).await;
            (settlements, outcome)
        });
    }

    pub(in super::super) fn end(&mut self, (settlements, outcome): Settled, work: &mut Work) {
        let failed = outcome.is_err();
        settled(work, settlements, outcome);
        if failed {
            self.respite.failed();
            work.settle_at = Some(self.respite.until);
        } else {
            self.respite.answered();
        }
    }

    pub(in super::super) fn next(&self, work: &Work) -> Option<Instant> {
        work.settle_at.map(|at| self.respite.after(at)).filter(|_| self.step.is_idle())
    }
}

/// Forgets what was settled, and keeps what was not.
pub(in super::super) fn settled(
    work: &mut Work,
    settlements: Vec<Settlement>,
    outcome: Result<u64, StoreError>,
) {
    let batch = settlements.len();
    match outcome {
        Ok(settled) => {
            tracing::debug!(target: "svc_webhooks::settle", batch, settled, "settled");
            let stale = u64::try_from(batch).unwrap_or(u64::MAX).saturating_sub(settled);
            if stale > 0 {
                tracing::warn!(
                    stale,
                    batch,
                    "attempts were not settled: their leases had ended, or their subscriptions were removed"
                );
                metric::stale(stale);
            }
            for settlement in &settlements {
                // A delivery may have been claimed again since: that lease is still ours.
                let id = settlement.delivery.id;
                if work.started.get(&id).is_some_and(|leased| leased.lease == settlement.lease) {
                    work.started.remove(&id);
                }
            }
        }
        Err(error) => {
            tracing::warn!("attempts cannot be settled: {}", chain(&error));
            work.ended.splice(..0, settlements);
        }
    }
}
