//! Writing attempts back: a few statements for a whole batch, in an open transaction.
//!
//! The settlement that changes the row in the queue under its lease token has settled the
//! delivery: a lease that has ended finds no such row.

mod at_once;

use std::collections::{BTreeMap, HashSet};

use sea_orm::{ConnectionTrait, Value};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{DeliveryId, TypedId};
use svc_webhooks::ports::Settlement;
use uuid::Uuid;

use super::attempt;
use super::delivery::{self, Model};
use super::lanes::{self, Lane};
use crate::statement::{ROWS, Sql};
use crate::store::SeaStore;

impl<C: ConnectionTrait> SeaStore<C> {
    /// Writes attempts back; answers how many were still ours.
    pub(crate) async fn settle(&self, settlements: &[Settlement]) -> Result<u64, StoreError> {
        // A lease ends with its first settlement. One delivery may be here under two leases, when an
        // older one ended before it could be settled: each has its turn, and only the one that still
        // stands counts. In one order, so that units never wait for each other in a circle.
        let mut leases: BTreeMap<DeliveryId, BTreeMap<i64, &Settlement>> = BTreeMap::new();
        for settlement in settlements {
            leases.entry(settlement.delivery.id).or_default().entry(settlement.lease.0).or_insert(settlement);
        }
        let mut settled = Vec::with_capacity(settlements.len());
        while !leases.is_empty() {
            let turn: Vec<&Settlement> =
                leases.values_mut().filter_map(BTreeMap::pop_first).map(|(_, one)| one).collect();
            leases.retain(|_, of| !of.is_empty());
            for some in turn.chunks(ROWS) {
                settled.extend(self.settle_single(some).await?);
            }
        }
        self.add_health(&settled).await?;
        Ok(u64::try_from(settled.len()).unwrap_or(u64::MAX))
    }

    /// Writes attempts of different deliveries back; answers those that were still ours.
    async fn settle_single<'a>(
        &self,
        settlements: &[&'a Settlement],
    ) -> Result<Vec<&'a Settlement>, StoreError> {
        let (again, ended): (Vec<&Settlement>, Vec<_>) =
            settlements.iter().copied().partition(|one| one.delivery.next_attempt_at().is_some());
        let mut held = self.requeue(&again).await?;
        held.extend(self.dequeue(&ended).await?);
        let ours: Vec<&Settlement> =
            settlements.iter().copied().filter(|one| held.contains(&one.delivery.id.uuid())).collect();
        if !ours.is_empty() {
            self.write_back(&ours).await?;
        }
        Ok(ours)
    }

    /// What has ended leaves the queue; answers the deliveries whose leases still stood.
    async fn dequeue(&self, ended: &[&Settlement]) -> Result<HashSet<Uuid>, StoreError> {
        if ended.is_empty() {
            return Ok(HashSet::new());
        }
        let leases = ended.iter().map(|one| [one.delivery.id.uuid().into(), one.lease.0.into()]);
        let sql = Sql::new(&self.conn, "WITH given (id, token) AS (").rows(leases);
        Ok(sql.text(") ").text(DEQUEUE).text(" RETURNING id").ids(&self.conn).await?.into_iter().collect())
    }

    /// What is to be tried again waits for its next attempt; answers the deliveries whose leases still stood.
    async fn requeue(&self, again: &[&Settlement]) -> Result<HashSet<Uuid>, StoreError> {
        let mut due = BTreeMap::new();
        let mut rows = Vec::with_capacity(again.len());
        for one in again {
            let Some(at) = one.delivery.next_attempt_at() else { continue };
            lanes::earliest(&mut due, Lane::of(&one.delivery), at);
            rows.push(requeued(one, at));
        }
        if rows.is_empty() {
            return Ok(HashSet::new());
        }
        lanes::mark_due(&self.conn, &due).await?;
        let waiting = Sql::new(&self.conn, "WITH again (id, token, attempt, due_at) AS (").rows(rows).text(
            ") UPDATE svc_delivery_queue SET attempt = again.attempt, due_at = again.due_at, lease_until = NULL, \
             lease_token = NULL FROM again WHERE svc_delivery_queue.id = again.id \
             AND svc_delivery_queue.lease_token = again.token RETURNING svc_delivery_queue.id",
        );
        Ok(waiting.ids(&self.conn).await?.into_iter().collect())
    }

    async fn write_back(&self, ours: &[&Settlement]) -> Result<(), StoreError> {
        let after = ours.iter().map(|one| after(delivery::of(&one.delivery)));
        let sql = Sql::new(&self.conn, "WITH after (").text(AFTER).text(") AS (").rows(after);
        sql.text(") ").text(WRITE_BACK).execute(&self.conn).await?;

        let attempts: Vec<_> = ours
            .iter()
            .filter_map(|one| Some(attempt::values(one.delivery.id, one.attempt.as_ref()?)))
            .collect();
        if !attempts.is_empty() {
            Sql::new(&self.conn, &format!("INSERT INTO svc_delivery_attempts ({})", attempt::COLUMNS))
                .rows(attempts)
                .execute(&self.conn)
                .await?;
        }
        Ok(())
    }
}

/// Takes out of the queue what is `given` (id, token), where the lease still stands. SQLite deletes from one
/// table alone: the pair is looked for in the rows given.
const DEQUEUE: &str =
    "DELETE FROM svc_delivery_queue WHERE (id, lease_token) IN (SELECT id, token FROM given)";

/// The columns of [`after`].
const AFTER: &str = "id, attempts, status, next_attempt_at, ended_at, code, error, duration";

/// Writes what is `after` an attempt into the log.
const WRITE_BACK: &str = "UPDATE svc_deliveries SET attempts = after.attempts, status = after.status, \
     next_attempt_at = after.next_attempt_at, ended_at = after.ended_at, last_status_code = after.code, \
     last_error = after.error, last_duration_us = after.duration FROM after WHERE svc_deliveries.id = after.id";

fn requeued(one: &Settlement, due_at: Timestamp) -> [Value; 4] {
    [
        one.delivery.id.uuid().into(),
        one.lease.0.into(),
        i16::from(one.delivery.attempts).into(),
        due_at.unix_micros().into(),
    ]
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
