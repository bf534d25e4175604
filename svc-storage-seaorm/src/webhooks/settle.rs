//! Writing attempts back: a few statements for a whole batch, in an open transaction.

use std::collections::{BTreeMap, HashSet};

use sea_orm::{ConnectionTrait, DbErr, QueryResult, Value};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{DeliveryId, TypedId};
use svc_webhooks::ports::Settlement;
use uuid::Uuid;

use super::delivery::{self, Model};
use crate::error::backend;
use crate::statement::{ROWS, Sql};
use crate::store::SeaStore;

impl<C: ConnectionTrait> SeaStore<C> {
    /// Writes attempts back; answers how many were still ours.
    pub(crate) async fn settle(&self, settlements: &[Settlement]) -> Result<u64, StoreError> {
        // A lease ends with its first settlement. One delivery may be here under two leases, when an
        // older one ended before it could be settled: only the one that still stands counts.
        let mut first: BTreeMap<(DeliveryId, i64), &Settlement> = BTreeMap::new();
        for settlement in settlements {
            first.entry((settlement.delivery.id, settlement.lease.0)).or_insert(settlement);
        }
        let settlements: Vec<&Settlement> = first.into_values().collect();
        let mut settled = 0;
        for some in settlements.chunks(ROWS) {
            let held = self.held(some).await?;
            let ours: Vec<&Settlement> = some
                .iter()
                .copied()
                .filter(|one| held.contains(&(one.delivery.id.uuid(), one.lease.0)))
                .collect();
            if !ours.is_empty() {
                self.write_back(&ours).await?;
            }
            settled += u64::try_from(ours.len()).unwrap_or(0);
        }
        Ok(settled)
    }

    /// Which of these leases still stand. Their rows stay locked, so none is claimed anew before the
    /// commit; they are locked in one order, so that nobody waits in a circle.
    async fn held(&self, settlements: &[&Settlement]) -> Result<HashSet<(Uuid, i64)>, StoreError> {
        let held = Sql::new(&self.conn, "WITH given (id, token) AS (")
            .rows(settlements.iter().map(|one| [one.delivery.id.uuid().into(), one.lease.0.into()]))
            .text(
                // CROSS JOIN makes SQLite look each one up; for the order's sake it would read the whole
                // queue and search this list for each of its rows.
                ") SELECT queued.id, queued.lease_token FROM given CROSS JOIN delivery_queue AS queued \
                 WHERE queued.id = given.id AND queued.lease_token = given.token ORDER BY queued.id",
            )
            .on_postgres(" FOR UPDATE OF queued")
            .all(&self.conn)
            .await?;
        let lease = |row: &QueryResult| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?));
        held.iter().map(lease).collect::<Result<_, DbErr>>().map_err(backend)
    }

    async fn write_back(&self, ours: &[&Settlement]) -> Result<(), StoreError> {
        let after = ours.iter().map(|one| after(delivery::of(&one.delivery)));
        Sql::new(
            &self.conn,
            "WITH after (id, attempts, status, next_attempt_at, ended_at, code, error, duration) AS (",
        )
        .rows(after)
        .text(
            ") UPDATE deliveries SET attempts = after.attempts, status = after.status, \
             next_attempt_at = after.next_attempt_at, ended_at = after.ended_at, \
             last_status_code = after.code, last_error = after.error, last_duration_us = after.duration \
             FROM after WHERE deliveries.id = after.id",
        )
        .execute(&self.conn)
        .await?;

        let attempts: Vec<_> = ours
            .iter()
            .filter_map(|one| Some(delivery::attempt_values(one.delivery.id, one.attempt.as_ref()?)))
            .collect();
        if !attempts.is_empty() {
            Sql::new(&self.conn, &format!("INSERT INTO delivery_attempts ({})", delivery::ATTEMPT_COLUMNS))
                .rows(attempts)
                .execute(&self.conn)
                .await?;
        }
        self.requeue(ours).await
    }

    /// What is to be tried again waits for its next attempt; what has ended leaves the queue.
    async fn requeue(&self, ours: &[&Settlement]) -> Result<(), StoreError> {
        let ended: Vec<Uuid> = ours
            .iter()
            .filter(|one| one.delivery.status().is_ended())
            .map(|one| one.delivery.id.uuid())
            .collect();
        if !ended.is_empty() {
            Sql::new(&self.conn, "DELETE FROM delivery_queue WHERE id")
                .among(ended)
                .execute(&self.conn)
                .await?;
        }
        let again: Vec<_> = ours
            .iter()
            .filter_map(|one| Some((&one.delivery, one.delivery.next_attempt_at()?)))
            .map(|(delivery, due_at): (_, Timestamp)| {
                [delivery.id.uuid().into(), i16::from(delivery.attempts).into(), due_at.unix_micros().into()]
            })
            .collect();
        if again.is_empty() {
            return Ok(());
        }
        Sql::new(&self.conn, "WITH again (id, attempt, due_at) AS (")
            .rows(again)
            .text(
                ") UPDATE delivery_queue SET attempt = again.attempt, due_at = again.due_at, \
                 lease_until = NULL, lease_token = NULL FROM again WHERE delivery_queue.id = again.id",
            )
            .execute(&self.conn)
            .await
            .map(|_| ())
    }
}

/// What an attempt changes of a delivery.
fn after(row: Model) -> [Value; 8] {
    [
        row.id.into(),
        row.attempts.into(),
        row.status.into(),
        row.next_attempt_at.into(),
        row.ended_at.into(),
        row.last_status_code.into(),
        row.last_error.into(),
        row.last_duration_us.into(),
    ]
}
