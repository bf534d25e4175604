//! Whether the receiver of a subscription may still be told of an event.

use async_trait::async_trait;
use svc_core::error::StoreError;
use svc_core::event::EventType;

use crate::subscription::Subscription;

/// Says whether an event may be told to a subscription now, however it was made.
///
/// # Implementing this port
/// It is asked before each attempt: keep what was read for a few seconds.
#[async_trait]
pub trait ReadAuthority: Send + Sync {
    /// Whether the subscription may be told of an event of this type.
    ///
    /// # Errors
    /// When it cannot be found out at present: nothing is sent, and the question is asked again.
    async fn may_be_told(&self, subscription: &Subscription, kind: &EventType) -> Result<bool, StoreError>;
}

/// Every subscription is told of what it lists: for a service that ends subscriptions itself when a right ends.
#[derive(Clone, Copy, Debug, Default)]
pub struct AsSubscribed;

#[async_trait]
impl ReadAuthority for AsSubscribed {
    async fn may_be_told(&self, _: &Subscription, _: &EventType) -> Result<bool, StoreError> {
        Ok(true)
    }
}
