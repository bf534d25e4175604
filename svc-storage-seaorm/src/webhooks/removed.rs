//! The log of subscriptions that were removed.
//!
//! A log may have millions of deliveries. With its subscription it is out of sight at once: lists go through the row of
//! the subscription, and a delivery is not found while its subscription is noted here. The rows themselves are forgotten
//! by the cleaner, some in each commit, so that no other write waits for them.

use sea_orm::sea_query::Expr;
use sea_orm::{ConnectionTrait, DatabaseBackend};
use svc_core::error::StoreError;
use svc_core::id::{SubscriptionId, TypedId};
use uuid::Uuid;

use crate::statement::Sql;
use crate::store::SeaStore;

/// The predicate of deliveries whose subscription is there.
pub(super) fn is_in_sight() -> Expr {
    Expr::cust(
        "NOT EXISTS (SELECT 1 FROM svc_removed_subscriptions \
         WHERE svc_removed_subscriptions.id = svc_deliveries.subscription_id)",
    )
}

impl<C: ConnectionTrait> SeaStore<C> {
    /// Notes that the log of a subscription is to be forgotten, and takes its lanes away, so that nothing of it is
    /// claimed any more.
    pub(super) async fn mark_removed(&self, id: SubscriptionId) -> Result<(), StoreError> {
        Sql::new(&self.conn, "INSERT INTO svc_removed_subscriptions (id)")
            .rows([[id.uuid().into()]])
            .execute(&self.conn)
            .await?;
        self.delete_of("svc_delivery_lanes", id.uuid()).await
    }

    /// Forgets up to `limit` deliveries of a removed subscription, with what is queued of them and their attempts; answers
    /// whether there was one, so that there may be more.
    pub(crate) async fn purge_removed(&self, limit: i64) -> Result<bool, StoreError> {
        let removed = Sql::new(&self.conn, "SELECT id FROM svc_removed_subscriptions ORDER BY id LIMIT 1")
            .on_postgres(" FOR UPDATE SKIP LOCKED")
            .ids(&self.conn)
            .await?;
        let Some(id) = removed.first().copied() else { return Ok(false) };
        let deliveries = Sql::new(&self.conn, "SELECT id FROM svc_deliveries WHERE subscription_id = ")
            .bind(id)
            .text(" ORDER BY id LIMIT ")
            .bind(limit)
            .ids(&self.conn)
            .await?;
        self.forget_deliveries(id, &deliveries).await?;
        if i64::try_from(deliveries.len()).is_ok_and(|found| found < limit) {
            // A settlement that was under way may have noted its health, and a fan-out its lanes.
            self.delete_of("svc_subscription_health", id).await?;
            self.delete_of("svc_delivery_lanes", id).await?;
            Sql::new(&self.conn, "DELETE FROM svc_removed_subscriptions WHERE id = ")
                .bind(id)
                .execute(&self.conn)
                .await?;
        }
        Ok(true)
    }

    /// Forgets these deliveries, the first ones of a subscription in the order of their ids. Settling holds the rows of the
    /// queue to its commit: once they are ours, nothing is added to what is deleted here.
    async fn forget_deliveries(&self, subscription: Uuid, ids: &[Uuid]) -> Result<(), StoreError> {
        let Some(last) = ids.last().copied() else { return Ok(()) };
        let all = || ids.iter().copied();
        Sql::new(&self.conn, "SELECT id FROM svc_delivery_queue WHERE id")
            .among(all())
            .text(" ORDER BY id")
            .on_postgres(" FOR UPDATE")
            .ids(&self.conn)
            .await?;
        let queued = Sql::new(&self.conn, "DELETE FROM svc_delivery_queue WHERE id").among(all());
        queued.execute(&self.conn).await?;
        let attempts = if self.conn.get_database_backend() == DatabaseBackend::Postgres {
            // A join looks for each delivery in its own day, a list of ids in every day.
            Sql::new(
                &self.conn,
                "DELETE FROM svc_delivery_attempts USING svc_deliveries \
                 WHERE svc_deliveries.id = svc_delivery_attempts.delivery_id AND svc_deliveries.subscription_id = ",
            )
            .bind(subscription)
            .text(" AND svc_deliveries.id <= ")
            .bind(last)
        } else {
            Sql::new(&self.conn, "DELETE FROM svc_delivery_attempts WHERE delivery_id").among(all())
        };
        attempts.execute(&self.conn).await?;
        let deliveries = Sql::new(&self.conn, "DELETE FROM svc_deliveries WHERE id").among(all());
        deliveries.execute(&self.conn).await.map(|_| ())
    }

    async fn delete_of(&self, table: &str, subscription: Uuid) -> Result<(), StoreError> {
        let all = Sql::new(&self.conn, &format!("DELETE FROM {table} WHERE subscription_id = "));
        all.bind(subscription).execute(&self.conn).await.map(|_| ())
    }
}
