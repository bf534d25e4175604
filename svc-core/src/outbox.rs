//! Where events are written in the commit of the change that caused them.

use async_trait::async_trait;

use crate::error::StoreError;
use crate::event::Event;

/// Takes events within a unit of work.
///
/// # Implementing this port
/// Store the events in the transaction of the unit that owns this outbox: they
/// become visible to the dispatcher when that unit commits, and vanish when it
/// rolls back. Keep the body bytes as given; they are signed as they are. The
/// contract suites are `svc_testkit::business_outbox_contract!` and
/// `svc_testkit::webhook_storage_contract!`.
#[async_trait]
pub trait Outbox: Send + Sync {
    /// Adds events, in the order in which they happened.
    async fn publish(&self, events: &[Event]) -> Result<(), StoreError>;
}

/// The outbox of a storage that has none: what is published fails, and with it the unit that published it.
#[derive(Clone, Copy, Debug)]
pub struct NoOutbox;

#[async_trait]
impl Outbox for NoOutbox {
    async fn publish(&self, _events: &[Event]) -> Result<(), StoreError> {
        Err(StoreError::backend("this storage keeps no events"))
    }
}
