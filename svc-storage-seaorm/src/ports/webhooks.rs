//! The webhook ports: each step of the queue is a unit of its own.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_webhooks::ports::{
    ClaimRequest, Claimed, DeliveryQueue, DeliveryReader, DeliveryStore, EventReader, FanOut, FannedOut,
    Leased, Overview, QueueDepth, QueueOverview, ReplayReader, ReplayStorage, ReplayStore, ReplayUnit,
    Settlement, SubscriptionReader, SubscriptionStore, Waiting, WebhookStorage, WebhookUnit,
};

use tokio::sync::Notify;

use crate::database::{Database, Engine, Inner};
use crate::unit::SeaUnit;
use crate::webhooks::fan_out;

impl Database {
    /// The webhook ports.
    #[must_use]
    pub fn webhooks(&self) -> Arc<dyn WebhookStorage> {
        Arc::clone(&self.0) as Arc<dyn WebhookStorage>
    }

    /// The webhook ports with those of replays.
    #[must_use]
    pub fn replays(&self) -> Arc<dyn ReplayStorage> {
        Arc::clone(&self.0) as Arc<dyn ReplayStorage>
    }

    /// The webhook ports with the figures of the queue.
    #[must_use]
    pub fn queue_overview(&self) -> Arc<dyn QueueOverview> {
        Arc::clone(&self.0) as Arc<dyn QueueOverview>
    }

    /// Notified after a commit of this process that published events.
    #[must_use]
    pub fn events_committed(&self) -> Arc<Notify> {
        Arc::clone(self.0.committed.committed())
    }

    /// Tells the fan-out of this process that events were [published](crate::outbox::publish) by a transaction of
    /// the service's own that has committed. Without it they are found by looking, within a second.
    pub fn published(&self) {
        self.0.committed.added_elsewhere();
    }
}

#[async_trait]
impl WebhookStorage for Inner {
    async fn begin(&self) -> Result<Box<dyn WebhookUnit>, StoreError> {
        Ok(Box::new(Self::begin(self)?))
    }

    fn subscriptions(&self) -> &dyn SubscriptionReader {
        &self.reader
    }

    fn deliveries(&self) -> &dyn DeliveryReader {
        &self.reader
    }

    fn queue(&self) -> &dyn DeliveryQueue {
        self
    }

    fn events(&self) -> &dyn EventReader {
        &self.reader
    }
}

#[async_trait]
impl ReplayStorage for Inner {
    async fn begin_replay(&self) -> Result<Box<dyn ReplayUnit>, StoreError> {
        Ok(Box::new(Self::begin(self)?))
    }

    fn replays(&self) -> &dyn ReplayReader {
        &self.reader
    }
}

impl WebhookUnit for SeaUnit {
    fn subscriptions(&self) -> &dyn SubscriptionStore {
        &self.store
    }

    fn deliveries(&self) -> &dyn DeliveryStore {
        &self.store
    }
}

impl ReplayUnit for SeaUnit {
    fn replays(&self) -> &dyn ReplayStore {
        &self.store
    }
}

#[async_trait]
impl QueueOverview for Inner {
    async fn depth(&self, now: Timestamp) -> Result<QueueDepth, StoreError> {
        self.reader.depth(now).await
    }

    async fn overview(&self, now: Timestamp, lanes: u32) -> Result<Overview, StoreError> {
        self.reader.overview(now, lanes).await
    }
}

#[async_trait]
impl DeliveryQueue for Inner {
    async fn waiting(&self, limit: u32) -> Result<Waiting, StoreError> {
        match self.pools() {
            Some(pools) => self.over(&pools.fan_out).waiting(&self.committed, limit).await,
            None => self.reader.waiting(&self.committed, limit).await,
        }
    }

    async fn fan_out(&self, batch: &FanOut) -> Result<FannedOut, StoreError> {
        let done = if let Some(pools) = self.pools() {
            fan_out::at_once(&pools.fan_out, batch).await?
        } else {
            let unit = Self::begin(self)?;
            let done = unit.store.fan_out(batch).await?;
            unit.finish().await?;
            done
        };
        self.committed.fanned_out(&batch.positions);
        Ok(done)
    }

    async fn claim(
        &self,
        request: &ClaimRequest,
        now: Timestamp,
        lease_for: Duration,
    ) -> Result<Claimed, StoreError> {
        let unit = Self::begin_repeatable(self)?;
        let claimed = unit.store.claim(request, now, lease_for).await?;
        unit.finish().await?;
        Ok(claimed)
    }

    async fn settle(&self, settlements: &[Settlement]) -> Result<u64, StoreError> {
        if let Some(pools) = self.pools()
            && let Some(settled) = self.over(&pools.settle).settle_at_once(settlements).await?
        {
            return Ok(settled);
        }
        let unit = Self::begin_repeatable(self)?;
        let settled = unit.store.settle(settlements).await?;
        unit.finish().await?;
        Ok(settled)
    }

    async fn release(&self, leases: &[Leased]) -> Result<(), StoreError> {
        let unit = Self::begin_repeatable(self)?;
        unit.store.release(leases).await?;
        unit.finish().await
    }

    async fn next_due(&self, request: &ClaimRequest) -> Result<Option<Timestamp>, StoreError> {
        self.reader.next_due(request).await
    }

    async fn make_room(&self, now: Timestamp) -> Result<(), StoreError> {
        match self.engine() {
            Engine::Sqlite => Ok(()),
            Engine::Postgres => self.make_days(now).await.or_else(later),
        }
    }

    async fn forget_removed(&self, limit: u32) -> Result<bool, StoreError> {
        let unit = Self::begin(self)?;
        let more = unit.store.purge_removed(i64::from(limit)).await?;
        unit.finish().await?;
        Ok(more)
    }

    async fn purge(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let unit = Self::begin(self)?;
        let purged = unit.store.purge(before, limit).await?;
        unit.finish().await?;
        if purged < u64::from(limit) && self.engine() == Engine::Postgres {
            self.drop_days(before).await.or_else(later)?;
        }
        Ok(purged)
    }
}

impl Inner {
    /// Makes room for attempts at a start. It is not in the way of that: without it, attempts lie in the rest
    /// until the cleaner makes room.
    pub(crate) async fn make_days_ahead(&self, now: Timestamp) {
        if let Err(error) = self.make_room(now).await {
            tracing::warn!(?error, "the days of the delivery log cannot be made ahead");
        }
    }

    async fn make_days(&self, now: Timestamp) -> Result<(), StoreError> {
        let unit = self.begin()?;
        unit.store.make_days(now).await?;
        unit.finish().await
    }

    /// Each day is a commit of its own: no writer waits for more than one.
    async fn drop_days(&self, before: Timestamp) -> Result<(), StoreError> {
        loop {
            let unit = self.begin()?;
            let dropped = unit.store.drop_day(before).await?;
            unit.finish().await?;
            if !dropped {
                return Ok(());
            }
        }
    }
}

/// Another session reads or writes the log for so long that its days stay as they are until the next time.
fn later(error: StoreError) -> Result<(), StoreError> {
    match error {
        StoreError::Busy | StoreError::Undone => {
            tracing::info!("the days of the delivery log are in use and stay as they are for now");
            Ok(())
        }
        error @ (StoreError::Conflict
        | StoreError::Taken { .. }
        | StoreError::OutOfRange
        | StoreError::Backend(_)) => Err(error),
    }
}
