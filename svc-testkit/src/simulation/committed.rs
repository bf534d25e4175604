//! What a store has committed, as it is seen from outside: read at once, while the world stands still.

use std::collections::BTreeMap;
use std::sync::Arc;

use svc_core::error::StoreError;
use svc_core::id::{AccountId, DeliveryId, SubscriptionId};
use svc_core::page::{PageRequest, PageRules};
use svc_core::tenant::Scope;
use svc_webhooks::ports::{ClaimRequest, DeliveryFilter, LoggedDelivery};
use svc_webhooks::subscription::Subscription;
use tokio::runtime::Handle;

use super::Store;
use crate::webhooks::MemoryWebhooks;
use crate::webhooks::sample::scope;

/// Looks at what is committed.
pub(super) trait Committed: Send + Sync {
    /// Every subscription.
    fn subscriptions(&self) -> BTreeMap<SubscriptionId, Arc<Subscription>>;

    /// Those of these deliveries that there are.
    fn those_made(&self, ids: &[DeliveryId]) -> Vec<DeliveryId>;

    /// Every delivery with its attempts.
    fn log(&self) -> Vec<Arc<LoggedDelivery>>;

    /// How many events wait in the outbox.
    fn waiting(&self) -> usize;

    /// Whether nothing waits, neither events nor deliveries.
    fn is_drained(&self) -> bool;
}

impl Committed for MemoryWebhooks {
    fn subscriptions(&self) -> BTreeMap<SubscriptionId, Arc<Subscription>> {
        self.committed_subscriptions()
    }

    fn those_made(&self, ids: &[DeliveryId]) -> Vec<DeliveryId> {
        let deliveries = self.committed_deliveries();
        ids.iter().filter(|id| deliveries.contains_key(id)).copied().collect()
    }

    fn log(&self) -> Vec<Arc<LoggedDelivery>> {
        self.committed_deliveries().into_values().collect()
    }

    fn waiting(&self) -> usize {
        self.outbox().len()
    }

    fn is_drained(&self) -> bool {
        Self::is_drained(self)
    }
}

/// Looks through the ports of any store.
pub(super) struct ThroughPorts {
    store: Store,
    runtime: Handle,
    companies: Scope,
}

/// Items of a page: the store decides nothing, so it is asked for as much as it may have.
const ITEMS: u32 = 500;

impl ThroughPorts {
    pub(super) fn new(store: Store, runtime: Handle, companies: [AccountId; 2]) -> Self {
        Self { store, runtime, companies: scope(companies) }
    }

    /// What a read answers, however long it takes.
    fn read<T>(&self, work: impl Future<Output = Result<T, StoreError>>) -> T {
        self.runtime.block_on(work).expect("what is committed can be read")
    }

    async fn every_subscription(&self) -> Result<Vec<Subscription>, StoreError> {
        let mut all = Vec::new();
        for number in 1.. {
            let page = self.store.subscriptions().page(&self.companies, page(number)).await?;
            let was_last = page.items.is_empty();
            all.extend(page.items);
            if was_last {
                break;
            }
        }
        Ok(all)
    }

    async fn log_of(&self, id: SubscriptionId) -> Result<Vec<LoggedDelivery>, StoreError> {
        let (mut all, filter) = (Vec::new(), DeliveryFilter::default());
        for number in 1.. {
            let page = self.store.deliveries().page(&self.companies, id, &filter, page(number)).await?;
            let was_last = page.items.is_empty();
            all.extend(page.items);
            if was_last {
                break;
            }
        }
        Ok(all)
    }
}

fn page(number: u32) -> PageRequest {
    PageRules { default: ITEMS, max: ITEMS }.page(Some(number), None).expect("a page")
}

impl Committed for ThroughPorts {
    fn subscriptions(&self) -> BTreeMap<SubscriptionId, Arc<Subscription>> {
        let all = self.read(self.every_subscription());
        all.into_iter().map(|one| (one.id, Arc::new(one))).collect()
    }

    fn those_made(&self, ids: &[DeliveryId]) -> Vec<DeliveryId> {
        let is_made =
            |id: &&DeliveryId| self.read(self.store.deliveries().find(&self.companies, **id)).is_some();
        ids.iter().filter(is_made).copied().collect()
    }

    fn log(&self) -> Vec<Arc<LoggedDelivery>> {
        let subscriptions = self.subscriptions().into_keys();
        subscriptions.flat_map(|id| self.read(self.log_of(id))).map(Arc::new).collect()
    }

    fn waiting(&self) -> usize {
        self.read(self.store.queue().waiting(ITEMS)).events.len()
    }

    fn is_drained(&self) -> bool {
        let anything = ClaimRequest::any(1);
        self.waiting() == 0 && self.read(self.store.queue().next_due(&anything)).is_none()
    }
}
