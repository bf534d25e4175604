//! The queue: claiming, giving back, and looking at it.
//!
//! Claiming needs an open transaction: it leases rows, then reads what belongs to them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use sea_orm::{ConnectionTrait, EntityTrait};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, DeliveryId, EventId, SubscriptionId, TypedId};
use svc_webhooks::ports::{Lease, Leased, Notification, QueueDepth};
use svc_webhooks::subscription::Subscription;
use uuid::Uuid;

use super::delivery::{self, Entity};
use crate::business::value::parsed;
use crate::error::backend;
use crate::statement::{ROWS, Sql};
use crate::store::SeaStore;
use crate::{fence, outbox};

impl<C: ConnectionTrait> SeaStore<C> {
    /// Leases up to `limit` due deliveries until `now + lease_for`, longest due first.
    pub(crate) async fn claim(
        &self,
        limit: u32,
        now: Timestamp,
        lease_for: Duration,
    ) -> Result<Vec<Leased>, StoreError> {
        let lease = Lease(fence::generate()?);
        let now = now.unix_micros();
        let until = Timestamp::from_unix_micros(now).plus(lease_for).unix_micros();
        let ids = Sql::new(&self.conn, "UPDATE delivery_queue SET lease_until = ")
            .bind(until)
            .text(", lease_token = ")
            .bind(lease.0)
            .text(" WHERE id")
            .selected(|sql| {
                sql.text("SELECT id FROM delivery_queue WHERE due_at <= ")
                    .bind(now)
                    .text(" AND (lease_until IS NULL OR lease_until <= ")
                    .bind(now)
                    .text(") ORDER BY due_at LIMIT ")
                    .bind(i64::from(limit))
                    .on_postgres(" FOR UPDATE SKIP LOCKED")
            })
            .text(" RETURNING id")
            .ids(&self.conn)
            .await?;
        if ids.is_empty() { Ok(Vec::new()) } else { self.leased(ids, lease).await }
    }

    /// Gives leases back unused, so that others can claim at once.
    pub(crate) async fn release(&self, leases: &[(DeliveryId, Lease)]) -> Result<(), StoreError> {
        // In one order, so that nobody waits in a circle.
        let leases: BTreeMap<DeliveryId, Lease> = leases.iter().copied().collect();
        let leases: Vec<(DeliveryId, Lease)> = leases.into_iter().collect();
        for some in leases.chunks(ROWS) {
            Sql::new(&self.conn, "WITH given (id, token) AS (")
                .rows(some.iter().map(|(id, lease)| [id.uuid().into(), lease.0.into()]))
                .text(
                    ") UPDATE delivery_queue SET lease_until = NULL, lease_token = NULL FROM given \
                     WHERE delivery_queue.id = given.id AND delivery_queue.lease_token = given.token",
                )
                .execute(&self.conn)
                .await?;
        }
        Ok(())
    }

