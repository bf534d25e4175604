//! The log of events.

use std::collections::BTreeSet;

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::event::{Event, EventType};
use svc_core::id::{AccountId, EventId};
use svc_core::page::{Page, PageRequest};
use svc_core::tenant::Scope;

/// What the log of events is narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventFilter {
    /// Only of these companies of the scope; of all of them when empty.
    pub companies: Vec<AccountId>,
    /// Only these types: none at all matches nothing.
    pub types: BTreeSet<EventType>,
    /// Only about the resource with this id.
    pub object: Option<String>,
    /// In the millisecond of this instant or later.
    pub from: Option<Timestamp>,
    /// Before the millisecond of this instant.
    pub before: Option<Timestamp>,
}

/// An event, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedEvent {
    /// The event.
    pub event: Event,
    /// Its deliveries.
    pub deliveries: DeliveryCounts,
}

/// How many deliveries of an event there are, by status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeliveryCounts {
    /// Not attempted yet.
    pub pending: u64,
    /// Failed at least once, to be tried again.
    pub retrying: u64,
    /// Answered with 2xx.
    pub delivered: u64,
    /// Given up.
    pub failed: u64,
}

/// Reads the log of events.
///
/// # Implementing this port
/// Events are there from the commit of their change until they are purged,
/// with or without a subscription to them. Their order is that of their
/// ids, which are made in time order: read pages and ranges from an index on
/// (company, id). An event of a type that this program does not know is
/// absent. The contract suite is `svc_testkit::webhook_storage_contract!`.
#[async_trait]
pub trait EventReader: Send + Sync {
    /// The event with this id, within the scope; that of the test operation too.
    async fn find(&self, scope: &Scope, id: EventId) -> Result<Option<LoggedEvent>, StoreError>;

    /// One page of the scope's events, newest first.
    async fn page(
        &self,
        scope: &Scope,
        filter: &EventFilter,
        page: PageRequest,
    ) -> Result<Page<LoggedEvent>, StoreError>;
}
