//! Forgetting what is old, in an open transaction.

use sea_orm::ConnectionTrait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;

use super::delivery::FIRST_ENDED;
use crate::statement::Sql;
use crate::store::SeaStore;

/// How often one purge looks for events that nothing needs.
const EVENT_ROUNDS: usize = 20;

impl<C: ConnectionTrait> SeaStore<C> {
    /// Forgets ended deliveries, their attempts and events older than `before`, up to `limit`
    /// deliveries and some times as many events, oldest first; answers how many deliveries went.
    pub(crate) async fn purge(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let (before, limit) = (before.unix_micros(), i64::from(limit));
        let old = Sql::new(&self.conn, "SELECT id FROM deliveries WHERE created_at < ")
            .bind(before)
            .text(" AND status >= ")
            .bind(FIRST_ENDED)
            .text(" ORDER BY created_at LIMIT ")
            .bind(limit)
            .on_postgres(" FOR UPDATE SKIP LOCKED")
            .ids(&self.conn)
            .await?;
        let mut gone = 0;
        if !old.is_empty() {
            Sql::new(&self.conn, "DELETE FROM delivery_attempts WHERE delivery_id")
                .among(old.iter().copied())
                .execute(&self.conn)
                .await?;
            let deliveries = Sql::new(&self.conn, "DELETE FROM deliveries WHERE id").among(old);
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
        let orphans = "DELETE FROM delivery_lanes WHERE due_at IS NULL AND NOT EXISTS \
             (SELECT 1 FROM subscriptions WHERE subscriptions.id = delivery_lanes.subscription_id)";
        Sql::new(&self.conn, orphans).execute(&self.conn).await.map(|_| ())
    }

    /// An event goes after its last delivery, and never before it was fanned out.
    ///
    /// Looked at twice: the second look is under the lock that a delivery made by hand needs too, so it
    /// sees any that was added after the first.
    async fn purge_events(&self, before: i64, limit: i64) -> Result<i64, StoreError> {
        let old = Sql::new(&self.conn, "SELECT id FROM events WHERE occurred_at < ")
            .bind(before)
            .text(UNNEEDED)
            .text(" ORDER BY occurred_at LIMIT ")
            .bind(limit)
            .on_postgres(" FOR UPDATE OF events SKIP LOCKED")
            .ids(&self.conn)
            .await?;
        let found = i64::try_from(old.len()).unwrap_or(i64::MAX);
        if found > 0 {
            let gone = Sql::new(&self.conn, "DELETE FROM events WHERE id").among(old).text(UNNEEDED);
            gone.execute(&self.conn).await?;
        }
        Ok(found)
    }
}

/// Two looks at deliveries, as each has an index of its own.
const UNNEEDED: &str = " AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.event_id = events.id) \
     AND NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.event_id = events.id AND automatic) \
     AND NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.event_id = events.id AND NOT automatic)";
