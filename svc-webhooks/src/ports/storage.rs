//! Storage of subscriptions, events and deliveries.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::event::EventType;
use svc_core::id::{AccountId, DeliveryId, EventId, SubscriptionId};
use svc_core::page::{Page, PageRequest};
use svc_core::resource::Version;
use svc_core::tenant::Scope;
use svc_core::unit::UnitOfWork;

use super::{DeliveryQueue, EventReader, HourOfDeliveries, HoursRequest, Lease};
use crate::delivery::{Attempt, Delivery, Status};
use crate::health::Health;
use crate::subscription::Subscription;

/// Where subscriptions, deliveries and the queue are kept.
///
/// # Implementing this port
/// Reads go to committed data. The contract suite is
/// `svc_testkit::webhook_storage_contract!`; `svc_testkit::webhook_storage_model!`
/// plays random histories beside a model, and `svc_testkit::simulation` runs
/// whole servers over the storage. Replays and figures for operators are ports
/// of their own, [`ReplayStorage`](super::ReplayStorage) and
/// [`QueueOverview`](super::QueueOverview): a storage without them leaves them out.
#[async_trait]
pub trait WebhookStorage: Send + Sync {
    /// Opens a unit of work.
    async fn begin(&self) -> Result<Box<dyn WebhookUnit>, StoreError>;

    /// Reads subscriptions.
    fn subscriptions(&self) -> &dyn SubscriptionReader;

    /// Reads the delivery log.
    fn deliveries(&self) -> &dyn DeliveryReader;

    /// The queue: events to fan out, and deliveries that are due.
    fn queue(&self) -> &dyn DeliveryQueue;

    /// Reads the log of events.
    fn events(&self) -> &dyn EventReader;
}

/// A unit of work on webhooks.
pub trait WebhookUnit: UnitOfWork {
    /// Changes subscriptions within this unit.
    fn subscriptions(&self) -> &dyn SubscriptionStore;

    /// Adds deliveries within this unit.
    fn deliveries(&self) -> &dyn DeliveryStore;
}

/// Reads subscriptions; removed ones are absent.
#[async_trait]
pub trait SubscriptionReader: Send + Sync {
    /// The subscription with this id, within the scope.
    async fn find(&self, scope: &Scope, id: SubscriptionId) -> Result<Option<Subscription>, StoreError>;

    /// One page of the scope's subscriptions, oldest first.
    async fn page(&self, scope: &Scope, page: PageRequest) -> Result<Page<Subscription>, StoreError>;

    /// The active subscriptions of these accounts.
    async fn active(&self, accounts: &[AccountId]) -> Result<Vec<Subscription>, StoreError>;

    /// The health of the receivers of these subscriptions, within the scope; absent where nothing was
    /// sent to the present URL yet.
    async fn health(
        &self,
        scope: &Scope,
        ids: &[SubscriptionId],
    ) -> Result<BTreeMap<SubscriptionId, Health>, StoreError>;
}

/// Changes subscriptions; secrets are encrypted at rest.
#[async_trait]
pub trait SubscriptionStore: SubscriptionReader {
    /// Adds a subscription unless its account has `most` already; answers whether it was added.
    ///
    /// # Implementing this method
    /// Counting and adding are one step per account: two calls at once must not pass `most` together.
    async fn insert(&self, subscription: &Subscription, most: u32) -> Result<bool, StoreError>;

    /// Puts `after` in the place of the subscription with its id at the version `before`.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the stored version is another one.
    async fn replace(&self, before: Version, after: &Subscription) -> Result<(), StoreError>;

    /// Forgets what is known of the receiver's health: it no longer holds.
    ///
    /// # Implementing this method
    /// Call it after the subscription was changed: that change locks before this one, as everywhere.
    async fn forget_health(&self, id: SubscriptionId) -> Result<(), StoreError>;

    /// Removes a subscription with its secret, its log, its health and everything still queued for it.
    ///
    /// # Implementing this method
    /// A log may have millions of deliveries: it is out of sight at once, and forgotten by
    /// [`DeliveryQueue::forget_removed`](crate::ports::DeliveryQueue::forget_removed).
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the stored version is another one.
    async fn remove(&self, subscription: &Subscription) -> Result<(), StoreError>;
}

/// What a delivery log can be narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeliveryFilter {
    /// Only this status.
    pub status: Option<Status>,
    /// Only this type of event.
    pub event_type: Option<EventType>,
    /// Only this event.
    pub event: Option<EventId>,
    /// Created at this instant or later.
    pub from: Option<Timestamp>,
    /// Created before this instant.
    pub before: Option<Timestamp>,
}

/// A delivery with its attempts, oldest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedDelivery {
    /// The delivery.
    pub delivery: Delivery,
    /// What was tried.
    pub attempts: Vec<Attempt>,
}

/// Reads the delivery log.
#[async_trait]
pub trait DeliveryReader: Send + Sync {
    /// The delivery with this id, within the scope, its attempts with their answers.
    async fn find(&self, scope: &Scope, id: DeliveryId) -> Result<Option<LoggedDelivery>, StoreError>;

    /// One page of a subscription's deliveries, newest first; their attempts without answers, so that a
    /// page stays small, however much receivers write.
    async fn page(
        &self,
        scope: &Scope,
        subscription: SubscriptionId,
        filter: &DeliveryFilter,
        page: PageRequest,
    ) -> Result<Page<LoggedDelivery>, StoreError>;

    /// How the deliveries of the scope's subscriptions went, one answer for each hour, in their order.
    ///
    /// # Implementing this method
    /// It must cost no more than the limits of the request say for each subscription and hour, however much was delivered.
    async fn hours(&self, scope: &Scope, request: HoursRequest) -> Result<Vec<HourOfDeliveries>, StoreError>;
}

/// Adds deliveries within a unit of work.
#[async_trait]
pub trait DeliveryStore: DeliveryReader {
    /// Adds deliveries and queues those that are pending, each due at its `next_attempt_at`; with a
    /// `initial_lease`, as claimed by the caller already. Answers which ones were added.
    ///
    /// # Implementing this method
    /// Of the deliveries with `automatic` set, one per event and subscription:
    /// a second one is left out.
    ///
    /// # Errors
    /// [`StoreError::Conflict`], now or at the commit, when a subscription was removed meanwhile.
    async fn insert(
        &self,
        deliveries: &[Delivery],
        initial_lease: Option<InitialLease>,
    ) -> Result<BTreeSet<DeliveryId>, StoreError>;
}

/// A claim on deliveries that their maker attempts at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InitialLease {
    /// The claim.
    pub lease: Lease,
    /// When it ends by itself.
    pub until: Timestamp,
}
