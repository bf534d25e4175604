//! The days of the log on PostgreSQL: attempts lie in one part for each day.
//!
//! An attempt belongs to the day of its *delivery*, which the delivery's id begins with. So all attempts of
//! a delivery lie together, `(delivery_id, number)` stays their key, reading the log looks into the days of
//! the deliveries that it shows, and a day ends exactly when its last delivery was forgotten: a delivery
//! that still waits keeps its day, however old it is.
//!
//! - Parts are made ahead, at the start and by the cleaner. What finds no part lies in the *default partition*: writing
//!   an attempt never fails for want of a part, also when a clock is far ahead or no cleaner runs. The process
//!   that makes a part moves what the default partition has of it, under a lock on that one alone.
//! - A part goes as a whole when all of it is older than the log is kept and no delivery of it is left.
//!   Its attempts cannot be seen from when their delivery was forgotten, a day earlier at most.
//! - One process at a time makes or drops parts. Dropping one stops writers of attempts for as long as
//!   readers of the log let it, and never longer than [`MOST_WAIT`]: a cleaner without the lock by then tries
//!   again with the next cleaning.

use sea_orm::{ConnectionTrait, DatabaseBackend};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{DeliveryId, TypedId};
use time::Date;
use uuid::Uuid;

use super::attempt;
use crate::error::backend;
use crate::statement::Sql;
use crate::store::SeaStore;

/// The present day and those for which there is a part ahead of time: as long may no cleaner run before
/// the default partition is used.
const DAYS: usize = 3;

/// How long a lock is waited for, and others with it.
const MOST_WAIT: &str = "SET LOCAL lock_timeout = '500ms'";

/// A part: deliveries from one id to before another.
#[derive(Debug, PartialEq, Eq)]
struct Part {
    name: String,
    from: Uuid,
    to: Uuid,
}

impl<C: ConnectionTrait> SeaStore<C> {
    /// Makes the parts of the days from `now` on that are missing, in an open transaction.
    pub(crate) async fn make_days(&self, now: Timestamp) -> Result<(), StoreError> {
        if self.missing(now).await?.is_empty() || !self.alone().await? {
            return Ok(());
        }
        self.say(MOST_WAIT).await?;
        // While it is locked nothing of a new part can get into the default partition.
        self.say("LOCK TABLE svc_delivery_attempts_rest IN ACCESS EXCLUSIVE MODE").await?;
        let has_rows = !Sql::new(&self.conn, "SELECT delivery_id FROM svc_delivery_attempts_rest LIMIT 1")
            .ids(&self.conn)
            .await?
            .is_empty();
        for Part { name, from, to } in self.missing(now).await? {
            let columns = attempt::COLUMNS;
            self.say(&format!("CREATE TABLE {name} (LIKE svc_delivery_attempts INCLUDING DEFAULTS)")).await?;
            if has_rows {
                self.say(&format!(
                    "WITH moved AS (DELETE FROM svc_delivery_attempts_rest \
                     WHERE delivery_id >= '{from}' AND delivery_id < '{to}' RETURNING {columns}) \
                     INSERT INTO {name} ({columns}) SELECT {columns} FROM moved"
                ))
                .await?;
            }
            self.say(&format!(
                "ALTER TABLE svc_delivery_attempts ATTACH PARTITION {name} FOR VALUES FROM ('{from}') TO ('{to}')"
            ))
            .await?;
        }
        Ok(())
    }

    /// Drops the oldest part that is older than `before` as a whole and not needed, in an open
    /// transaction; answers whether there was one.
    pub(crate) async fn drop_day(&self, before: Timestamp) -> Result<bool, StoreError> {
        let limit = DeliveryId::least(before).uuid();
        let mut old = self.parts().await?;
        old.retain(|part| part.to <= limit);
        old.sort_unstable_by_key(|part| part.to);
        for part in old {
            if self.is_needed(&part).await? {
                continue;
            }
            if !self.alone().await? {
                return Ok(false);
            }
            self.say(MOST_WAIT).await?;
            self.say(&format!("DROP TABLE IF EXISTS {}", part.name)).await?;
            return Ok(true);
        }
        Ok(false)
    }

    /// Whether a delivery of this part is left.
    async fn is_needed(&self, part: &Part) -> Result<bool, StoreError> {
        let left = Sql::new(&self.conn, "SELECT id FROM svc_deliveries WHERE id >= ")
            .bind(part.from)
            .text(" AND id < ")
            .bind(part.to)
            .text(" LIMIT 1");
        Ok(!left.ids(&self.conn).await?.is_empty())
    }

