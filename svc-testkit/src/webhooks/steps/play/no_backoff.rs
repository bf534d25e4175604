//! Receivers that are never in backoff.
//!
//! Whether a receiver that fails is in backoff decides which server attempts a delivery and when, and nothing of
//! what the model tells of. The worlds of the simulation have backoffs; histories leave them out.

use std::time::Duration;

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_webhooks::ports::{
    ClaimRequest, Claimed, DeliveryQueue, DeliveryReader, EventReader, FanOut, FannedOut, Leased, Settlement,
    SubscriptionReader, Waiting, WebhookStorage, WebhookUnit,
};

/// A storage that knows nothing of how receivers answered.
pub(super) struct NoBackoff<'a>(pub(super) &'a dyn WebhookStorage);

#[async_trait]
impl WebhookStorage for NoBackoff<'_> {
    async fn begin(&self) -> Result<Box<dyn WebhookUnit>, StoreError> {
        self.0.begin().await
    }

    fn subscriptions(&self) -> &dyn SubscriptionReader {
        self.0.subscriptions()
    }

    fn deliveries(&self) -> &dyn DeliveryReader {
        self.0.deliveries()
    }

    fn events(&self) -> &dyn EventReader {
        self.0.events()
    }

    fn queue(&self) -> &dyn DeliveryQueue {
        self
    }
}

#[async_trait]
impl DeliveryQueue for NoBackoff<'_> {
    async fn waiting(&self, limit: u32) -> Result<Waiting, StoreError> {
        let mut waiting = self.0.queue().waiting(limit).await?;
        waiting.backoffs.clear();
        Ok(waiting)
    }

    async fn fan_out(&self, batch: &FanOut) -> Result<FannedOut, StoreError> {
        self.0.queue().fan_out(batch).await
    }

    async fn claim(
        &self,
        request: &ClaimRequest,
        now: Timestamp,
        lease_for: Duration,
    ) -> Result<Claimed, StoreError> {
        self.0.queue().claim(request, now, lease_for).await
    }

    async fn settle(&self, settlements: &[Settlement]) -> Result<u64, StoreError> {
        self.0.queue().settle(settlements).await
    }

    async fn release(&self, leases: &[Leased]) -> Result<(), StoreError> {
        self.0.queue().release(leases).await
    }

    async fn next_due(&self, request: &ClaimRequest) -> Result<Option<Timestamp>, StoreError> {
        self.0.queue().next_due(request).await
    }

    async fn forget_removed(&self, limit: u32) -> Result<bool, StoreError> {
        self.0.queue().forget_removed(limit).await
    }

    async fn purge(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        self.0.queue().purge(before, limit).await
    }
}
