//! Reading the delivery log, and adding to it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use async_trait::async_trait;
use sea_orm::{ConnectionTrait, DatabaseBackend, EntityTrait, QueryFilter};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{DeliveryId, SubscriptionId, TypedId};
use svc_core::page::{Page, PageRequest};
use svc_core::tenant::Scope;
use svc_webhooks::delivery::{Attempt, Delivery};
use svc_webhooks::ports::{
    DeliveryFilter, DeliveryReader, DeliveryStore, HourOfDeliveries, HoursRequest, InitialLease,
    LoggedDelivery,
};
use uuid::Uuid;

use super::attempt::{self, Answers};
use super::delivery::{self, Column, Entity, Model};
use super::lanes;
use super::removed::is_in_sight;
use crate::error::backend;
use crate::scoped::within;
use crate::statement::{ROWS, Sql};
use crate::store::SeaStore;
use crate::window::Window;

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> DeliveryReader for SeaStore<C> {
    async fn find(&self, scope: &Scope, id: DeliveryId) -> Result<Option<LoggedDelivery>, StoreError> {
        let found = Entity::find_by_id(id.uuid()).filter(within(scope, &[], Column::AccountId));
        let found = found.filter(is_in_sight());
        let row = found.one(&self.conn).await.map_err(backend)?;
        Ok(self.logged(row.into_iter().collect(), Answers::Whole).await?.pop())
    }

    async fn page(
        &self,
        scope: &Scope,
        subscription: SubscriptionId,
        filter: &DeliveryFilter,
        request: PageRequest,
    ) -> Result<Page<LoggedDelivery>, StoreError> {
        let total = matching(Sql::new(&self.conn, "SELECT count(*)"), scope, subscription, filter)
            .count(&self.conn)
            .await?;
        let Some(window) = Window::of(request, total) else {
            return Ok(Page { items: Vec::new(), total, request });
        };
        let page = page(Sql::new(&self.conn, ""), scope, subscription, filter, window).statement();
        let rows = Entity::find().from_raw_sql(page).all(&self.conn).await.map_err(backend)?;
        Ok(Page { items: self.logged(rows, Answers::LeftOut).await?, total, request })
    }

    async fn hours(&self, scope: &Scope, request: HoursRequest) -> Result<Vec<HourOfDeliveries>, StoreError> {
        self.hours_of(scope, request).await
    }
}

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> DeliveryStore for SeaStore<C> {
    async fn insert(
        &self,
        deliveries: &[Delivery],
        initial_lease: Option<InitialLease>,
    ) -> Result<BTreeSet<DeliveryId>, StoreError> {
        self.add_deliveries(deliveries, initial_lease).await
    }
}

impl<C: ConnectionTrait> SeaStore<C> {
    async fn add_deliveries(
        &self,
        deliveries: &[Delivery],
        initial_lease: Option<InitialLease>,
    ) -> Result<BTreeSet<DeliveryId>, StoreError> {
        let subscriptions = deliveries.iter().map(|new| new.subscription.uuid()).collect();
        self.lock_rows("SELECT id FROM svc_subscriptions WHERE id", &subscriptions).await?;
        let events = deliveries.iter().map(|new| new.event.uuid()).collect();
        self.lock_rows("SELECT id FROM svc_events WHERE id", &events).await?;
        let mut lanes = BTreeMap::new();
        for new in deliveries {
            lanes::claimable(&mut lanes, new, initial_lease);
        }
        lanes::mark_due(&self.conn, &lanes).await?;
        let mut added = BTreeSet::new();
        for some in deliveries.chunks(ROWS) {
            added.extend(self.add_queued(some, initial_lease).await?.into_iter().map(DeliveryId::from_uuid));
        }
        Ok(added)
    }

    /// Adds deliveries, and rows of the queue for those that wait; answers which ones were added.
    pub(super) async fn add_queued(
        &self,
        deliveries: &[Delivery],
        initial_lease: Option<InitialLease>,
    ) -> Result<Vec<Uuid>, StoreError> {
        let rows = deliveries.iter().map(|new| delivery::values(delivery::of(new)));
        let insert = format!("INSERT INTO svc_deliveries ({})", delivery::COLUMNS);
        let queue = |sql: Sql, from: &str| {
            sql.text(
                "INSERT INTO svc_delivery_queue \
                 (id, account_id, subscription_id, event_id, attempt, due_at, lease_until, lease_token) \
                 SELECT id, account_id, subscription_id, event_id, attempts, next_attempt_at, ",
            )
            .typed("bigint", initial_lease.map(|lease| lease.until.unix_micros()))
            .text(", ")
            .typed("bigint", initial_lease.map(|lease| lease.lease.0))
            .text(from)
        };
        if self.conn.get_database_backend() == DatabaseBackend::Postgres {
            // In one round trip, and without looking for rows in a table of which nothing is known yet.
            let added = Sql::new(&self.conn, &format!("WITH added AS ({insert}"))
                .rows(rows)
                .text(" ")
                .text(delivery::ONCE)
                .text(" RETURNING *), queued AS (");
            let added = queue(added, " FROM added WHERE next_attempt_at IS NOT NULL");
            return added.text(") SELECT id FROM added").ids(&self.conn).await;
        }
        let added = Sql::new(&self.conn, &insert).rows(rows).text(" ").text(delivery::ONCE);
        let added = added.text(" RETURNING id").ids(&self.conn).await?;
        let waiting =
            queue(Sql::new(&self.conn, ""), " FROM svc_deliveries WHERE next_attempt_at IS NOT NULL AND id");
        waiting.among(added.iter().copied()).execute(&self.conn).await?;
        Ok(added)
    }

