//! Fanning out: events leave the outbox as their deliveries enter the queue.
//!
//! Nothing is locked between the reading of events and this. Two processes may
//! read the same events; the process that takes one out of the outbox adds its deliveries,
//! and the other one finds it gone and leaves both. On PostgreSQL all of it is
//! one statement, which commits by itself. Its parts see the same rows, and the
//! locks of subscriptions come before those of lanes, as everywhere.

use std::collections::{BTreeMap, BTreeSet};

use sea_orm::{ConnectionTrait, Value};
use svc_core::error::StoreError;
use svc_core::id::{DeliveryId, EventId, TypedId};
use svc_webhooks::delivery::Delivery;
use svc_webhooks::ports::{FanOut, FannedOut, InitialLease, OutboxPosition};
use uuid::Uuid;

use super::delivery;
use super::lanes::{self, Lane};
use crate::error::backend;
use crate::statement::{ROWS, Sql};
use crate::store::SeaStore;

/// Fans out in one statement of PostgreSQL.
pub(crate) async fn at_once(conn: &impl ConnectionTrait, batch: &FanOut) -> Result<FannedOut, StoreError> {
    let rows: Vec<_> =
        batch.deliveries().map(|(delivery, initial_lease)| row(delivery, initial_lease)).collect();
    let sql = taken(Sql::new(conn, "WITH taken AS ("), batch);
    if rows.is_empty() {
        let events = sql.text(") SELECT event_id FROM taken").ids(conn).await?;
        let events = events.into_iter().map(EventId::from_uuid).collect();
        return Ok(FannedOut { events, deliveries: BTreeSet::new() });
    }
    let lanes = lanes_of(batch);
    let lanes = lanes.iter().map(|(lane, at)| lane.row(*at));
    let done = alive(sql.text("), alive AS ("), batch)
        .text(" FOR KEY SHARE), given (")
        .text(delivery::COLUMNS)
        .text(", lease_until, lease_token) AS (")
        .rows(rows)
        .text("), added AS (INSERT INTO svc_deliveries (")
        .text(delivery::COLUMNS)
        .text(") SELECT ")
        .text(delivery::COLUMNS)
        .text(
            " FROM given WHERE event_id IN (SELECT event_id FROM taken) \
             AND subscription_id IN (SELECT id FROM alive) ",
        )
        .text(delivery::ONCE)
        .text(" RETURNING id), mark_due AS (")
        .text(lanes::MARK_DUE)
        .rows(lanes)
        .text(lanes::UNLESS_EARLIER)
        .text(
            "), queued AS (INSERT INTO svc_delivery_queue \
             (id, account_id, subscription_id, event_id, attempt, due_at, lease_until, lease_token) \
             SELECT id, account_id, subscription_id, event_id, attempts, next_attempt_at, lease_until, \
             lease_token FROM given WHERE next_attempt_at IS NOT NULL AND id IN (SELECT id FROM added)) \
             SELECT true, event_id FROM taken UNION ALL SELECT false, id FROM added",
        )
        .all(conn)
        .await?;
    let mut fanned_out = FannedOut::default();
    for row in &done {
        let id: Uuid = row.try_get_by_index(1).map_err(backend)?;
        if row.try_get_by_index(0).map_err(backend)? {
            fanned_out.events.insert(EventId::from_uuid(id));
        } else {
            fanned_out.deliveries.insert(DeliveryId::from_uuid(id));
        }
    }
    Ok(fanned_out)
}

impl<C: ConnectionTrait> SeaStore<C> {
    /// Fans out step by step, in the one writer's transaction of SQLite.
    pub(crate) async fn fan_out(&self, batch: &FanOut) -> Result<FannedOut, StoreError> {
        let events: BTreeSet<Uuid> =
            taken(Sql::new(&self.conn, ""), batch).ids(&self.conn).await?.into_iter().collect();
        let alive: BTreeSet<Uuid> =
            alive(Sql::new(&self.conn, ""), batch).ids(&self.conn).await?.into_iter().collect();
        let fits =
            |one: &Delivery| events.contains(&one.event.uuid()) && alive.contains(&one.subscription.uuid());
        lanes::mark_due(&self.conn, &lanes_of(batch)).await?;
        let mut deliveries = BTreeSet::new();
        for (some, initial_lease) in [(&batch.leased, Some(batch.initial_lease)), (&batch.queued, None)] {
            let some: Vec<Delivery> = some.iter().filter(|one| fits(one)).cloned().collect();
            for some in some.chunks(ROWS) {
                let added = self.add_queued(some, initial_lease).await?;
                deliveries.extend(added.into_iter().map(DeliveryId::from_uuid));
            }
        }
        let events = events.into_iter().map(EventId::from_uuid).collect();
        Ok(FannedOut { events, deliveries })
    }
}

/// Takes what is still there out of the outbox. Rows that another process takes just now are gone for us. A
/// position alone does not tell: SQLite gives that of the last row again once the row is gone.
fn taken(sql: Sql, batch: &FanOut) -> Sql {
    sql.text("DELETE FROM svc_outbox WHERE position")
        .selected(|sql| {
            still_there(sql.text("SELECT position FROM svc_outbox WHERE position"), &batch.positions)
        })
        .text(" RETURNING event_id")
}

/// At these positions, with these events.
fn still_there(sql: Sql, positions: &[OutboxPosition]) -> Sql {
    let sql = sql.among_numbers(positions.iter().map(|position| position.position));
    if sql.is_on_postgres() && !positions.is_empty() {
        // As pairs: an array beside that of the positions would be read again for each row.
        let pairs = positions.iter().map(|position| [position.position.into(), position.event.uuid().into()]);
        sql.text(" AND (position, event_id) IN (").rows(pairs).text(") FOR UPDATE OF svc_outbox SKIP LOCKED")
    } else {
        sql.text(" AND event_id").among(positions.iter().map(|position| position.event.uuid()))
    }
}

/// The subscriptions that are still there and active; a lock keeps them there until the commit.
fn alive(sql: Sql, batch: &FanOut) -> Sql {
    let needed: BTreeSet<Uuid> = batch.deliveries().map(|(one, _)| one.subscription.uuid()).collect();
    sql.text("SELECT id FROM svc_subscriptions WHERE active_since IS NOT NULL AND id").among(needed)
}

fn lanes_of(batch: &FanOut) -> BTreeMap<Lane, i64> {
    let mut lanes = BTreeMap::new();
    for (new, initial_lease) in batch.deliveries() {
        lanes::claimable(&mut lanes, new, initial_lease);
    }
    lanes
}

/// The row of a delivery with its lease: [`delivery::COLUMNS`], `lease_until`, `lease_token`.
fn row(new: &Delivery, initial_lease: Option<InitialLease>) -> [Value; delivery::WIDTH + 2] {
    let lease =
        [initial_lease.map(|lease| lease.until.unix_micros()), initial_lease.map(|lease| lease.lease.0)];
    let mut values = delivery::values(delivery::of(new)).into_iter().chain(lease.map(Value::from));
    std::array::from_fn(|_| values.next().expect("two more values than columns"))
}
