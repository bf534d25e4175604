//! Changes on their way to a commit, and reads that see them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, DeliveryId, SubscriptionId};
use svc_core::page::{Page, PageRequest};
use svc_core::tenant::Scope;
use svc_webhooks::delivery::{Attempt, Delivery};
use svc_webhooks::health::Health;
use svc_webhooks::ports::{
    DeliveryFilter, DeliveryReader, HourOfDeliveries, HoursRequest, LoggedDelivery, SubscriptionReader,
};
use svc_webhooks::subscription::Subscription;

use super::Shared;
use super::tables::{Op, Tables};

/// The committed tables with the changes of one unit, which may be none.
#[derive(Default)]
pub(super) struct Staged {
    shared: Shared,
    ops: Mutex<Vec<Op>>,
}

impl Clone for Staged {
    fn clone(&self) -> Self {
        Self { shared: self.shared.clone(), ops: Mutex::new(self.ops().clone()) }
    }
}

impl Staged {
    pub(super) fn over(shared: Shared) -> Self {
        Self { shared, ops: Mutex::default() }
    }

    pub(super) fn ops(&self) -> MutexGuard<'_, Vec<Op>> {
        self.ops.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The tables as this unit sees them now.
    pub(super) fn view(&self) -> Result<Tables, StoreError> {
        self.view_of(&self.shared.state().tables)
    }

    /// These tables with the changes of this unit.
    pub(super) fn view_of(&self, committed: &Tables) -> Result<Tables, StoreError> {
        let mut tables = committed.clone();
        self.ops().iter().try_for_each(|op| tables.apply(op))?;
        Ok(tables)
    }

    /// Adds a change, if it fits what this unit sees.
    pub(super) fn stage(&self, op: Op) -> Result<(), StoreError> {
        self.view()?.apply(&op)?;
        self.ops().push(op);
        Ok(())
    }
}

/// Lets other tasks run between two statements, as a database would.
pub(super) async fn pause() {
    tokio::task::yield_now().await;
}

#[async_trait]
impl SubscriptionReader for Staged {
    async fn find(&self, scope: &Scope, id: SubscriptionId) -> Result<Option<Subscription>, StoreError> {
        pause().await;
        let found = self.view()?.subscriptions.get(&id).map(|known| Subscription::clone(known));
        Ok(found.filter(|known| scope.contains(known.account)))
    }

    async fn page(&self, scope: &Scope, page: PageRequest) -> Result<Page<Subscription>, StoreError> {
        pause().await;
        let view = self.view()?;
        let mut found: Vec<_> =
            view.subscriptions.into_values().filter(|known| scope.contains(known.account)).collect();
        found.sort_by_key(|known| (known.created_at, known.id));
        Ok(cut(found, page).map(Arc::unwrap_or_clone))
    }

    async fn active(&self, accounts: &[AccountId]) -> Result<Vec<Subscription>, StoreError> {
        pause().await;
        let view = self.view()?;
        let active = |known: &Arc<Subscription>| known.is_active() && accounts.contains(&known.account);
        Ok(view.subscriptions.into_values().filter(active).map(Arc::unwrap_or_clone).collect())
    }

    async fn health(
        &self,
        scope: &Scope,
        ids: &[SubscriptionId],
    ) -> Result<BTreeMap<SubscriptionId, Health>, StoreError> {
        pause().await;
        let view = self.view()?;
        let ours = |id: &SubscriptionId| {
            ids.contains(id) && view.subscriptions.get(id).is_some_and(|known| scope.contains(known.account))
        };
        Ok(view.health.clone().into_iter().filter(|(id, _)| ours(id)).collect())
    }
}

#[async_trait]
impl DeliveryReader for Staged {
    async fn find(&self, scope: &Scope, id: DeliveryId) -> Result<Option<LoggedDelivery>, StoreError> {
        pause().await;
        let found = self.view()?.deliveries.get(&id).map(|known| LoggedDelivery::clone(known));
        Ok(found.filter(|known| scope.contains(known.delivery.account)))
    }

    async fn page(
        &self,
        scope: &Scope,
        subscription: SubscriptionId,
        filter: &DeliveryFilter,
        page: PageRequest,
    ) -> Result<Page<LoggedDelivery>, StoreError> {
        pause().await;
        let view = self.view()?;
        let matching = |logged: &Arc<LoggedDelivery>| {
            let delivery = &logged.delivery;
            delivery.subscription == subscription
                && scope.contains(delivery.account)
                && matches(filter, delivery)
        };
        let mut found: Vec<_> = view.deliveries.into_values().filter(matching).collect();
        found.sort_by_key(|logged| std::cmp::Reverse(logged.delivery.id));
        Ok(cut(found, page).map(|logged| without_answers(Arc::unwrap_or_clone(logged))))
    }

    async fn hours(&self, scope: &Scope, request: HoursRequest) -> Result<Vec<HourOfDeliveries>, StoreError> {
        pause().await;
        let view = self.view()?;
        let all = view.deliveries.values().map(|logged| &logged.delivery);
        Ok(request.of(all.filter(|delivery| scope.contains(delivery.account))))
    }
}

fn without_answers(logged: LoggedDelivery) -> LoggedDelivery {
    let attempts = logged.attempts.into_iter().map(Attempt::without_answer).collect();
    LoggedDelivery { attempts, ..logged }
}

fn matches(filter: &DeliveryFilter, delivery: &Delivery) -> bool {
    filter.status.is_none_or(|status| delivery.status() == status)
        && filter.event_type.as_ref().is_none_or(|kind| delivery.event_type == *kind)
        && filter.event.is_none_or(|event| delivery.event == event)
        && filter.from.is_none_or(|from| delivery.created_at >= from)
        && filter.before.is_none_or(|before| delivery.created_at < before)
}

pub(super) fn cut<T>(all: Vec<T>, request: PageRequest) -> Page<T> {
    let total = u64::try_from(all.len()).unwrap_or(u64::MAX);
    let skip = usize::try_from(request.offset()).unwrap_or(usize::MAX);
    let take = usize::try_from(request.limit()).unwrap_or(usize::MAX);
    Page { items: all.into_iter().skip(skip).take(take).collect(), total, request }
}
