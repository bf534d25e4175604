//! The log of events.

use std::sync::Arc;

use async_trait::async_trait;
use svc_core::error::StoreError;
use svc_core::event::Event;
use svc_core::id::{EventId, TypedId};
use svc_core::page::{Page, PageRequest};
use svc_core::tenant::Scope;
use svc_webhooks::delivery::Status;
use svc_webhooks::ports::{DeliveryCounts, EventFilter, EventReader, LoggedEvent};

use super::staged::{Staged, cut, pause};
use super::tables::Tables;

#[async_trait]
impl EventReader for Staged {
    async fn find(&self, scope: &Scope, id: EventId) -> Result<Option<LoggedEvent>, StoreError> {
        pause().await;
        let view = self.view()?;
        let found = view.events.get(&id).filter(|event| event.account().is_some_and(|of| scope.contains(of)));
        Ok(found.map(|event| LoggedEvent { event: event.as_ref().clone(), deliveries: view.counts(id) }))
    }

    async fn page(
        &self,
        scope: &Scope,
        filter: &EventFilter,
        page: PageRequest,
    ) -> Result<Page<LoggedEvent>, StoreError> {
        pause().await;
        let view = self.view()?;
        let mut found: Vec<Arc<Event>> = view.events.values().map(Arc::clone).collect();
        found.retain(|event| matches(scope, filter, event));
        found.sort_by_key(|event| std::cmp::Reverse(event.id));
        let logged = |event: Arc<Event>| {
            let deliveries = view.counts(event.id);
            LoggedEvent { event: Arc::unwrap_or_clone(event), deliveries }
        };
        Ok(cut(found, page).map(logged))
    }
}

fn matches(scope: &Scope, filter: &EventFilter, event: &Event) -> bool {
    let EventFilter { companies, types, object, from, before } = filter;
    event.account().is_some_and(|account| {
        scope.contains(account) && (companies.is_empty() || companies.contains(&account))
    }) && types.contains(&event.kind)
        && object.as_ref().is_none_or(|object| *object == event.object_id)
        && from.is_none_or(|from| event.id >= EventId::least(from))
        && before.is_none_or(|before| event.id < EventId::least(before))
}

impl Tables {
    fn counts(&self, event: EventId) -> DeliveryCounts {
        let mut counts = DeliveryCounts::default();
        for logged in self.deliveries.values().filter(|logged| logged.delivery.event == event) {
            match logged.delivery.status() {
                Status::Pending => counts.pending += 1,
                Status::Retrying => counts.retrying += 1,
                Status::Delivered => counts.delivered += 1,
                Status::Failed => counts.failed += 1,
            }
        }
        counts
    }
}
