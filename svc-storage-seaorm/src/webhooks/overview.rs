//! The queue at a glance, at a cost that does not grow with it.
//!
//! Nothing counts the queue. Its rows are read lane by lane, by the index that
//! gives their order, and no more than [`SEEN`] of them; lanes come by the index
//! that gives theirs. So a look at ten million deliveries reads as much as one
//! at ten thousand, also while the table still holds dead rows.

use sea_orm::{ConnectionTrait, DatabaseBackend, QueryResult, TryGetable};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{SubscriptionId, TypedId};
use svc_webhooks::delivery::Status;
use svc_webhooks::ports::{Count, DueLane, Latest, Overview, QueueDepth};
use uuid::Uuid;

use super::delivery::code;
use crate::error::backend;
use crate::statement::Sql;
use crate::store::SeaStore;

/// Rows, and lanes, that one look reads at most: one more than is counted.
#[expect(clippy::cast_possible_wrap, reason = "ten thousand is a small number")]
const SEEN: i64 = Count::EXACT as i64 + 1;

impl<C: ConnectionTrait> SeaStore<C> {
    /// What the queue holds at `now`.
    pub(crate) async fn depth(&self, now: Timestamp) -> Result<QueueDepth, StoreError> {
        let (conn, now) = (&self.conn, now.unix_micros());
        let outbox = needed(outbox(Sql::new(conn, "")).one(conn).await?)?;
        let queued = Seen::read(&needed(front(Sql::new(conn, ""), now, false).one(conn).await?)?)?.queued;
        let due = Seen::read(&needed(front(Sql::new(conn, ""), now, true).one(conn).await?)?)?;
        let oldest = longest_due(Sql::new(conn, ""), now, 1).one(conn).await?;
        let guess = if queued.is_exact() { None } else { self.guess().await? };
        Ok(QueueDepth {
            events: Count::of(number(&outbox, 0)?).or_about(positive(at(&outbox, 2)?)),
            oldest_event: at::<Option<i64>>(&outbox, 1)?.map(Timestamp::from_unix_micros),
            queued: queued.or_about(guess),
            due: due.due,
            leased: due.leased,
            oldest_due: oldest.map(|row| at(&row, 2)).transpose()?.map(Timestamp::from_unix_micros),
        })
    }

    /// The queue at a glance at `now`.
    pub(crate) async fn overview(&self, now: Timestamp, lanes: u32) -> Result<Overview, StoreError> {
        let (conn, micros) = (&self.conn, now.unix_micros());
        let rows = longest_due(Sql::new(conn, ""), micros, lanes).all(conn).await?;
        let mut due = Vec::with_capacity(rows.len());
        for row in &rows {
            let (subscription, retry): (Uuid, bool) = (at(row, 0)?, at(row, 1)?);
            let seen = within(Sql::new(conn, ""), subscription, retry, micros).one(conn).await?;
            let Seen { queued, due: free, leased } = Seen::read(&needed(seen)?)?;
            due.push(DueLane {
                subscription: SubscriptionId::from_uuid(subscription),
                retry,
                oldest_due: Timestamp::from_unix_micros(at(row, 2)?),
                queued,
                due: free,
                leased,
            });
        }
        let rows = latest(Sql::new(conn, "")).all(conn).await?;
        Ok(Overview { depth: self.depth(now).await?, lanes: due, latest: read_latest(&rows)? })
    }

    /// How many deliveries PostgreSQL takes the queue for: as its planner does, by the rows that a page
    /// had when it last looked.
    async fn guess(&self) -> Result<Option<u64>, StoreError> {
        if self.conn.get_database_backend() != DatabaseBackend::Postgres {
            return Ok(None);
        }
        let sql = "SELECT CAST(reltuples / relpages * (pg_relation_size(oid) / \
             CAST(current_setting('block_size') AS integer)) AS bigint) FROM pg_class \
             WHERE oid = CAST('svc_delivery_queue' AS regclass) AND relpages > 0";
        let row = Sql::new(&self.conn, sql).one(&self.conn).await?;
        Ok(positive(row.map(|row| at(&row, 0)).transpose()?))
    }
}

/// Events in the outbox, when the oldest occurred, and how many positions they span.
pub(crate) fn outbox(sql: Sql) -> Sql {
    sql.text("SELECT (SELECT count(*) FROM (SELECT position FROM svc_outbox ORDER BY position LIMIT ")
        .bind(SEEN)
        .text(
            ") AS seen), (SELECT occurred_at FROM svc_events \
             WHERE id = (SELECT event_id FROM svc_outbox ORDER BY position LIMIT 1)), \
             (SELECT max(position) FROM svc_outbox) - (SELECT min(position) FROM svc_outbox) + 1",
        )
}

/// The rows of a lane. `IS TRUE` makes an expression of the column: SQLite does not look a column of numbers
/// up in an index of an expression.
const OF_LANE: &str =
    "queued.subscription_id = lane.subscription_id AND (queued.attempt > 0) = (lane.retry IS TRUE)";

/// Counts the first rows of the first lanes, all of them or those that are due.
pub(crate) fn front(sql: Sql, now: i64, due: bool) -> Sql {
    let sql = sql.text("WITH lane AS (SELECT subscription_id, retry, ").typed("bigint", SEEN);
    let sql = sql
        .text(" AS most FROM svc_delivery_lanes WHERE due_at IS NOT NULL ORDER BY due_at LIMIT ")
        .bind(SEEN);
    seen(sql, now, due)
}

