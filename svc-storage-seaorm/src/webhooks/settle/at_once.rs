//! Settling a batch in one statement of PostgreSQL, which commits by itself.
//!
//! Nearly every attempt is the last of its delivery, as it succeeds, and nearly
//! every lease still stands. A batch of which that is true is settled here; of any
//! other nothing is, and it takes the longer way. Each part of the statement waits
//! for the one before: who left the queue, the log, its attempts, and last of all
//! the health of receivers, of which rows are shared.

use std::collections::HashSet;

use svc_core::error::StoreError;
use svc_core::id::TypedId;
use svc_webhooks::health::Tally;
use svc_webhooks::ports::Settlement;

use super::{AFTER, DEQUEUE, WRITE_BACK, after};
use crate::readers::Readers;
use crate::statement::{ROWS, Sql};
use crate::store::SeaStore;
use crate::webhooks::{attempt, delivery, health};

impl SeaStore<Readers> {
    /// Writes a batch back; answers how many were still ours, or `None` when it has to go the longer way.
    pub(crate) async fn settle_at_once(&self, batch: &[Settlement]) -> Result<Option<u64>, StoreError> {
        if !is_simple(batch) {
            return Ok(None);
        }
        // In one order, so that units never wait for each other in a circle.
        let mut ended: Vec<&Settlement> = batch.iter().collect();
        ended.sort_unstable_by_key(|one| one.delivery.id);
        let gone = self.write_at_once(&ended).await?;
        if gone.is_empty() {
            return Ok(None);
        }
        if gone.len() < ended.len() {
            // Another server took a lease while the statement ran, which then left health out.
            let ours: Vec<_> =
                ended.into_iter().filter(|one| gone.contains(&one.delivery.id.uuid())).collect();
            self.add_health(&ours).await?;
        }
        Ok(Some(u64::try_from(gone.len()).unwrap_or(u64::MAX)))
    }

    /// Answers whose leases still stood; none when not all of them did as the statement began.
    async fn write_at_once(&self, ended: &[&Settlement]) -> Result<HashSet<uuid::Uuid>, StoreError> {
        let leases = ended.iter().map(|one| [one.delivery.id.uuid().into(), one.lease.0.into()]);
        let states = ended.iter().map(|one| after(delivery::of(&one.delivery)));
        let attempts =
            ended.iter().filter_map(|one| Some(attempt::values(one.delivery.id, one.attempt.as_ref()?)));
        let tallies = Tally::of(ended.iter().copied());
        let number = i64::try_from(ended.len()).unwrap_or(i64::MAX);
        let gone = Sql::new(&self.conn, "WITH given (id, token) AS (")
            .rows(leases)
            .text("), gone AS (")
            .text(DEQUEUE)
            .text(" AND (")
            .text(STANDING)
            .text(") = ")
            .bind(number)
            .text(" RETURNING id), after (")
            .text(AFTER)
            .text(") AS (")
            .rows(states)
            .text("), written AS (")
            .text(WRITE_BACK)
            .text(" AND after.id IN (SELECT id FROM gone) RETURNING svc_deliveries.id), tries (")
            .text(attempt::COLUMNS)
            .text(") AS (")
            .rows(attempts)
            .text("), tried AS (INSERT INTO svc_delivery_attempts (")
            .text(attempt::COLUMNS)
            .text(") SELECT * FROM tries WHERE delivery_id IN (SELECT id FROM written) RETURNING delivery_id), ")
            .text("tallies AS (")
            .rows(health::rows(&tallies))
            .text("), healthy AS (")
            .text(health::INSERT)
            .text(" SELECT * FROM tallies WHERE (SELECT count(*) FROM tried) = ")
            .bind(number)
            .text(health::UPDATE)
            .text(") SELECT id FROM gone")
            .ids(&self.conn)
            .await?;
        Ok(gone.into_iter().collect())
    }
}

/// How many of the leases stand.
const STANDING: &str = "SELECT count(*) FROM svc_delivery_queue AS queued JOIN given ON given.id = queued.id \
     WHERE queued.lease_token = given.token";

/// Whether all were attempted for the last time, each under one lease.
fn is_simple(batch: &[Settlement]) -> bool {
    let mut seen = HashSet::with_capacity(batch.len());
    let simple = |one: &Settlement| {
        one.delivery.next_attempt_at().is_none() && one.attempt.is_some() && seen.insert(one.delivery.id)
    };
    (1..=ROWS).contains(&batch.len()) && batch.iter().all(simple)
}
