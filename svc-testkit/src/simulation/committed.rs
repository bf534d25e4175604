//! What a store has committed, as it is seen from outside: read at once, while the world stands still.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use svc_core::error::StoreError;
use svc_core::id::{AccountId, DeliveryId, SubscriptionId};
use svc_core::page::{PageRequest, PageRules};
use svc_core::tenant::Scope;
use svc_webhooks::ports::{ClaimRequest, DeliveryFilter, LoggedDelivery};
use svc_webhooks::subscription::Subscription;
use tokio::runtime::Handle;

use super::{PATIENCE, Store};
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

/// How long after a store was too busy it is asked again.
const AGAIN: Duration = Duration::from_millis(100);

impl ThroughPorts {
    pub(super) fn new(store: Store, runtime: Handle, companies: [AccountId; 2]) -> Self {
        Self { store, runtime, companies: scope(companies) }
    }

    /// What a read answers. A store that is too busy for it is asked again, as by any client.
    fn read<T>(&self, work: impl AsyncFn() -> Result<T, StoreError>) -> T {
        let began = Instant::now();
        loop {
            match self.runtime.block_on(work()) {
                Err(StoreError::Busy | StoreError::Undone) if began.elapsed() < PATIENCE => sleep(AGAIN),
                read => return read.expect("what is committed can be read"),
            }
        }
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
        let all = self.read(async || self.every_subscription().await);
        all.into_iter().map(|one| (one.id, Arc::new(one))).collect()
    }

    fn those_made(&self, ids: &[DeliveryId]) -> Vec<DeliveryId> {
        let is_made = |id: &&DeliveryId| {
            self.read(async || self.store.deliveries().find(&self.companies, **id).await).is_some()
        };
        ids.iter().filter(is_made).copied().collect()
    }

    fn log(&self) -> Vec<Arc<LoggedDelivery>> {
        let subscriptions = self.subscriptions().into_keys();
        subscriptions.flat_map(|id| self.read(async || self.log_of(id).await)).map(Arc::new).collect()
    }

    fn waiting(&self) -> usize {
        self.read(async || self.store.queue().waiting(ITEMS).await).events.len()
    }

    fn is_drained(&self) -> bool {
        let anything = ClaimRequest::any(1);
        self.waiting() == 0 && self.read(async || self.store.queue().next_due(&anything).await).is_none()
    }
}
