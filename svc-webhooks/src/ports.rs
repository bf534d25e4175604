//! What the rules need from outside: storage and HTTP.

use std::time::Duration;

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::event::{Event, EventType};
use svc_core::id::{AccountId, DeliveryId, EventId, SubscriptionId};
use svc_core::page::{Page, PageRequest};
use svc_core::random::{self, RandomSource};
use svc_core::resource::Version;
use svc_core::tenant::Scope;
use svc_core::unit::Unit;
use thiserror::Error;

use crate::delivery::{Attempt, Delivery, Status};
use crate::endpoint::Endpoint;
use crate::subscription::Subscription;

/// Where subscriptions, deliveries and the queue are kept.
///
/// # Implementing this port
/// Reads go to committed data. The contract suite is
/// `svc_testkit::webhook_storage_contract!`.
#[async_trait]
pub trait WebhookStorage: Send + Sync {
    /// Opens a unit of work.
    async fn begin(&self) -> Result<Box<dyn WebhookUnit>, StoreError>;

    /// Reads subscriptions.
    fn subscriptions(&self) -> &dyn SubscriptionReader;

    /// Reads the delivery log.
    fn deliveries(&self) -> &dyn DeliveryReader;

    /// The queue of deliveries that are due.
    fn queue(&self) -> &dyn DeliveryQueue;
}

/// A unit of work on webhooks.
pub trait WebhookUnit: Unit {
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

    /// Removes a subscription with its secret, its log and everything still queued for it.
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
    /// The delivery with this id, within the scope.
    async fn find(&self, scope: &Scope, id: DeliveryId) -> Result<Option<LoggedDelivery>, StoreError>;

    /// One page of a subscription's deliveries, newest first.
    async fn page(
        &self,
        scope: &Scope,
        subscription: SubscriptionId,
        filter: &DeliveryFilter,
        page: PageRequest,
    ) -> Result<Page<LoggedDelivery>, StoreError>;
}

/// Adds deliveries within a unit of work.
#[async_trait]
pub trait DeliveryStore: DeliveryReader {
    /// Takes up to `limit` events out of the outbox, oldest first.
    ///
    /// # Implementing this method
    /// Each event is taken by one unit only (skip what another unit holds),
    /// and stays in the outbox when this unit rolls back.
    async fn take_events(&self, limit: u32) -> Result<Vec<Event>, StoreError>;

    /// Adds deliveries and queues those that are pending, each due at its `next_attempt_at`.
    ///
    /// # Implementing this method
    /// Of the deliveries with `automatic` set, one per event and subscription:
    /// a second one is ignored.
    ///
    /// # Errors
    /// [`StoreError::Conflict`], now or at the commit, when a subscription was
    /// removed meanwhile: the events stay in the outbox and are matched anew.
    async fn insert(&self, deliveries: &[Delivery]) -> Result<(), StoreError>;

    /// Adds one delivery that the caller itself attempts at once: queued as
    /// already leased to `lease` until `until`.
    async fn insert_leased(
        &self,
        delivery: &Delivery,
        lease: Lease,
        until: Timestamp,
    ) -> Result<(), StoreError>;
}

/// Proof of a claim: a completion with another token changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lease(pub i64);

impl Lease {
    /// A random token, for a delivery that is leased as it is added: never negative.
    ///
    /// Queues make the tokens of their claims themselves.
    pub fn generate(random: &dyn RandomSource) -> Self {
        Self(i64::from_be_bytes(random::bytes(random)) & i64::MAX)
    }
}

/// The event of a leased delivery, as it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    /// Event id.
    pub id: EventId,
    /// Event type.
    pub kind: EventType,
    /// Company of the event.
    pub account: Option<AccountId>,
    /// The bytes that are signed and sent.
    pub body: Vec<u8>,
}

impl From<&Event> for Notification {
    fn from(event: &Event) -> Self {
        Self { id: event.id, kind: event.kind, account: event.account, body: event.body() }
    }
}

/// A delivery that this process may attempt until its lease ends.
#[derive(Clone, Debug)]
pub struct Leased {
    /// The claim.
    pub lease: Lease,
    /// The delivery as it was claimed.
    pub delivery: Delivery,
    /// What to send.
    pub notification: Notification,
    /// Where to send it and with which secret; `None` when the subscription is gone.
    pub subscription: Option<Subscription>,
}

