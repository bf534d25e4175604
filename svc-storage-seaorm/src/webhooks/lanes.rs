//! Lanes: which subscription has something due, and its rows at the front.

use std::collections::{BTreeMap, HashMap};

use sea_orm::{ConnectionTrait, DatabaseBackend, QueryResult, Value};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{SubscriptionId, TypedId};
use svc_webhooks::delivery::Delivery;
use svc_webhooks::ports::{ClaimRequest, InitialLease, Lease, Remaining};
use uuid::Uuid;

use crate::error::backend;
use crate::statement::{ROWS, Sql};

/// Lanes of one claim at most.
const MOST: i64 = 256;

/// First attempts of a subscription, or later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Lane {
    subscription: Uuid,
    retry: bool,
}

impl Lane {
    /// The lane in which a delivery waits.
    pub(super) fn of(delivery: &Delivery) -> Self {
        Self { subscription: delivery.subscription.uuid(), retry: delivery.attempts > 0 }
    }

    /// The one that the first two columns of a row name.
    fn read(row: &QueryResult) -> Result<Self, StoreError> {
        let subscription = row.try_get_by_index(0).map_err(backend)?;
        Ok(Self { subscription, retry: row.try_get_by_index(1).map_err(backend)? })
    }

    /// The row that says from when it is due.
    pub(super) fn row(self, due_at: i64) -> [Value; 3] {
        [self.subscription.into(), self.retry.into(), due_at.into()]
    }
}

/// A lane, locked, and how many rows may be taken of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    lane: Lane,
    room: u32,
    /// What remains when the lane has more rows than that.
    remaining: Remaining,
}

/// Lanes that have something due.
pub(super) struct Shares {
    pub(super) each: Vec<Share>,
    /// What other lanes may have.
    pub(super) remaining: Remaining,
}

/// Locks lanes that have something due, longest first, and shares the request out among them.
///
/// The two lanes of a subscription share its room. The one that finds none stays as it is, so that it is
/// the first of the two next time.
pub(super) async fn due(
    conn: &impl ConnectionTrait,
    request: &ClaimRequest,
    now: Timestamp,
) -> Result<Shares, StoreError> {
    let most = MOST.min(i64::from(request.limit));
    let mut sql = Sql::new(conn, "SELECT subscription_id, retry FROM svc_delivery_lanes WHERE due_at <= ")
        .bind(now.unix_micros());
    sql = except(sql, request);
    let rows = sql
        .text(" ORDER BY due_at LIMIT ")
        .bind(most)
        .on_postgres(" FOR UPDATE SKIP LOCKED")
        .all(conn)
        .await?;
    let all = i64::try_from(rows.len()).is_ok_and(|found| found < most);
    let mut shares = Shares {
        each: Vec::with_capacity(rows.len()),
        remaining: if all { Remaining::Nothing } else { Remaining::More },
    };
    let mut free = request.limit;
    let mut taken: HashMap<Uuid, u32> = HashMap::new();
    for (index, row) in rows.iter().enumerate() {
        let lane = Lane::read(row)?;
        let others = u32::try_from(rows.len() - index).unwrap_or(u32::MAX);
        let taken = taken.entry(lane.subscription).or_default();
        let room = request.room(SubscriptionId::from_uuid(lane.subscription)).saturating_sub(*taken);
        let share = room.min(free.div_ceil(others));
        if share > 0 {
            free -= share;
            *taken += share;
            let remaining = if share < room { Remaining::More } else { Remaining::NoRoom };
            shares.each.push(Share { lane, room: share, remaining });
        } else {
            shares.remaining = shares.remaining.max(Remaining::NoRoom);
        }
    }
    Ok(shares)
}

