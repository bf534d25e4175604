//! A unit of work.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use svc_core::audit::AuditLog;
use svc_core::error::StoreError;
use svc_core::event::Event;
use svc_core::id::{AccountId, DeliveryId, SubscriptionId};
use svc_core::idempotency::ReplyStore;
use svc_core::outbox::Outbox;
use svc_core::page::{Page, PageRequest};
use svc_core::resource::Version;
use svc_core::tenant::Scope;
use svc_core::unit::UnitOfWork;
use svc_webhooks::delivery::Delivery;
use svc_webhooks::health::Health;
use svc_webhooks::ports::{
    DeliveryFilter, DeliveryReader, DeliveryStore, HourOfDeliveries, HoursRequest, InitialLease,
    LoggedDelivery, ReplayStore, ReplayUnit, SubscriptionReader, SubscriptionStore, WebhookUnit,
};
use svc_webhooks::subscription::Subscription;

use super::Shared;
use super::staged::{Staged, pause};
use super::tables::Op;
use crate::audit::{MemoryAudit, StagedAudit};
use crate::idempotency::{MemoryIdempotency, StagedReplies};

/// A unit of work: dropped, it leaves no trace.
pub(super) struct MemoryUnit {
    replies: StagedReplies,
    audit: StagedAudit,
    open: OpenUnit,
}

/// The part that the ports are implemented on.
pub(super) struct OpenUnit {
    shared: Shared,
    pub(super) staged: Staged,
}

impl MemoryUnit {
    pub(super) fn begin(shared: Shared, idempotency: &MemoryIdempotency, audit: &MemoryAudit) -> Self {
        let staged = Staged::over(shared.clone());
        Self { replies: idempotency.stage(), audit: audit.stage(), open: OpenUnit { shared, staged } }
    }
}

#[async_trait]
impl UnitOfWork for MemoryUnit {
    fn outbox(&self) -> &dyn Outbox {
        &self.open
    }

    fn replies(&self) -> &dyn ReplyStore {
        &self.replies
    }

    fn audit(&self) -> &dyn AuditLog {
        &self.audit
    }

    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        pause().await;
        let Self { replies, audit, open } = *self;
        let mut state = open.shared.state();
        let next = open.staged.view_of(&state.tables)?;
        audit.settle(open.staged.ops().iter().find_map(Op::owes_an_entry))?;
        replies.commit()?;
        audit.commit();
        state.tables = next;
        drop(state);
        Ok(())
    }
}

impl WebhookUnit for MemoryUnit {
    fn subscriptions(&self) -> &dyn SubscriptionStore {
        &self.open
    }

    fn deliveries(&self) -> &dyn DeliveryStore {
        &self.open
    }
}

impl ReplayUnit for MemoryUnit {
    fn replays(&self) -> &dyn ReplayStore {
        &self.open
    }
}

#[async_trait]
impl Outbox for OpenUnit {
    async fn publish(&self, events: &[Event]) -> Result<(), StoreError> {
        pause().await;
        self.staged.stage(Op::Publish(events.to_vec()))
    }
}

#[async_trait]
impl SubscriptionReader for OpenUnit {
    async fn find(&self, scope: &Scope, id: SubscriptionId) -> Result<Option<Subscription>, StoreError> {
        SubscriptionReader::find(&self.staged, scope, id).await
    }

    async fn page(&self, scope: &Scope, page: PageRequest) -> Result<Page<Subscription>, StoreError> {
        SubscriptionReader::page(&self.staged, scope, page).await
    }

    async fn active(&self, accounts: &[AccountId]) -> Result<Vec<Subscription>, StoreError> {
        self.staged.active(accounts).await
    }

    async fn health(
        &self,
        scope: &Scope,
        ids: &[SubscriptionId],
    ) -> Result<BTreeMap<SubscriptionId, Health>, StoreError> {
        self.staged.health(scope, ids).await
    }
}

#[async_trait]
impl SubscriptionStore for OpenUnit {
    async fn insert(&self, subscription: &Subscription, most: u32) -> Result<bool, StoreError> {
        pause().await;
        if !self.staged.view()?.has_room(subscription.account, most) {
            return Ok(false);
        }
        self.staged.stage(Op::Insert { subscription: subscription.clone(), most })?;
        Ok(true)
    }

    async fn replace(&self, before: Version, after: &Subscription) -> Result<(), StoreError> {
        pause().await;
        self.staged.stage(Op::Replace { before, after: after.clone() })
    }

    async fn forget_health(&self, id: SubscriptionId) -> Result<(), StoreError> {
        pause().await;
        self.staged.stage(Op::ForgetHealth(id))
    }

    async fn remove(&self, subscription: &Subscription) -> Result<(), StoreError> {
        pause().await;
        self.staged.stage(Op::Remove { id: subscription.id, version: subscription.version })
    }
}

#[async_trait]
impl DeliveryReader for OpenUnit {
    async fn find(&self, scope: &Scope, id: DeliveryId) -> Result<Option<LoggedDelivery>, StoreError> {
        DeliveryReader::find(&self.staged, scope, id).await
    }

    async fn page(
        &self,
        scope: &Scope,
        subscription: SubscriptionId,
        filter: &DeliveryFilter,
        page: PageRequest,
    ) -> Result<Page<LoggedDelivery>, StoreError> {
        DeliveryReader::page(&self.staged, scope, subscription, filter, page).await
    }

    async fn hours(&self, scope: &Scope, request: HoursRequest) -> Result<Vec<HourOfDeliveries>, StoreError> {
        self.staged.hours(scope, request).await
    }
}

#[async_trait]
impl DeliveryStore for OpenUnit {
    async fn insert(
        &self,
        deliveries: &[Delivery],
        initial_lease: Option<InitialLease>,
    ) -> Result<BTreeSet<DeliveryId>, StoreError> {
        pause().await;
        let before = self.staged.view()?;
        self.staged.stage(Op::Deliver(deliveries.to_vec(), initial_lease))?;
        let after = self.staged.view()?;
        let added =
            |id: &DeliveryId| after.deliveries.contains_key(id) && !before.deliveries.contains_key(id);
        Ok(deliveries.iter().map(|delivery| delivery.id).filter(added).collect())
    }
}