    async fn missing(&self, now: Timestamp) -> Result<Vec<Part>, StoreError> {
        let parts = self.parts().await?;
        let days = std::iter::successors(Some(now.date()), |day| day.next_day()).take(DAYS);
        let covered = |day: &Part| parts.iter().any(|part| part.from <= day.from && day.from < part.to);
        Ok(days.filter_map(of_day).filter(|day| !covered(day)).collect())
    }

    /// Every part but the default partition.
    async fn parts(&self) -> Result<Vec<Part>, StoreError> {
        let rows = Sql::new(
            &self.conn,
            "SELECT CAST(CAST(inhrelid AS regclass) AS text), pg_get_expr(relpartbound, inhrelid) \
             FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid \
             WHERE inhparent = CAST('svc_delivery_attempts' AS regclass)",
        )
        .all(&self.conn)
        .await?;
        let mut parts = Vec::with_capacity(rows.len());
        for row in &rows {
            let name: String = row.try_get_by_index(0).map_err(backend)?;
            // None when it is dropped just now.
            let bounds: Option<String> = row.try_get_by_index(1).map_err(backend)?;
            let bounds = bounds.as_deref().and_then(bounds_of);
            parts.extend(bounds.map(|(from, to)| Part { name, from, to }));
        }
        Ok(parts)
    }

    /// Whether no other process makes or drops parts; none does then until the transaction ends.
    async fn alone(&self) -> Result<bool, StoreError> {
        let row =
            Sql::new(&self.conn, "SELECT pg_try_advisory_xact_lock(7382540972)").one(&self.conn).await?;
        row.map_or(Ok(false), |row| row.try_get_by_index(0).map_err(backend))
    }

    async fn say(&self, statement: &str) -> Result<(), StoreError> {
        debug_assert_eq!(self.conn.get_database_backend(), DatabaseBackend::Postgres);
        self.conn.execute_unprepared(statement).await.map(drop).map_err(backend)
    }
}

/// The part of a day; none for days before ids.
fn of_day(day: Date) -> Option<Part> {
    let least = |day| DeliveryId::least(Timestamp::start_of(day)).uuid();
    let (from, to) = (least(day), least(day.next_day()?));
    let name = format!("svc_delivery_attempts_{:04}{:02}{:02}", day.year(), u8::from(day.month()), day.day());
    (from < to).then_some(Part { name, from, to })
}

/// The bounds of `FOR VALUES FROM ('…') TO ('…')`; none of the default partition, which is `DEFAULT`.
fn bounds_of(text: &str) -> Option<(Uuid, Uuid)> {
    let (from, to) = text.strip_prefix("FOR VALUES FROM (")?.strip_suffix(')')?.split_once(") TO (")?;
    let bound = |text: &str| match text {
        "MINVALUE" => Some(Uuid::nil()),
        "MAXVALUE" => Some(Uuid::max()),
        quoted => quoted.trim_matches('\'').parse().ok(),
    };
    Some((bound(from)?, bound(to)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds_of_a_part_are_read_as_the_server_writes_them() {
        let to = Uuid::from_u128(0x0194_bb3c_f400 << 80);
        let text = "FOR VALUES FROM (MINVALUE) TO ('0194bb3c-f400-0000-0000-000000000000')";
        assert_eq!(bounds_of(text), Some((Uuid::nil(), to)));
        assert_eq!(bounds_of("DEFAULT"), None);
    }

    #[test]
    fn a_day_holds_the_ids_that_are_made_in_it_and_no_others() {
        let noon = Timestamp::from_unix_seconds(1_738_324_800);
        let part = of_day(noon.date()).expect("a day");
        assert_eq!(part.name, "svc_delivery_attempts_20250131");
        let random = svc_testkit::fakes::SeededRandom::new(1);
        let hours = |hours: u64| std::time::Duration::from_hours(hours);
        let holds = |at| {
            let id = DeliveryId::generate(at, &random).uuid();
            part.from <= id && id < part.to
        };
        let (start, last) = (noon.minus(hours(12)), std::time::Duration::from_millis(1));
        assert!(holds(start) && holds(noon) && holds(start.plus(hours(24)).minus(last)));
        assert!(!holds(start.minus(last)) && !holds(start.plus(hours(24))));
    }
}