/// Leases rows of each lane, those that are due longest and that no other unit holds; answers their ids.
pub(super) async fn lease(
    conn: &impl ConnectionTrait,
    shares: &[Share],
    lease: Lease,
    now: Timestamp,
    until: Timestamp,
) -> Result<Vec<Uuid>, StoreError> {
    let now = now.unix_micros();
    let update = || {
        Sql::new(conn, "UPDATE svc_delivery_queue SET lease_until = ")
            .bind(until.unix_micros())
            .text(", lease_token = ")
            .bind(lease.0)
            .text(" WHERE id")
    };
    let free = |sql: Sql| {
        sql.text(" AND due_at <= ")
            .bind(now)
            .text(" AND (lease_until IS NULL OR lease_until <= ")
            .bind(now)
            .text(")")
    };
    if conn.get_database_backend() == DatabaseBackend::Postgres {
        let lanes = shares.iter().map(|share| {
            [share.lane.subscription.into(), share.lane.retry.into(), i64::from(share.room).into()]
        });
        let leased = update().selected(|sql| {
            let sql = sql.text("SELECT due.id FROM (").rows(lanes).text(
                ") AS lane (subscription_id, retry, room) CROSS JOIN LATERAL (SELECT id FROM svc_delivery_queue \
                     WHERE subscription_id = lane.subscription_id AND (attempt > 0) = lane.retry",
            );
            // A row whose lease has ended may be settled just now. A claim that waited for one while it held others
            // might wait in a circle.
            free(sql).text(" ORDER BY due_at LIMIT lane.room FOR UPDATE SKIP LOCKED) AS due")
        });
        return leased.text(" RETURNING id").ids(conn).await;
    }
    let mut ids = Vec::new();
    for Share { lane, room, .. } in shares {
        let leased = update().selected(|sql| {
            let sql = sql
                .text("SELECT id FROM svc_delivery_queue WHERE subscription_id = ")
                .bind(lane.subscription)
                .text(" AND (attempt > 0) = ")
                .bind(lane.retry);
            free(sql).text(" ORDER BY due_at LIMIT ").bind(i64::from(*room))
        });
        ids.extend(leased.text(" RETURNING id").ids(conn).await?);
    }
    Ok(ids)
}

/// Reschedules lanes after a claim: each gets the instant at which a claim can take from it next. Answers what may be
/// due in them still.
///
/// A lane with something due goes behind all others that are due. A leased row that falls due after the first free one
/// can be claimed no earlier than that, so only the leased rows before it count: those at the front.
pub(super) async fn reschedule(
    conn: &impl ConnectionTrait,
    shares: &[Share],
    now: Timestamp,
) -> Result<Remaining, StoreError> {
    let now = now.unix_micros();
    let lanes = shares.iter().map(|share| [share.lane.subscription.into(), share.lane.retry.into()]);
    let next = Sql::new(conn, "WITH lane (subscription_id, retry) AS (")
        .rows(lanes)
        .text(
            "), first (subscription_id, retry, due_at) AS ( \
                 SELECT lane.subscription_id, lane.retry, ( \
                     SELECT queued.due_at FROM svc_delivery_queue AS queued \
                     WHERE queued.subscription_id = lane.subscription_id \
                         AND (queued.attempt > 0) = lane.retry AND queued.lease_until IS NULL \
                     ORDER BY queued.due_at LIMIT 1) \
                 FROM lane \
             ), next (subscription_id, retry, free_at, leased_at) AS ( \
                 SELECT first.subscription_id, first.retry, COALESCE(first.due_at, 9223372036854775807), ( \
                     SELECT min(CASE WHEN queued.lease_until > queued.due_at THEN queued.lease_until \
                                ELSE queued.due_at END) \
                     FROM svc_delivery_queue AS queued \
                     WHERE queued.subscription_id = first.subscription_id \
                         AND (queued.attempt > 0) = first.retry AND queued.lease_until IS NOT NULL \
                         AND queued.due_at < COALESCE(first.due_at, 9223372036854775807)) \
                 FROM first \
             ) \
             UPDATE svc_delivery_lanes SET due_at = CASE \
                 WHEN next.free_at <= ",
        )
        .bind(now)
        .text(" OR next.leased_at <= ")
        .bind(now)
        .text(" THEN ")
        .bind(now)
        .text(
            " WHEN next.leased_at < next.free_at THEN next.leased_at \
              WHEN next.free_at < 9223372036854775807 THEN next.free_at END \
             FROM next WHERE svc_delivery_lanes.subscription_id = next.subscription_id \
                 AND svc_delivery_lanes.retry = next.retry \
             RETURNING svc_delivery_lanes.subscription_id, svc_delivery_lanes.retry, svc_delivery_lanes.due_at",
        )
        .all(conn)
        .await?;
    let of: HashMap<Lane, Remaining> = shares.iter().map(|share| (share.lane, share.remaining)).collect();
    let mut remaining = Remaining::Nothing;
    for row in &next {
        let (lane, due): (Lane, Option<i64>) = (Lane::read(row)?, row.try_get_by_index(2).map_err(backend)?);
        if due == Some(now) {
            remaining = remaining.max(of.get(&lane).copied().unwrap_or(Remaining::More));
        }
    }
    Ok(remaining)
}