    /// When the next delivery falls due or its lease ends; `None` for an empty queue.
    ///
    /// A leased row that falls due after the first free one can be claimed no earlier than that. So only
    /// the leased rows before it count, which are at the front of the index on `due_at`.
    pub(crate) async fn next_due(&self) -> Result<Option<Timestamp>, StoreError> {
        let sql = "WITH free (due_at) AS (
                SELECT due_at FROM delivery_queue WHERE lease_until IS NULL ORDER BY due_at LIMIT 1
            )
            SELECT min(due_at) FROM (
                SELECT due_at FROM free
                UNION ALL
                SELECT CASE WHEN lease_until > due_at THEN lease_until ELSE due_at END
                FROM delivery_queue
                WHERE lease_until IS NOT NULL
                    AND due_at < COALESCE((SELECT due_at FROM free), 9223372036854775807)
            ) AS claimable";
        micros(Sql::new(&self.conn, sql).one(&self.conn).await?)
    }

    /// What the queue holds at `now`.
    pub(crate) async fn depth(&self, now: Timestamp) -> Result<QueueDepth, StoreError> {
        let now = now.unix_micros();
        let events = Sql::new(&self.conn, "SELECT count(*) FROM outbox").one(&self.conn).await?;
        let queued = Sql::new(&self.conn, "SELECT count(*) FROM delivery_queue").one(&self.conn).await?;
        let oldest = Sql::new(&self.conn, "SELECT due_at FROM delivery_queue WHERE due_at <= ")
            .bind(now)
            .text(" AND (lease_until IS NULL OR lease_until <= ")
            .bind(now)
            .text(") ORDER BY due_at LIMIT 1")
            .one(&self.conn)
            .await?;
        Ok(QueueDepth { events: number(events)?, queued: number(queued)?, oldest_due: micros(oldest)? })
    }

    /// The deliveries that were just leased, with what to send and where to.
    async fn leased(&self, ids: Vec<Uuid>, lease: Lease) -> Result<Vec<Leased>, StoreError> {
        let found = Sql::new(&self.conn, "SELECT * FROM deliveries WHERE id").among(ids).statement();
        let rows = Entity::find().from_raw_sql(found).all(&self.conn).await.map_err(backend)?;
        let read = |row| {
            delivery::read(row).inspect_err(|error| tracing::error!(?error, "a delivery cannot be read")).ok()
        };
        let mut deliveries: Vec<_> = rows.into_iter().filter_map(read).collect();
        deliveries.sort_unstable_by_key(|delivery| (delivery.next_attempt_at(), delivery.id));

        let events: Vec<Uuid> = deliveries.iter().map(|delivery| delivery.event.uuid()).collect();
        let events = outbox::find(&self.conn, &events).await?;
        let needed: BTreeSet<SubscriptionId> =
            deliveries.iter().map(|delivery| delivery.subscription).collect();
        let subscriptions: HashMap<SubscriptionId, Result<Subscription, StoreError>> =
            self.subscriptions(&needed).await?.into_iter().collect();

        // One row that cannot be sent, for want of a key perhaps, must not stop the queue: it stays
        // leased, and comes again when its lease has ended.
        let mut leased = Vec::with_capacity(deliveries.len());
        for delivery in deliveries {
            let notification = match events.get(&delivery.event.uuid()).map(notification) {
                Some(Ok(notification)) => notification,
                unreadable @ (Some(Err(_)) | None) => {
                    let (id, error) = (delivery.id, unreadable.and_then(Result::err));
                    tracing::error!(delivery = %id, ?error, "the event of a delivery cannot be read");
                    continue;
                }
            };
            let subscription = match subscriptions.get(&delivery.subscription) {
                Some(Ok(subscription)) => Some(subscription.clone()),
                None => None,
                Some(Err(error)) => {
                    let (id, subscription) = (delivery.id, delivery.subscription);
                    tracing::error!(delivery = %id, %subscription, ?error, "a subscription cannot be read");
                    continue;
                }
            };
            leased.push(Leased { lease, delivery, notification, subscription });
        }
        Ok(leased)
    }
}

fn notification(event: &outbox::Model) -> Result<Notification, StoreError> {
    Ok(Notification {
        id: EventId::from_uuid(event.id),
        kind: parsed("events.type", &event.r#type)?,
        account: event.account_id.map(AccountId::from_uuid),
        body: event.body.clone(),
    })
}

fn number(row: Option<sea_orm::QueryResult>) -> Result<u64, StoreError> {
    let count: Option<i64> = row.map(|row| row.try_get_by_index(0)).transpose().map_err(backend)?;
    Ok(count.and_then(|count| u64::try_from(count).ok()).unwrap_or(0))
}

fn micros(row: Option<sea_orm::QueryResult>) -> Result<Option<Timestamp>, StoreError> {
    let at: Option<Option<i64>> = row.map(|row| row.try_get_by_index(0)).transpose().map_err(backend)?;
    Ok(at.flatten().map(Timestamp::from_unix_micros))
}
