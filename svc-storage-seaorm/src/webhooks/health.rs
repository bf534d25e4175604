//! The health of receivers: one row per subscription.
//!
//! A settlement changes the rows of its subscriptions last of all, in the order
//! of their ids, and then commits: so servers that settle attempts to the same
//! receivers wait for each other's commit and never in a circle. A unit that
//! locks subscriptions, lanes or the queue as well does so before.

use std::collections::BTreeMap;
use std::time::Duration;

use sea_orm::{ConnectionTrait, QueryResult, Value};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{SubscriptionId, TypedId};
use svc_core::tenant::Scope;
use svc_webhooks::health::{Counts, Health, ReceiverBackoff, Tally};
use svc_webhooks::ports::Settlement;
use uuid::Uuid;

use crate::error::backend;
use crate::statement::{ROWS, Sql};
use crate::store::SeaStore;

/// Selects subscriptions with what [`backoff`] reads; a condition has to follow.
///
/// PostgreSQL takes a few companies for many, and would read the health of all receivers for them. A limit
/// makes it look each one up.
pub(super) fn with_backoff(sql: Sql) -> Sql {
    sql.text(
        "SELECT svc_subscriptions.*, health.consecutive_failures, health.last_success_at, \
         health.last_failure_at, health.asked_until FROM svc_subscriptions LEFT JOIN ",
    )
    .on_postgres("LATERAL (SELECT * FROM ")
    .text("svc_subscription_health AS health")
    .on_postgres(" WHERE health.subscription_id = svc_subscriptions.id LIMIT 1) AS health")
    .text(" ON health.subscription_id = svc_subscriptions.id WHERE ")
}

impl<C: ConnectionTrait> SeaStore<C> {
    /// Adds settled attempts to the health of their receivers, as [`Health::after`] says.
    pub(super) async fn add_health(&self, settled: &[&Settlement]) -> Result<(), StoreError> {
        let tallies = Tally::of(settled.iter().copied());
        let rows: Vec<_> = rows(&tallies).collect();
        for some in rows.chunks(ROWS) {
            Sql::new(&self.conn, INSERT).rows(some.iter().cloned()).text(UPDATE).execute(&self.conn).await?;
        }
        Ok(())
    }

    /// The health of receivers within the scope.
    pub(super) async fn health_of(
        &self,
        scope: &Scope,
        ids: &[SubscriptionId],
    ) -> Result<BTreeMap<SubscriptionId, Health>, StoreError> {
        if ids.is_empty() {
            return Ok(BTreeMap::new());
        }
        let rows = Sql::new(&self.conn, "SELECT * FROM svc_subscription_health WHERE subscription_id")
            .among(ids.iter().map(|id| id.uuid()))
            .text(" AND account_id")
            .within(scope)
            .all(&self.conn)
            .await?;
        rows.iter().map(|row| read(row).map_err(backend)).collect()
    }

    /// Forgets the health of a receiver.
    pub(super) async fn drop_health(&self, id: SubscriptionId) -> Result<(), StoreError> {
        let row = Sql::new(&self.conn, "DELETE FROM svc_subscription_health WHERE subscription_id = ");
        row.bind(id.uuid()).execute(&self.conn).await.map(|_| ())
    }
}

/// So long after a change of a subscription an attempt to its former URL may end: its success says nothing of the present
/// one, and proves nothing to other servers. The server that makes an attempt knows where it went.
const FORMER_ATTEMPTS: Duration = Duration::from_mins(1);

/// The backoff of a row of [`with_backoff`]; `None` where nothing was sent yet.
pub(super) fn backoff(row: &QueryResult) -> Result<Option<ReceiverBackoff>, StoreError> {
    let columns = || -> Result<_, sea_orm::DbErr> {
        let failures: Option<i64> = row.try_get("", "consecutive_failures")?;
        let last_success_at = instant(row, "last_success_at")?;
        let at = last_success_at.max(instant(row, "last_failure_at")?);
        let asked_until = instant(row, "asked_until")?;
        let settled_from = instant(row, "updated_at")?.unwrap_or_default().plus(FORMER_ATTEMPTS);
        Ok(failures.map(|failures| ReceiverBackoff {
            consecutive_failures: small(failures),
            at,
            asked_until,
            has_succeeded: last_success_at.is_some_and(|at| at >= settled_from),
        }))
    };
    columns().map_err(backend)
}

/// Adds rows of health; [`rows`] come next.
pub(super) const INSERT: &str = "INSERT INTO svc_subscription_health (subscription_id, account_id, half_day, successes, \
     failures, earlier_successes, earlier_failures, last_success_at, last_failure_at, last_error, \
     consecutive_failures, asked_until)";