/// How one attempt ended, to be written back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// The claim under which the attempt was made.
    pub lease: Lease,
    /// The delivery after the attempt.
    pub delivery: Delivery,
    /// The attempt; `None` when the delivery ended without one.
    pub attempt: Option<Attempt>,
}

/// What the queue holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueDepth {
    /// Events in the outbox that are not fanned out yet.
    pub events: u64,
    /// Deliveries that wait or are due.
    pub queued: u64,
    /// When the oldest delivery became due, if one is due now.
    pub oldest_due: Option<Timestamp>,
}

/// The queue of deliveries.
///
/// # Implementing this port
/// Every method commits before it answers and keeps no transaction open.
/// `claim` gives a delivery to one caller at a time: it can be claimed again
/// only when it is due and its lease has ended. `settle` changes only rows whose
/// lease token is still the one given. See [`crate::delivery`] for the protocol.
#[async_trait]
pub trait DeliveryQueue: Send + Sync {
    /// Leases up to `limit` due deliveries until `now + lease_for`, longest due first.
    async fn claim(&self, limit: u32, now: Timestamp, lease_for: Duration)
    -> Result<Vec<Leased>, StoreError>;

    /// Writes attempts back in one commit; answers how many were still ours.
    async fn settle(&self, settlements: &[Settlement]) -> Result<u64, StoreError>;

    /// Gives leases back unused, so that others can claim at once.
    async fn release(&self, leases: &[(DeliveryId, Lease)]) -> Result<(), StoreError>;

    /// When the next delivery falls due or its lease ends; `None` for an empty queue.
    async fn next_due(&self) -> Result<Option<Timestamp>, StoreError>;

    /// What the queue holds at `now`.
    async fn depth(&self, now: Timestamp) -> Result<QueueDepth, StoreError>;

    /// Forgets ended deliveries, their attempts and events older than `before`; answers how many deliveries went.
    async fn purge(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;
}

/// One HTTP POST to a receiver.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// Where to.
    pub endpoint: Endpoint,
    /// Header names and values, in the order in which they are sent.
    pub headers: Vec<(&'static str, String)>,
    /// The body, sent as it is.
    pub body: Vec<u8>,
    /// For everything from name resolution to the last byte of the answer.
    pub timeout: Duration,
}

/// The receiver's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// HTTP status code, 3xx included: redirects are never followed.
    pub status: u16,
    /// At most the first 16 KiB of the body.
    pub body: Vec<u8>,
}

/// Why no answer came.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SendError {
    /// The name did not resolve.
    #[error("the host name does not resolve")]
    Dns,
    /// The target is not allowed; see [`Refusal`].
    #[error("{0}")]
    Refused(#[from] Refusal),
    /// No connection.
    #[error("connection failed: {0}")]
    Connect(String),
    /// No TLS session: a bad certificate, for example.
    #[error("TLS failed: {0}")]
    Tls(String),
    /// The time for the attempt ran out.
    #[error("no complete answer in time")]
    Timeout,
    /// The connection broke or spoke no HTTP.
    #[error("the exchange broke off: {0}")]
    Protocol(String),
}

/// Why a target must not be reached.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Refusal {
    /// Plain http to a target that is not exempt.
    #[error("the URL must start with https://")]
    NotHttps,
    /// A name for inside use: `localhost`, `*.local`, `*.internal` and the like.
    #[error("the host name `{0}` is for internal use")]
    InternalName(String),
    /// The name does not resolve.
    #[error("the host name `{0}` does not resolve")]
    Unresolvable(String),
    /// An address that is not public.
    #[error("the address {address} is not public ({reason})")]
    NotPublic {
        /// The address in question.
        address: std::net::IpAddr,
        /// What kind of address it is: `loopback`, `private`, `link-local`, …
        reason: &'static str,
    },
    /// A port that webhooks do not go to.
    #[error("port {0} is not allowed")]
    Port(u16),
}

/// Sends notifications to receivers.
///
/// # Implementing this port
/// Never follow redirects, never use an ambient proxy, decide about addresses
/// after resolution and connect to the address that was checked, keep to one
/// deadline for the whole exchange, read at most 16 KiB of the answer.
#[async_trait]
pub trait HttpSender: Send + Sync {
    /// Whether the target may be reached as things stand: used at registration.
    async fn check(&self, endpoint: &Endpoint) -> Result<(), Refusal>;

    /// Sends one request and reads its answer.
    async fn send(&self, request: Outgoing) -> Result<Answer, SendError>;
}
