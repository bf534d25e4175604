//! Reading the log of events.

use std::collections::HashMap;

use async_trait::async_trait;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, Order, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait, Select,
};
use svc_core::error::StoreError;
use svc_core::event::EventType;
use svc_core::id::{EventId, TypedId};
use svc_core::page::{Page, PageRequest};
use svc_core::tenant::Scope;
use svc_webhooks::delivery::Status;
use svc_webhooks::ports::{DeliveryCounts, EventFilter, EventReader, LoggedEvent};
use uuid::Uuid;

use super::delivery::code;
use crate::error::backend;
use crate::outbox::{self, Column, Entity, Model};
use crate::scoped::within;
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::value::broken;
use crate::window::{Window, count};

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> EventReader for SeaStore<C> {
    async fn find(&self, scope: &Scope, id: EventId) -> Result<Option<LoggedEvent>, StoreError> {
        let scoped = Entity::find_by_id(id.uuid()).filter(within(scope, &[], Column::AccountId));
        let row = scoped.one(&self.conn).await.map_err(backend)?;
        Ok(self.with_counts(row.into_iter().collect()).await?.pop())
    }

    async fn page(
        &self,
        scope: &Scope,
        filter: &EventFilter,
        request: PageRequest,
    ) -> Result<Page<LoggedEvent>, StoreError> {
        let matching = matching(scope, filter);
        let total = count(&self.conn, matching.clone()).await?;
        let Some(window) = Window::of(request, total) else {
            return Ok(Page { items: Vec::new(), total, request });
        };
        let ids = ids(matching, window);
        // Whole rows, bodies included, are read for the page alone.
        let page =
            Entity::find().filter(Column::Id.in_subquery(ids.into_query())).order_by(Column::Id, Order::Desc);
        let rows = page.all(&self.conn).await.map_err(backend)?;
        Ok(Page { items: self.with_counts(rows).await?, total, request })
    }
}

/// The events within the scope that a filter names.
pub(crate) fn matching(scope: &Scope, filter: &EventFilter) -> Select<Entity> {
    let scoped = Entity::find().filter(within(scope, &filter.companies, Column::AccountId));
    scoped.filter(condition(filter))
}

/// The ids of a page of them.
pub(crate) fn ids(matching: Select<Entity>, window: Window) -> Select<Entity> {
    let order = if window.backwards { Order::Asc } else { Order::Desc };
    let ids = matching.select_only().column(Column::Id).order_by(Column::Id, order);
    ids.limit(window.limit.get()).offset(window.offset)
}

impl<C: ConnectionTrait> SeaStore<C> {
    async fn with_counts(&self, rows: Vec<Model>) -> Result<Vec<LoggedEvent>, StoreError> {
        let ids = || rows.iter().map(|row| row.id);
        let select = "SELECT event_id, status, count(*) FROM svc_deliveries WHERE event_id";
        // Two looks, as each kind of delivery has an index of its own.
        let counted = Sql::new(&self.conn, select)
            .among(ids())
            .text(" AND automatic GROUP BY event_id, status UNION ALL ")
            .text(select)
            .among(ids())
            .text(" AND NOT automatic GROUP BY event_id, status")
            .all(&self.conn)
            .await?;
        let mut counts: HashMap<Uuid, DeliveryCounts> = HashMap::new();
        for row in &counted {
            let event: Uuid = row.try_get_by_index(0).map_err(backend)?;
            let status: i16 = row.try_get_by_index(1).map_err(backend)?;
            let number: i64 = row.try_get_by_index(2).map_err(backend)?;
            *of_status(counts.entry(event).or_default(), status)? += u64::try_from(number).unwrap_or(0);
        }
        // One that cannot be read, as a newer program wrote it perhaps, must not hide the others.
        let logged = |row: Model| {
            let id = EventId::from_uuid(row.id);
            let deliveries = counts.remove(&row.id).unwrap_or_default();
            let event = outbox::read(&row);
            let event = event.inspect_err(|error| tracing::error!(event = %id, ?error, "it cannot be read"));
            Some(LoggedEvent { event: event.ok()?, deliveries })
        };
        Ok(rows.into_iter().filter_map(logged).collect())
    }
}

fn of_status(counts: &mut DeliveryCounts, status: i16) -> Result<&mut u64, StoreError> {
    const PENDING: i16 = code(Status::Pending);
    const RETRYING: i16 = code(Status::Retrying);
    const DELIVERED: i16 = code(Status::Delivered);
    const FAILED: i16 = code(Status::Failed);
    match status {
        PENDING => Ok(&mut counts.pending),
        RETRYING => Ok(&mut counts.retrying),
        DELIVERED => Ok(&mut counts.delivered),
        FAILED => Ok(&mut counts.failed),
        _ => Err(broken("deliveries.status")),
    }
}

fn condition(filter: &EventFilter) -> Condition {
    let EventFilter { companies: _, types, object, from, before } = filter;
    let first = |at: &svc_core::clock::Timestamp| EventId::least(*at).uuid();
    Condition::all()
        .add(Column::Type.is_in(types.iter().map(EventType::name)))
        .add_option(object.as_ref().map(|object| Column::ObjectId.eq(object.as_str())))
        .add_option(from.as_ref().map(|from| Column::Id.gte(first(from))))
        .add_option(before.as_ref().map(|before| Column::Id.lt(first(before))))
}
