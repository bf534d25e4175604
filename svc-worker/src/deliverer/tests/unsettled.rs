//! A store that takes no settlements for a while.

use std::sync::atomic::{AtomicBool, Ordering};

use svc_core::error::StoreError;
use svc_webhooks::ports::{
    DeliveryQueue, DeliveryReader, EventReader, FanOut, FannedOut, Leased, Settlement, SubscriptionReader,
    Waiting, WebhookStorage, WebhookUnit,
};

use super::*;

/// Refuses settlements until it may take them.
struct Unsettling {
    inner: MemoryWebhooks,
    settles: AtomicBool,
}

#[async_trait]
impl WebhookStorage for Unsettling {
    async fn begin(&self) -> Result<Box<dyn WebhookUnit>, StoreError> {
        self.inner.begin().await
    }

    fn subscriptions(&self) -> &dyn SubscriptionReader {
        self.inner.subscriptions()
    }

    fn deliveries(&self) -> &dyn DeliveryReader {
        self.inner.deliveries()
    }

    fn events(&self) -> &dyn EventReader {
        self.inner.events()
    }

    fn queue(&self) -> &dyn DeliveryQueue {
        self
    }
}

#[async_trait]
impl DeliveryQueue for Unsettling {
    async fn waiting(&self, limit: u32) -> Result<Waiting, StoreError> {
        self.inner.queue().waiting(limit).await
    }

    async fn fan_out(&self, batch: &FanOut) -> Result<FannedOut, StoreError> {
        self.inner.queue().fan_out(batch).await
    }

    async fn claim(
        &self,
        request: &ClaimRequest,
        now: Timestamp,
        lease_for: Duration,
    ) -> Result<Claimed, StoreError> {
        self.inner.queue().claim(request, now, lease_for).await
    }

    async fn settle(&self, settlements: &[Settlement]) -> Result<u64, StoreError> {
        if self.settles.load(Ordering::Relaxed) {
            self.inner.queue().settle(settlements).await
        } else {
            Err(StoreError::Busy)
        }
    }

    async fn release(&self, leases: &[Leased]) -> Result<(), StoreError> {
        self.inner.queue().release(leases).await
    }

    async fn next_due(&self, request: &ClaimRequest) -> Result<Option<Timestamp>, StoreError> {
        self.inner.queue().next_due(request).await
    }

    async fn purge(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        self.inner.queue().purge(before, limit).await
    }
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_settled_is_bounded_and_everything_goes_on_once_it_can() {
    const ALL: usize = 4_000;
    let samples = Samples::new(7);
    let (storage, _) = storage(&samples, &[(CREATED, ALL)]).await;
    let storage = Arc::new(Unsettling { inner: storage, settles: AtomicBool::new(false) });
    let (sent, mut arrivals) = mpsc::unbounded_channel();
    let asked = CancellationToken::new();
    let trigger = asked.clone();
    let sender = Sender { takes: Duration::from_millis(1), never: "", fails: "", sent };
    let running = tokio::spawn(delivering(storage.clone(), &samples, sender).run(asked));
    let mut arrived = async || {
        tokio::time::sleep(Duration::from_mins(5)).await;
        std::iter::from_fn(|| arrivals.try_recv().ok()).count()
    };

    assert_eq!(arrived().await, state::UNSETTLED);
    assert_eq!(arrived().await, 0, "nothing more is sent, and nothing again");

    storage.settles.store(true, Ordering::Relaxed);
    assert_eq!(arrived().await, ALL - state::UNSETTLED);
    trigger.cancel();
    running.await.expect("it ends");
    let left = storage.claim(&ClaimRequest::any(9), samples.now(), Duration::from_secs(1)).await;
    assert_eq!(left.expect("claimed").leased.len(), 0);
}
