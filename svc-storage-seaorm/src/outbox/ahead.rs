//! Receivers that are read while their event is being committed.
//!
//! Who comes alone waits for the disk, and then would wait for a read that needs nothing of what
//! is written. So both go beside each other. The read begins when the event is ready to be
//! committed: whatever a client was told of before the request for it came is in it. What this
//! process changes in subscriptions meanwhile makes it forgotten; what another process does in the
//! moment between the two may be seen by the next event only.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use svc_core::error::StoreError;
use svc_core::event::Event;
use svc_core::id::{AccountId, EventId};
use svc_webhooks::health::ReceiverBackoff;
use svc_webhooks::subscription::Subscription;
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// The active subscriptions of companies, and how their receivers answer; `None` where nothing was
/// sent yet.
pub(crate) type Receivers = Vec<(Subscription, Option<ReceiverBackoff>)>;

/// After that long the subscriptions may be others by now.
const GOOD_FOR: Duration = Duration::from_millis(50);

/// Reads the receivers of a company.
#[async_trait]
pub(crate) trait ReadsReceivers: Send + Sync {
    async fn receivers_of(&self, account: AccountId) -> Result<Receivers, StoreError>;
}

/// The receivers of an event that is on its way into the outbox, one at a time.
#[derive(Default)]
pub(crate) struct Ahead {
    by: OnceLock<Arc<dyn ReadsReceivers>>,
    under_way: Mutex<Option<Reading>>,
}

struct Reading {
    event: EventId,
    began: Instant,
    found: JoinHandle<Result<Receivers, StoreError>>,
}

impl Ahead {
    /// Receivers are read by this; without it none are.
    pub(crate) fn read_by(&self, by: Arc<dyn ReadsReceivers>) {
        let _kept = self.by.set(by);
    }

    /// Begins with those of an event, unless the last ones are still being read.
    pub(crate) fn begin(&self, event: &Event) {
        let (Some(by), Some(account)) = (self.by.get(), event.account()) else { return };
        let mut under_way = self.under_way();
        if under_way.as_ref().is_some_and(|reading| !reading.found.is_finished()) {
            return;
        }
        let by = Arc::clone(by);
        let began = Instant::now();
        let found = tokio::spawn(async move { by.receivers_of(account).await });
        *under_way = Some(Reading { event: event.id, began, found });
    }

    /// Forgets what was read: subscriptions have changed.
    pub(crate) fn forget(&self) {
        *self.under_way() = None;
    }

    fn under_way(&self) -> MutexGuard<'_, Option<Reading>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Those of this event; `None` when they have to be read now.
    pub(crate) async fn take(&self, event: EventId) -> Option<Receivers> {
        let reading = {
            let mut under_way = self.under_way();
            under_way.take_if(|reading| reading.began.elapsed() > GOOD_FOR);
            under_way.take_if(|reading| reading.event == event)?
        };
        // What failed is read once more, by the fan-out, which reports it.
        reading.found.await.ok()?.ok()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use svc_testkit::webhooks::sample::Samples;
    use tokio::time::sleep;

    use super::*;

    /// Finds one subscription after a millisecond, or fails.
    struct Slow {
        samples: Samples,
        reads: AtomicUsize,
        fails: bool,
    }

    #[async_trait]
    impl ReadsReceivers for Slow {
        async fn receivers_of(&self, account: AccountId) -> Result<Receivers, StoreError> {
            self.reads.fetch_add(1, Ordering::Relaxed);
            sleep(Duration::from_millis(1)).await;
            if self.fails {
                return Err(StoreError::Busy);
            }
            Ok(vec![(self.samples.subscription(account, &["contact.create"]), None)])
        }
    }

    fn ahead(fails: bool) -> (Ahead, Arc<Slow>, Event) {
        let samples = Samples::new(1);
        let event = samples.event(samples.account(), "contact.create");
        let by = Arc::new(Slow { samples, reads: AtomicUsize::new(0), fails });
        let ahead = Ahead::default();
        ahead.read_by(Arc::clone(&by) as Arc<dyn ReadsReceivers>);
        (ahead, by, event)
    }

    #[tokio::test(start_paused = true)]
    async fn receivers_are_read_for_one_event_and_taken_once() {
        let (ahead, by, event) = ahead(false);
        let other = by.samples.event(by.samples.account(), "contact.create");
        ahead.begin(&event);
        assert!(ahead.take(other.id).await.is_none());
        let found = ahead.take(event.id).await.expect("those of this event");
        assert_eq!(
            found.into_iter().map(|(one, _)| Some(one.account)).collect::<Vec<_>>(),
            [event.account()]
        );
        assert!(ahead.take(event.id).await.is_none(), "taken");
    }

    #[tokio::test(start_paused = true)]
    async fn one_read_is_under_way_at_a_time_and_the_next_takes_its_place() {
        let (ahead, by, event) = ahead(false);
        let other = by.samples.event(by.samples.account(), "contact.create");
        ahead.begin(&event);
        ahead.begin(&other);
        sleep(Duration::from_millis(2)).await;
        assert_eq!(by.reads.load(Ordering::Relaxed), 1);
        ahead.begin(&other);
        assert!(ahead.take(event.id).await.is_none());
        assert!(ahead.take(other.id).await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_too_old_or_failed_is_read_by_who_needs_it() {
        let (stale, _, event) = ahead(false);
        stale.begin(&event);
        sleep(GOOD_FOR + Duration::from_millis(1)).await;
        assert!(stale.take(event.id).await.is_none());
        let (failed, _, event) = ahead(true);
        failed.begin(&event);
        assert!(failed.take(event.id).await.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_read_before_a_change_is_forgotten() {
        let (ahead, _, event) = ahead(false);
        ahead.begin(&event);
        ahead.forget();
        assert!(ahead.take(event.id).await.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_is_read_without_an_account_or_a_reader() {
        let (ahead, by, event) = ahead(false);
        ahead.begin(&Event { tenant: None, ..event.clone() });
        assert!(ahead.take(event.id).await.is_none());
        sleep(Duration::from_millis(2)).await;
        assert_eq!(by.reads.load(Ordering::Relaxed), 0);
        let by_nobody = Ahead::default();
        by_nobody.begin(&event);
        assert!(by_nobody.take(event.id).await.is_none());
    }
}
