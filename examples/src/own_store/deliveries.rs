//! The delivery log and the log of events.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use async_trait::async_trait;
use svc_core::error::StoreError;
use svc_core::event::Event;
use svc_core::id::{DeliveryId, EventId, SubscriptionId, TypedId as _};
use svc_core::page::{Page, PageRequest};
use svc_core::tenant::Scope;
use svc_webhooks::delivery::{Attempt, Delivery, Status};
use svc_webhooks::ports::{
    DeliveryCounts, DeliveryFilter, DeliveryReader, DeliveryStore, EventFilter, EventReader,
    HourOfDeliveries, HoursRequest, InitialLease, LoggedDelivery, LoggedEvent,
};

use super::View;
use super::tables::Tables;

#[async_trait]
impl DeliveryReader for View {
    async fn find(&self, scope: &Scope, id: DeliveryId) -> Result<Option<LoggedDelivery>, StoreError> {
        let found = self.tables().deliveries.get(&id).map(|row| row.logged.clone());
        Ok(found.filter(|logged| scope.contains(logged.delivery.account)))
    }

    async fn page(
        &self,
        scope: &Scope,
        subscription: SubscriptionId,
        filter: &DeliveryFilter,
        page: PageRequest,
    ) -> Result<Page<LoggedDelivery>, StoreError> {
        let tables = self.tables();
        let wanted = |delivery: &Delivery| {
            delivery.subscription == subscription
                && scope.contains(delivery.account)
                && is_in(filter, delivery)
        };
        let rows = tables.deliveries.values().filter(|row| wanted(&row.logged.delivery));
        let mut found: Vec<_> = rows.map(|row| &row.logged).collect();
        found.sort_by_key(|logged| Reverse(logged.delivery.id));
        Ok(Page::of_all(found, page).map(without_answers))
    }

    async fn hours(&self, scope: &Scope, request: HoursRequest) -> Result<Vec<HourOfDeliveries>, StoreError> {
        let tables = self.tables();
        let all = tables.deliveries.values().map(|row| &row.logged.delivery);
        Ok(request.of(all.filter(|delivery| scope.contains(delivery.account))))
    }
}

fn is_in(filter: &DeliveryFilter, delivery: &Delivery) -> bool {
    let DeliveryFilter { status, event_type, event, from, before } = filter;
    status.is_none_or(|status| delivery.status() == status)
        && event_type.as_ref().is_none_or(|kind| delivery.event_type == *kind)
        && event.is_none_or(|event| delivery.event == event)
        && from.is_none_or(|from| delivery.created_at >= from)
        && before.is_none_or(|before| delivery.created_at < before)
}

/// A page stays small, however much receivers write.
fn without_answers(logged: &LoggedDelivery) -> LoggedDelivery {
    let attempts = logged.attempts.iter().cloned().map(Attempt::without_answer).collect();
    LoggedDelivery { delivery: logged.delivery.clone(), attempts }
}

#[async_trait]
impl DeliveryStore for View {
    async fn insert(
        &self,
        deliveries: &[Delivery],
        initial_lease: Option<InitialLease>,
    ) -> Result<BTreeSet<DeliveryId>, StoreError> {
        let mut tables = self.tables();
        if deliveries.iter().any(|delivery| !tables.subscriptions.contains_key(&delivery.subscription)) {
            return Err(StoreError::Conflict);
        }
        if deliveries.iter().any(|delivery| !tables.events.contains_key(&delivery.event)) {
            return Err(StoreError::backend("a delivery of an event that is not there"));
        }
        let added = deliveries.iter().filter(|delivery| tables.deliver(delivery, initial_lease));
        Ok(added.map(|delivery| delivery.id).collect())
    }
}

#[async_trait]
impl EventReader for View {
    async fn find(&self, scope: &Scope, id: EventId) -> Result<Option<LoggedEvent>, StoreError> {
        let tables = self.tables();
        let found =
            tables.events.get(&id).filter(|event| event.account().is_some_and(|of| scope.contains(of)));
        Ok(found.map(|event| LoggedEvent { event: event.as_ref().clone(), deliveries: counts(&tables, id) }))
    }

    async fn page(
        &self,
        scope: &Scope,
        filter: &EventFilter,
        page: PageRequest,
    ) -> Result<Page<LoggedEvent>, StoreError> {
        let tables = self.tables();
        // Ids are made in time order, and the table is sorted by them.
        let newest_first = tables.events.values().rev();
        let found = newest_first.filter(|event| tells_of(scope, filter, event)).collect();
        let logged = |event: &std::sync::Arc<Event>| LoggedEvent {
            event: event.as_ref().clone(),
            deliveries: counts(&tables, event.id),
        };
        Ok(Page::of_all(found, page).map(logged))
    }
}

fn tells_of(scope: &Scope, filter: &EventFilter, event: &Event) -> bool {
    let EventFilter { companies, types, object, from, before } = filter;
    let wanted = |account| scope.contains(account) && (companies.is_empty() || companies.contains(&account));
    event.account().is_some_and(wanted)
        && types.contains(&event.kind)
        && object.as_ref().is_none_or(|object| *object == event.object_id)
        && from.is_none_or(|from| event.id >= EventId::least(from))
        && before.is_none_or(|before| event.id < EventId::least(before))
}

fn counts(tables: &Tables, event: EventId) -> DeliveryCounts {
    let mut counts = DeliveryCounts::default();
    let deliveries = tables.deliveries.values().map(|row| &row.logged.delivery);
    for delivery in deliveries.filter(|delivery| delivery.event == event) {
        match delivery.status() {
            Status::Pending => counts.pending += 1,
            Status::Retrying => counts.retrying += 1,
            Status::Delivered => counts.delivered += 1,
            Status::Failed => counts.failed += 1,
        }
    }
    counts
}