/// Notes for [`mark_due`] that something falls due in a lane at `at`.
pub(super) fn earliest(due: &mut BTreeMap<Lane, i64>, lane: Lane, at: Timestamp) {
    let at = at.unix_micros();
    due.entry(lane).and_modify(|earliest| *earliest = at.min(*earliest)).or_insert(at);
}

/// Notes when a new delivery can be claimed: once it is due and its initial lease has ended.
pub(super) fn claimable(due: &mut BTreeMap<Lane, i64>, new: &Delivery, initial_lease: Option<InitialLease>) {
    if let Some(due_at) = new.next_attempt_at() {
        earliest(due, Lane::of(new), initial_lease.map_or(due_at, |lease| lease.until.max(due_at)));
    }
}

/// Marks lanes as due from given instants, unless they are due earlier; [`Lane::row`]s come next.
pub(super) const MARK_DUE: &str = "INSERT INTO svc_delivery_lanes (subscription_id, retry, due_at)";

/// The end of [`MARK_DUE`].
pub(super) const UNLESS_EARLIER: &str = " ON CONFLICT (subscription_id, retry) DO UPDATE SET due_at = excluded.due_at \
     WHERE svc_delivery_lanes.due_at IS NULL OR svc_delivery_lanes.due_at > excluded.due_at";

/// Marks lanes as due from these instants, unless they are due earlier; locks them until the commit.
pub(super) async fn mark_due(
    conn: &impl ConnectionTrait,
    due: &BTreeMap<Lane, i64>,
) -> Result<(), StoreError> {
    let due: Vec<_> = due.iter().collect();
    for some in due.chunks(ROWS) {
        let rows = some.iter().map(|(lane, at)| lane.row(**at));
        Sql::new(conn, MARK_DUE).rows(rows).text(UNLESS_EARLIER).execute(conn).await?;
    }
    Ok(())
}

/// The rest of a statement that looks for the first lane that a request may take from.
pub(super) fn requested(sql: Sql, request: &ClaimRequest) -> Sql {
    except(sql.text(" WHERE due_at IS NOT NULL"), request).text(" ORDER BY due_at LIMIT 1")
}

fn except(mut sql: Sql, request: &ClaimRequest) -> Sql {
    if !request.retries {
        sql = sql.text(" AND NOT retry");
    }
    if !request.in_backoff.is_empty() {
        let ids = request.in_backoff.iter().map(|id| id.uuid());
        sql = sql.text(" AND NOT (NOT retry AND subscription_id").among(ids).text(")");
    }
    let mut full = request.full().peekable();
    if full.peek().is_none() {
        sql
    } else {
        sql.text(" AND NOT (subscription_id").among(full.map(TypedId::uuid)).text(")")
    }
}
