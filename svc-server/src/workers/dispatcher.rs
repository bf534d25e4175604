//! Fans events out into deliveries, as soon as they are committed.

use std::pin::pin;
use std::sync::Arc;

use svc_webhooks::delivery::dispatch_once;
use tokio::sync::Notify;
use tokio::time::sleep;

use super::{Backoff, wait};
use crate::failure::chain;
use crate::metric;
use crate::shutdown::Shutdown;
use crate::wiring::Wiring;

/// Events of one round: one commit each.
const BATCH: u32 = 500;

/// Runs until shutdown; wakes the deliverer when there is something to deliver.
pub(crate) async fn run(wiring: Wiring, deliverer: Arc<Notify>, asked: Shutdown) {
    let storage = wiring.store.database.webhooks();
    let committed = wiring.store.database.events_committed();
    let (mut idle, mut failing) = (Backoff::idle(), Backoff::failing());
    while !asked.is_asked() {
        // Listening begins before the look, so that a commit in between is heard.
        let mut commit = pin!(committed.notified());
        commit.as_mut().enable();
        match dispatch_once(storage.as_ref(), wiring.clock.now(), wiring.random.as_ref(), BATCH).await {
            Ok(report) => {
                failing.reset();
                metric::dispatched(report);
                if report.deliveries > 0 {
                    deliverer.notify_one();
                }
                if report.events > 0 {
                    idle.reset();
                    continue;
                }
            }
            Err(error) => {
                tracing::warn!("events cannot be dispatched: {}", chain(&error));
                wait(failing.step(), &asked).await;
                continue;
            }
        }
        // Other processes commit events too: the look after a while is what counts.
        tokio::select! {
            () = commit => idle.reset(),
            () = sleep(idle.step()) => {}
            () = asked.asked() => {}
        }
    }
}