/// The end of [`INSERT`]: what [`Health::after`] does, column by column.
pub(super) const UPDATE: &str = " ON CONFLICT (subscription_id) DO UPDATE SET \
     half_day = CASE WHEN excluded.half_day > svc_subscription_health.half_day THEN excluded.half_day \
         ELSE svc_subscription_health.half_day END, \
     successes = excluded.successes + CASE WHEN excluded.half_day > svc_subscription_health.half_day THEN 0 \
         ELSE svc_subscription_health.successes END, \
     failures = excluded.failures + CASE WHEN excluded.half_day > svc_subscription_health.half_day THEN 0 \
         ELSE svc_subscription_health.failures END, \
     earlier_successes = CASE WHEN excluded.half_day <= svc_subscription_health.half_day \
         THEN svc_subscription_health.earlier_successes \
         WHEN excluded.half_day = svc_subscription_health.half_day + 1 THEN svc_subscription_health.successes ELSE 0 END, \
     earlier_failures = CASE WHEN excluded.half_day <= svc_subscription_health.half_day \
         THEN svc_subscription_health.earlier_failures \
         WHEN excluded.half_day = svc_subscription_health.half_day + 1 THEN svc_subscription_health.failures ELSE 0 END, \
     last_success_at = CASE WHEN svc_subscription_health.last_success_at IS NULL \
         OR excluded.last_success_at > svc_subscription_health.last_success_at THEN excluded.last_success_at \
         ELSE svc_subscription_health.last_success_at END, \
     last_failure_at = CASE WHEN svc_subscription_health.last_failure_at IS NULL \
         OR excluded.last_failure_at > svc_subscription_health.last_failure_at THEN excluded.last_failure_at \
         ELSE svc_subscription_health.last_failure_at END, \
     last_error = CASE WHEN svc_subscription_health.last_failure_at IS NULL \
         OR excluded.last_failure_at > svc_subscription_health.last_failure_at THEN excluded.last_error \
         ELSE svc_subscription_health.last_error END, \
     consecutive_failures = excluded.consecutive_failures + CASE WHEN excluded.successes > 0 THEN 0 \
         ELSE svc_subscription_health.consecutive_failures END, \
     asked_until = CASE WHEN excluded.successes > 0 OR svc_subscription_health.asked_until IS NULL \
         OR excluded.asked_until > svc_subscription_health.asked_until THEN excluded.asked_until \
         ELSE svc_subscription_health.asked_until END";

/// What attempts add, in the order in which rows are locked.
pub(super) fn rows(tallies: &BTreeMap<SubscriptionId, Tally>) -> impl Iterator<Item = [Value; 12]> {
    tallies.iter().map(|(id, tally)| row(*id, tally))
}

fn row(id: SubscriptionId, tally: &Tally) -> [Value; 12] {
    let micros = |at: Option<Timestamp>| at.map(Timestamp::unix_micros);
    [
        id.uuid().into(),
        tally.account.uuid().into(),
        tally.half_day.into(),
        signed(tally.counts.successes).into(),
        signed(tally.counts.failures).into(),
        0_i64.into(),
        0_i64.into(),
        micros(tally.last_success_at).into(),
        micros(tally.last_failure_at).into(),
        tally.last_error.clone().into(),
        i64::from(tally.consecutive_failures).into(),
        micros(tally.asked_until).into(),
    ]
}

fn read(row: &QueryResult) -> Result<(SubscriptionId, Health), sea_orm::DbErr> {
    let count = |column: &str| row.try_get::<i64>("", column).map(i64::unsigned_abs);
    let id: Uuid = row.try_get("", "subscription_id")?;
    let health = Health {
        half_day: row.try_get("", "half_day")?,
        present: Counts { successes: count("successes")?, failures: count("failures")? },
        earlier: Counts { successes: count("earlier_successes")?, failures: count("earlier_failures")? },
        last_success_at: instant(row, "last_success_at")?,
        last_failure_at: instant(row, "last_failure_at")?,
        last_error: row.try_get("", "last_error")?,
        consecutive_failures: small(row.try_get("", "consecutive_failures")?),
        asked_until: instant(row, "asked_until")?,
    };
    Ok((SubscriptionId::from_uuid(id), health))
}

fn instant(row: &QueryResult, column: &str) -> Result<Option<Timestamp>, sea_orm::DbErr> {
    row.try_get::<Option<i64>>("", column).map(|at| at.map(Timestamp::from_unix_micros))
}

fn small(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
