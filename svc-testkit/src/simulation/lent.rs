//! A storage that something else holds: a guard that keeps a folder, for example.

use std::ops::Deref;

use async_trait::async_trait;
use svc_core::error::StoreError;
use svc_webhooks::ports::{
    DeliveryQueue, DeliveryReader, EventReader, SubscriptionReader, WebhookStorage, WebhookUnit,
};

/// The storage that `S` dereferences to.
pub(super) struct Lent<S>(pub(super) S);

#[async_trait]
impl<S> WebhookStorage for Lent<S>
where
    S: Deref<Target: WebhookStorage> + Send + Sync,
{
    async fn begin(&self) -> Result<Box<dyn WebhookUnit>, StoreError> {
        self.0.begin().await
    }

    fn subscriptions(&self) -> &dyn SubscriptionReader {
        self.0.subscriptions()
    }

    fn deliveries(&self) -> &dyn DeliveryReader {
        self.0.deliveries()
    }

    fn queue(&self) -> &dyn DeliveryQueue {
        self.0.queue()
    }

    fn events(&self) -> &dyn EventReader {
        self.0.events()
    }
}
