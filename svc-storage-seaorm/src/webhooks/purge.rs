//! Forgetting what is old, in an open transaction.
//!
//! The id of a delivery or an event begins with the instant at which it was made, from the same reading of
//! the same clock as `created_at` and `occurred_at`. So what is old is at the front of the primary key, and
//! no index of ages is kept; clocks that differ between processes make no difference to that.

use sea_orm::{ConnectionTrait, DatabaseBackend};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{DeliveryId, EventId, TypedId};

use super::delivery::FIRST_ENDED;
use crate::statement::Sql;
use crate::store::SeaStore;

/// How often one purge looks for events that nothing needs.
const EVENT_ROUNDS: usize = 20;

impl<C: ConnectionTrait> SeaStore<C> {
    /// Forgets ended deliveries, their attempts and events older than `before`, up to `limit`
    /// deliveries and some times as many events, oldest first; answers how many deliveries went.
    pub(crate) async fn purge(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let limit = i64::from(limit);
        let old = old_deliveries(Sql::new(&self.conn, ""), before, limit).ids(&self.conn).await?;
        let mut gone = 0;
        if !old.is_empty() {
            // On PostgreSQL the attempts go with their day; only what lies in no day goes now.
            let suffix =
                if self.conn.get_database_backend() == DatabaseBackend::Postgres { "_rest" } else { "" };
            Sql::new(&self.conn, &format!("DELETE FROM svc_delivery_attempts{suffix} WHERE delivery_id"))
                .among(old.iter().copied())
                .execute(&self.conn)
                .await?;
            let deliveries = Sql::new(&self.conn, "DELETE FROM svc_deliveries WHERE id").among(old);
            gone = deliveries.execute(&self.conn).await?;
        }
        if i64::try_from(gone).is_ok_and(|gone| gone < limit) {
            self.purge_lanes().await?;
        }
        // Events without deliveries may be many more than deliveries.
        for _ in 0..EVENT_ROUNDS {
            if self.purge_events(before, limit).await? < limit {
                break;
            }
        }
        Ok(gone)
    }

    /// A lane may have been put down once more while its subscription was removed. Looked for with the
    /// last of many purges alone, as it reads every lane.
    async fn purge_lanes(&self) -> Result<(), StoreError> {
        let orphans = "DELETE FROM svc_delivery_lanes WHERE due_at IS NULL AND NOT EXISTS \
             (SELECT 1 FROM svc_subscriptions WHERE svc_subscriptions.id = svc_delivery_lanes.subscription_id)";
        Sql::new(&self.conn, orphans).execute(&self.conn).await.map(|_| ())
    }

    /// An event goes after its last delivery, and never before it was fanned out.
    ///
    /// Looked at twice: the second look is under the lock that a delivery made by hand needs too, so it
    /// sees any that was added after the first.
    async fn purge_events(&self, before: Timestamp, limit: i64) -> Result<i64, StoreError> {
        let old = old_events(Sql::new(&self.conn, ""), before, limit).ids(&self.conn).await?;
        let found = i64::try_from(old.len()).unwrap_or(i64::MAX);
        if found > 0 {
            let gone = Sql::new(&self.conn, "DELETE FROM svc_events WHERE id").among(old).text(UNNEEDED);
            gone.execute(&self.conn).await?;
        }
        Ok(found)
    }
}

pub(crate) fn old_deliveries(sql: Sql, before: Timestamp, limit: i64) -> Sql {
    sql.text("SELECT id FROM svc_deliveries WHERE id < ")
        .bind(DeliveryId::least(before).uuid())
        .text(" AND status >= ")
        .bind(FIRST_ENDED)
        .text(" ORDER BY id LIMIT ")
        .bind(limit)
        .on_postgres(" FOR UPDATE SKIP LOCKED")
}

pub(crate) fn old_events(sql: Sql, before: Timestamp, limit: i64) -> Sql {
    sql.text("SELECT id FROM svc_events WHERE id < ")
        .bind(EventId::least(before).uuid())
        .text(UNNEEDED)
        .text(" ORDER BY id LIMIT ")
        .bind(limit)
        .on_postgres(" FOR UPDATE OF svc_events SKIP LOCKED")
}

/// Two looks at deliveries, as each has an index of its own.
const UNNEEDED: &str = " AND NOT EXISTS (SELECT 1 FROM svc_outbox WHERE svc_outbox.event_id = svc_events.id) \
     AND NOT EXISTS (SELECT 1 FROM svc_deliveries WHERE svc_deliveries.event_id = svc_events.id AND automatic) \
     AND NOT EXISTS (SELECT 1 FROM svc_deliveries WHERE svc_deliveries.event_id = svc_events.id AND NOT automatic)";
