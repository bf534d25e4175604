//! Subscriptions and the health of their receivers.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, SubscriptionId};
use svc_core::page::{Page, PageRequest};
use svc_core::resource::Version;
use svc_core::tenant::Scope;
use svc_webhooks::health::Health;
use svc_webhooks::ports::{SubscriptionReader, SubscriptionStore};
use svc_webhooks::subscription::Subscription;

use super::View;

impl View {
    /// Those that `wanted` picks.
    fn subscriptions(&self, wanted: impl Fn(&Subscription) -> bool) -> Vec<Subscription> {
        let tables = self.tables();
        tables
            .subscriptions
            .values()
            .filter(|known| wanted(known))
            .map(|known| known.as_ref().clone())
            .collect()
    }
}

#[async_trait]
impl SubscriptionReader for View {
    async fn find(&self, scope: &Scope, id: SubscriptionId) -> Result<Option<Subscription>, StoreError> {
        let found = self.tables().subscriptions.get(&id).map(Arc::clone);
        Ok(found.filter(|known| scope.contains(known.account)).map(Arc::unwrap_or_clone))
    }

    async fn page(&self, scope: &Scope, page: PageRequest) -> Result<Page<Subscription>, StoreError> {
        let mut found = self.subscriptions(|known| scope.contains(known.account));
        found.sort_by_key(|known| (known.created_at, known.id));
        Ok(Page::of_all(found, page))
    }

    async fn active(&self, accounts: &[AccountId]) -> Result<Vec<Subscription>, StoreError> {
        Ok(self.subscriptions(|known| known.is_active() && accounts.contains(&known.account)))
    }

    async fn health(
        &self,
        scope: &Scope,
        ids: &[SubscriptionId],
    ) -> Result<BTreeMap<SubscriptionId, Health>, StoreError> {
        let tables = self.tables();
        let health = |id: &SubscriptionId| {
            let known = tables.subscriptions.get(id).filter(|known| scope.contains(known.account))?;
            Some((known.id, tables.health.get(id)?.clone()))
        };
        Ok(ids.iter().filter_map(health).collect())
    }
}

#[async_trait]
impl SubscriptionStore for View {
    async fn insert(&self, subscription: &Subscription, most: u32) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let theirs = tables.subscriptions.values().filter(|known| known.account == subscription.account);
        if theirs.count() >= most as usize {
            return Ok(false);
        }
        tables.change(subscription.id, None, Some(subscription)).map(|()| true)
    }

    async fn replace(&self, before: Version, after: &Subscription) -> Result<(), StoreError> {
        self.tables().change(after.id, Some(before), Some(after))
    }

    async fn forget_health(&self, id: SubscriptionId) -> Result<(), StoreError> {
        self.tables().health.remove(&id);
        Ok(())
    }

    async fn remove(&self, subscription: &Subscription) -> Result<(), StoreError> {
        self.tables().change(subscription.id, Some(subscription.version), None)
    }
}
