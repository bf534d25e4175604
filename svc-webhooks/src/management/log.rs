//! The delivery log of a tenant, and sending again.

use svc_core::error::StoreError;
use svc_core::id::{DeliveryId, SubscriptionId};
use svc_core::page::{Page, PageRequest};
use svc_core::refused::Refused;

use super::TenantWebhooks;
use crate::delivery::{self, Delivery, RedeliverError, TestReport};
use crate::ports::{DeliveryFilter, LoggedDelivery};
use crate::subscription::Inactive;

impl TenantWebhooks<'_> {
    /// One page of a subscription's deliveries, newest first; empty for a subscription of another tenant.
    ///
    /// # Errors
    /// When the storage failed.
    pub async fn deliveries(
        &self,
        subscription: SubscriptionId,
        filter: &DeliveryFilter,
        page: PageRequest,
    ) -> Result<Page<LoggedDelivery>, StoreError> {
        self.webhooks.storage.deliveries().page(&self.scope, subscription, filter, page).await
    }

    /// The delivery with this id, and its attempts with their answers.
    ///
    /// # Errors
    /// [`Refused::NotFound`], also for one of another tenant; [`Refused::Store`].
    pub async fn delivery(&self, id: DeliveryId) -> Result<LoggedDelivery, Refused> {
        self.webhooks.storage.deliveries().find(&self.scope, id).await?.ok_or(Refused::NotFound)
    }

    /// Sends an ended delivery once more; answers the new one.
    ///
    /// # Errors
    /// [`RedeliverError`], [`Refused::NotFound`], [`Refused::Store`]; nothing was changed.
    pub async fn redeliver(&self, id: DeliveryId) -> Result<Delivery, Refused<RedeliverError>> {
        let unit = self.webhooks.storage.begin().await?;
        let again = delivery::redeliver(&*unit, self.call(), id).await?;
        unit.commit().await?;
        Ok(again)
    }

    /// Sends the event `webhook.test` to a receiver, once, and tells how that went.
    ///
    /// # Errors
    /// [`Inactive`], [`Refused::NotFound`], [`Refused::Store`].
    pub async fn test(&self, id: SubscriptionId) -> Result<TestReport, Refused<Inactive>> {
        let parts = self.webhooks;
        let unit = parts.storage.begin().await?;
        let run = delivery::begin_test(&*unit, self.call(), id, &parts.attempts).await?;
        unit.commit().await?;
        let report =
            delivery::finish_test(run, &*parts.storage, &*parts.sender, &*parts.clock, &parts.attempts);
        Ok(report.await?)
    }
}