    /// Keeps what deliveries need from being removed before they are committed.
    async fn lock_rows(&self, rows: &str, needed: &BTreeSet<Uuid>) -> Result<(), StoreError> {
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
    async fn logged(&self, rows: Vec<Model>, answers: Answers) -> Result<Vec<LoggedDelivery>, StoreError> {
        let ids = || rows.iter().map(|row| row.id);
        let (Some(first), Some(last)) = (ids().min(), ids().max()) else { return Ok(Vec::new()) };
        let columns = match answers {
            Answers::Whole => attempt::COLUMNS,
            Answers::LeftOut => attempt::WITHOUT_ANSWERS,
        };
        // The bounds say nothing new, but they are what PostgreSQL chooses the days by.
        let attempts = format!("SELECT {columns} FROM svc_delivery_attempts WHERE delivery_id");
        let attempts = Sql::new(&self.conn, &attempts)
            .among(ids())
            .text(" AND delivery_id BETWEEN ")
            .bind(first)
            .text(" AND ")
            .bind(last)
            .text(" ORDER BY delivery_id, number")
            .all(&self.conn)
            .await?;
        let mut of: HashMap<Uuid, Vec<Attempt>> = HashMap::new();
        for row in &attempts {
            let (id, attempt) = attempt::read(row, answers)?;
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

/// Whole rows of one page, newest first: which ones is read from the index alone, unless they are
/// narrowed by what changes with attempts, which is in no index.
pub(crate) fn page(
    sql: Sql,
    scope: &Scope,
    subscription: SubscriptionId,
    filter: &DeliveryFilter,
    window: Window,
) -> Sql {
    matching(sql.text("SELECT * FROM svc_deliveries WHERE id IN (SELECT id"), scope, subscription, filter)
        .text(if window.backwards { " ORDER BY id" } else { " ORDER BY id DESC" })
        .window(window)
        .text(") ORDER BY id DESC")
}

/// Ids are made with the deliveries, so the order of the ids is that of the deliveries, and a span of time
/// is a span of ids.
fn matching(sql: Sql, scope: &Scope, subscription: SubscriptionId, filter: &DeliveryFilter) -> Sql {
    let DeliveryFilter { status, event_type, event, from, before } = filter;
    let mut sql = sql
        .text(" FROM svc_deliveries WHERE subscription_id = (SELECT id FROM svc_subscriptions WHERE id = ")
        .bind(subscription.uuid())
        .text(" AND account_id")
        .within(scope)
        .text(")");
    if let Some(status) = status {
        sql = sql.text(" AND status = ").bind(delivery::code(*status));
    }
    if let Some(kind) = event_type {
        sql = sql.text(" AND event_type = ").bind(kind.name());
    }
    if let Some(event) = event {
        // Two looks, as each has an index of its own.
        sql = sql
            .text(" AND id IN (SELECT id FROM svc_deliveries WHERE automatic AND event_id = ")
            .bind(event.uuid())
            .text(" UNION ALL SELECT id FROM svc_deliveries WHERE NOT automatic AND event_id = ")
            .bind(event.uuid())
            .text(")");
    }
    if let Some(from) = from {
        sql = sql.text(" AND id >= ").bind(DeliveryId::least(*from).uuid());
        sql = within_millisecond(sql, ">=", *from);
    }
    if let Some(before) = before {
        // The whole millisecond in which it lies.
        let next = before.plus(Duration::from_micros(999));
        sql = sql.text(" AND id < ").bind(DeliveryId::least(next).uuid());
        sql = within_millisecond(sql, "<", *before);
    }
    sql
}

/// Ids are of a millisecond; an instant between two is compared once more.
fn within_millisecond(sql: Sql, comparison: &str, at: Timestamp) -> Sql {
    if at.unix_micros() % 1_000 == 0 {
        sql
    } else {
        sql.text(" AND created_at ").text(comparison).text(" ").bind(at.unix_micros())
    }
}