/// Counts the first rows of one lane.
pub(crate) fn within(sql: Sql, subscription: Uuid, retry: bool, now: i64) -> Sql {
    let sql = sql.text("WITH lane AS (SELECT subscription_id, retry, ").typed("bigint", SEEN);
    let sql = sql.text(" AS most FROM svc_delivery_lanes WHERE subscription_id = ").bind(subscription);
    seen(sql.text(" AND retry = ").bind(retry), now, false)
}

/// Counts rows of the lanes that were chosen, each engine in the form in which it takes the lanes in turn
/// and stops as soon as it has enough.
///
/// What PostgreSQL knows beforehand leads it astray: a limit above the length of an average lane makes it
/// sort whole lanes, and a known `retry` turns into a condition that the index does not have. So both come
/// with the lane.
fn seen(sql: Sql, now: i64, due: bool) -> Sql {
    let sql = sql.text("), seen AS (SELECT queued.due_at, queued.lease_until FROM lane CROSS JOIN ");
    let sql = sql.on_postgres("LATERAL (SELECT * FROM ");
    let sql = sql.text(&format!("svc_delivery_queue AS queued WHERE {OF_LANE}"));
    let sql = if due { sql.text(" AND queued.due_at <= ").bind(now) } else { sql };
    let sql = sql.on_postgres(" ORDER BY queued.due_at LIMIT lane.most) AS queued");
    let sql = sql.text(" LIMIT ").bind(SEEN).text(") SELECT ");
    counted(sql, now).text(", (SELECT count(*) FROM lane) FROM seen")
}

/// All rows, those that a claim would find, and those under a lease.
fn counted(sql: Sql, now: i64) -> Sql {
    sql.text("count(*), count(*) FILTER (WHERE due_at <= ")
        .bind(now)
        .text(" AND (lease_until IS NULL OR lease_until <= ")
        .bind(now)
        .text(")), count(*) FILTER (WHERE lease_until > ")
        .bind(now)
        .text(")")
}

/// The lanes with something due and the first free row of each, longest due first.
pub(crate) fn longest_due(sql: Sql, now: i64, lanes: u32) -> Sql {
    sql.text(&format!(
        "SELECT subscription_id, retry, oldest FROM (SELECT lane.subscription_id, lane.retry, \
         (SELECT queued.due_at FROM svc_delivery_queue AS queued WHERE {OF_LANE} AND queued.due_at <= "
    ))
    .bind(now)
    .text(" AND (queued.lease_until IS NULL OR queued.lease_until <= ")
    .bind(now)
    .text(") ORDER BY queued.due_at LIMIT 1) AS oldest FROM svc_delivery_lanes AS lane WHERE lane.due_at <= ")
    .bind(now)
    .text(") AS first WHERE oldest IS NOT NULL ORDER BY oldest LIMIT ")
    .bind(i64::from(lanes))
}

/// The states of the deliveries that were made last, and when the oldest of each was made. Ids are in the
/// order in which they were made.
pub(crate) fn latest(sql: Sql) -> Sql {
    sql.text(
        "SELECT status, count(*), min(created_at) FROM (SELECT status, created_at FROM svc_deliveries \
         ORDER BY id DESC LIMIT ",
    )
    .bind(i64::from(Latest::DELIVERIES))
    .text(") AS made GROUP BY status")
}

fn read_latest(rows: &[QueryResult]) -> Result<Latest, StoreError> {
    let mut latest = Latest::default();
    for row in rows {
        let (status, count): (i16, u64) = (at(row, 0)?, number(row, 1)?);
        let made = Timestamp::from_unix_micros(at(row, 2)?);
        latest.since = Some(latest.since.map_or(made, |since| since.min(made)));
        let places = [
            (Status::Pending, &mut latest.pending),
            (Status::Retrying, &mut latest.retrying),
            (Status::Delivered, &mut latest.delivered),
            (Status::Failed, &mut latest.failed),
        ];
        if let Some((_, place)) = places.into_iter().find(|(known, _)| code(*known) == status) {
            *place = count;
        }
    }
    Ok(latest)
}

/// What was seen of the queue, and whether that was all.
struct Seen {
    queued: Count,
    due: Count,
    leased: Count,
}

impl Seen {
    fn read(row: &QueryResult) -> Result<Self, StoreError> {
        let (queued, lanes) = (number(row, 0)?, number(row, 3)?);
        let all = queued.max(lanes) <= Count::EXACT;
        let count = |number: u64| {
            if all { Count::Exactly(number) } else { Count::at_least(number.min(Count::EXACT)) }
        };
        Ok(Self { queued: count(queued), due: count(number(row, 1)?), leased: count(number(row, 2)?) })
    }
}

/// A statement without FROM, or one that counts, always answers a row.
fn needed(row: Option<QueryResult>) -> Result<QueryResult, StoreError> {
    row.ok_or_else(|| StoreError::backend("a count gave no row"))
}

fn at<T: TryGetable>(row: &QueryResult, index: usize) -> Result<T, StoreError> {
    row.try_get_by_index(index).map_err(backend)
}

fn number(row: &QueryResult, index: usize) -> Result<u64, StoreError> {
    Ok(u64::try_from(at::<i64>(row, index)?).unwrap_or_default())
}

fn positive(number: Option<i64>) -> Option<u64> {
    number.and_then(|number| u64::try_from(number).ok()).filter(|number| *number > 0)
}
