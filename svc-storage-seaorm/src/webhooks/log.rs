//! Reading the delivery log, and adding to it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use async_trait::async_trait;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, Order, QueryFilter, QueryOrder, QuerySelect,
};
use svc_core::error::StoreError;
use svc_core::id::{DeliveryId, SubscriptionId, TypedId};
use svc_core::page::{Page, PageRequest};
use svc_core::tenant::Scope;
use svc_webhooks::delivery::{Attempt, Delivery};
use svc_webhooks::ports::{DeliveryFilter, DeliveryReader, DeliveryStore, Hold, LoggedDelivery};
use uuid::Uuid;

use super::delivery::{self, Column, Entity, Model};
use super::lanes;
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
    async fn insert(
        &self,
        deliveries: &[Delivery],
        hold: Option<Hold>,
    ) -> Result<BTreeSet<DeliveryId>, StoreError> {
        self.add_deliveries(deliveries, hold).await
    }
}

impl<C: ConnectionTrait> SeaStore<C> {
    async fn add_deliveries(
        &self,
        deliveries: &[Delivery],
        hold: Option<Hold>,
    ) -> Result<BTreeSet<DeliveryId>, StoreError> {
        let subscriptions = deliveries.iter().map(|new| new.subscription.uuid()).collect();
        self.hold("SELECT id FROM subscriptions WHERE id", &subscriptions).await?;
        let events = deliveries.iter().map(|new| new.event.uuid()).collect();
        self.hold("SELECT id FROM events WHERE id", &events).await?;
        let mut lanes = BTreeMap::new();
        for new in deliveries {
            lanes::claimable(&mut lanes, new, hold);
        }
        lanes::awake(&self.conn, &lanes).await?;
        let mut added = BTreeSet::new();
        for some in deliveries.chunks(ROWS) {
            added.extend(self.add_queued(some, hold).await?.into_iter().map(DeliveryId::from_uuid));
        }
        Ok(added)
    }

    /// Adds deliveries, and rows of the queue for those that wait; answers which ones were added.
    pub(super) async fn add_queued(
        &self,
        deliveries: &[Delivery],
        hold: Option<Hold>,
    ) -> Result<Vec<Uuid>, StoreError> {
        let rows = deliveries.iter().map(|new| delivery::values(delivery::of(new)));
        let insert = format!("INSERT INTO deliveries ({})", delivery::COLUMNS);
        let added = Sql::new(&self.conn, &insert).rows(rows).text(" ").text(delivery::ONCE);
        let added = added.text(" RETURNING id").ids(&self.conn).await?;
        Sql::new(
            &self.conn,
            "INSERT INTO delivery_queue \
             (id, account_id, subscription_id, event_id, attempt, due_at, lease_until, lease_token) \
             SELECT id, account_id, subscription_id, event_id, attempts, next_attempt_at, ",
        )
        .typed("bigint", hold.map(|hold| hold.until.unix_micros()))
        .text(", ")
        .typed("bigint", hold.map(|hold| hold.lease.0))
        .text(" FROM deliveries WHERE next_attempt_at IS NOT NULL AND id")
        .among(added.iter().copied())
        .execute(&self.conn)
        .await?;
        Ok(added)
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
