//! Reading the delivery log, and adding to it.

use std::collections::{BTreeSet, HashMap, HashSet};

use async_trait::async_trait;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, Order, QueryFilter, QueryOrder, QuerySelect,
};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::event::Event;
use svc_core::id::{DeliveryId, SubscriptionId, TypedId};
use svc_core::page::{Page, PageRequest};
use svc_core::tenant::Scope;
use svc_webhooks::delivery::{Attempt, Delivery};
use svc_webhooks::ports::{DeliveryFilter, DeliveryReader, DeliveryStore, Lease, LoggedDelivery};
use uuid::Uuid;

use super::delivery::{self, Column, Entity, Model};
use crate::business::rows::{Window, count};
use crate::error::backend;
use crate::scoped::within;
use crate::statement::{ROWS, Sql};
use crate::store::SeaStore;

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> DeliveryReader for SeaStore<C> {
    async fn find(&self, scope: &Scope, id: DeliveryId) -> Result<Option<LoggedDelivery>, StoreError> {
        let found = Entity::find_by_id(id.uuid()).filter(within(scope, &[], Column::AccountId));
        let row = found.one(&self.conn).await.map_err(backend)?;
        Ok(self.logged(row.into_iter().collect()).await?.pop())
    }

    async fn page(
        &self,
        scope: &Scope,
        subscription: SubscriptionId,
        filter: &DeliveryFilter,
        request: PageRequest,
    ) -> Result<Page<LoggedDelivery>, StoreError> {
        let matching = Entity::find()
            .filter(within(scope, &[], Column::AccountId))
            .filter(Column::SubscriptionId.eq(subscription.uuid()))
            .filter(condition(filter));
        let total = count(&self.conn, matching.clone()).await?;
        let Some(window) = Window::of(request, total) else {
            return Ok(Page { items: Vec::new(), total, request });
        };
        let order = if window.backwards { Order::Asc } else { Order::Desc };
        let list = matching
            .order_by(Column::CreatedAt, order.clone())
            .order_by(Column::Id, order)
            .limit(window.limit.get())
            .offset(window.offset);
        let mut rows = list.all(&self.conn).await.map_err(backend)?;
        if window.backwards {
            rows.reverse();
        }
        Ok(Page { items: self.logged(rows).await?, total, request })
    }
}

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> DeliveryStore for SeaStore<C> {
    async fn take_events(&self, limit: u32) -> Result<Vec<Event>, StoreError> {
        self.take(limit).await
    }

    async fn insert(&self, deliveries: &[Delivery]) -> Result<(), StoreError> {
        self.add_deliveries(deliveries, None).await
    }

    async fn insert_leased(
        &self,
        delivery: &Delivery,
        lease: Lease,
        until: Timestamp,
    ) -> Result<(), StoreError> {
        self.add_deliveries(std::slice::from_ref(delivery), Some((lease, until))).await
    }
}

impl<C: ConnectionTrait> SeaStore<C> {
    async fn add_deliveries(
        &self,
        deliveries: &[Delivery],
        lease: Option<(Lease, Timestamp)>,
    ) -> Result<(), StoreError> {
        let subscriptions = deliveries.iter().map(|new| new.subscription.uuid()).collect();
        self.hold("SELECT id FROM subscriptions WHERE id", &subscriptions).await?;
        // The event of an automatic delivery was in the outbox until this very unit, and is safe by that.
        let by_hand = deliveries.iter().filter(|new| !new.automatic);
        let events = by_hand.map(|new| new.event.uuid()).collect();
        self.hold("SELECT id FROM events WHERE id", &events).await?;
        for some in deliveries.chunks(ROWS) {
            let added = Sql::new(&self.conn, &format!("INSERT INTO deliveries ({})", delivery::COLUMNS))
                .rows(some.iter().map(|new| delivery::values(delivery::of(new))))
                .text(" ON CONFLICT (event_id, subscription_id) WHERE automatic DO NOTHING RETURNING id")
                .ids(&self.conn)
                .await?;
            let added: HashSet<Uuid> = added.into_iter().collect();
            let added: Vec<&Delivery> = some.iter().filter(|new| added.contains(&new.id.uuid())).collect();
            self.queue(&added, lease).await?;
        }
        Ok(())
    }

    /// Keeps what deliveries need from being removed before they are committed.
    async fn hold(&self, rows: &str, needed: &BTreeSet<Uuid>) -> Result<(), StoreError> {
        if needed.is_empty() {
            return Ok(());
        }
        let held = Sql::new(&self.conn, rows)
            .among(needed.iter().copied())
            .on_postgres(" FOR KEY SHARE")
            .ids(&self.conn)
            .await?;
        if held.len() == needed.len() { Ok(()) } else { Err(StoreError::Conflict) }
    }

    async fn queue(
        &self,
        deliveries: &[&Delivery],
        lease: Option<(Lease, Timestamp)>,
    ) -> Result<(), StoreError> {
        let rows: Vec<_> = deliveries
            .iter()
            .filter_map(|new| Some((new, new.next_attempt_at()?)))
            .map(|(new, due_at)| {
                [
                    new.id.uuid().into(),
                    new.account.uuid().into(),
                    new.subscription.uuid().into(),
                    new.event.uuid().into(),
                    i16::from(new.attempts).into(),
                    due_at.unix_micros().into(),
                    lease.map(|(_, until)| until.unix_micros()).into(),
                    lease.map(|(lease, _)| lease.0).into(),
                ]
            })
            .collect();
        if rows.is_empty() {
            return Ok(());
        }
        let columns = "INSERT INTO delivery_queue \
             (id, account_id, subscription_id, event_id, attempt, due_at, lease_until, lease_token)";
        Sql::new(&self.conn, columns).rows(rows).execute(&self.conn).await.map(|_| ())
    }

    /// The deliveries of these rows, in their order, with their attempts.
    async fn logged(&self, rows: Vec<Model>) -> Result<Vec<LoggedDelivery>, StoreError> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let attempts =
            format!("SELECT {} FROM delivery_attempts WHERE delivery_id", delivery::ATTEMPT_COLUMNS);
        let attempts = Sql::new(&self.conn, &attempts)
            .among(rows.iter().map(|row| row.id))
            .text(" ORDER BY delivery_id, number")
            .all(&self.conn)
            .await?;
        let mut of: HashMap<Uuid, Vec<Attempt>> = HashMap::new();
        for row in &attempts {
            let (id, attempt) = delivery::read_attempt(row)?;
            of.entry(id).or_default().push(attempt);
        }
        rows.into_iter()
            .map(|row| {
                let attempts = of.remove(&row.id).unwrap_or_default();
                Ok(LoggedDelivery { delivery: delivery::read(row)?, attempts })
            })
            .collect()
    }
}

fn condition(filter: &DeliveryFilter) -> Condition {
    Condition::all()
        .add_option(filter.status.map(|status| Column::Status.eq(delivery::code(status))))
        .add_option(filter.event_type.map(|kind| Column::EventType.eq(kind.name())))
        .add_option(filter.event.map(|event| Column::EventId.eq(event.uuid())))
        .add_option(filter.from.map(|from| Column::CreatedAt.gte(from.unix_micros())))
        .add_option(filter.before.map(|before| Column::CreatedAt.lt(before.unix_micros())))
}
