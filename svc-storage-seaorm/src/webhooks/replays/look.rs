//! What a replay looks at, and how much it selects.
//!
//! Looking reads a bounded piece of an index in its order, much or
//! little selected of it: a step costs the same when nothing is.

use sea_orm::{ConnectionTrait, DbErr, QueryResult};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::event::EventType;
use svc_core::id::{DeliveryId, EventId, TypedId};
use svc_webhooks::delivery::Status;
use svc_webhooks::replay::{Candidate, Cursor, Ended, Look, Pick, Selection, Source};
use uuid::Uuid;

use crate::error::backend;
use crate::statement::Sql;
use crate::value::{broken, parsed};
use crate::webhooks::delivery::code;

/// How many events or deliveries a selection holds.
pub(super) async fn count(conn: &impl ConnectionTrait, selection: &Selection) -> Result<u64, StoreError> {
    let types = || selection.types.iter().map(EventType::name);
    let sql = match selection.source {
        Source::Events => events(Sql::new(conn, "SELECT count(*)"), selection, None, selection.until)
            .text(" AND type")
            .listed(types()),
        Source::Deliveries { ended, event, even_if_arrived } => {
            let asked = Asked { ended, event, even_if_arrived };
            let sql = deliveries(Sql::new(conn, "SELECT count(*)"), selection, None, selection.until);
            asked.predicate(sql.text(" AND "), selection)
        }
    };
    sql.count(conn).await
}

/// The next events or deliveries in the selection's range of time.
pub(super) async fn look(
    conn: &impl ConnectionTrait,
    selection: &Selection,
    look: &Look,
) -> Result<Vec<Candidate>, StoreError> {
    let limit = i64::from(look.limit);
    match selection.source {
        Source::Events => {
            let after = match look.after {
                Some(Cursor::Event(id)) => Some(id),
                Some(Cursor::Delivery(..)) | None => None,
            };
            let rows = events(Sql::new(conn, "SELECT id, type"), selection, after, look.until)
                .text(" ORDER BY id LIMIT ")
                .bind(limit)
                .all(conn)
                .await?;
            rows.iter().map(|row| event(row, selection).map_err(backend)).collect()
        }
        Source::Deliveries { ended, event, even_if_arrived } => {
            let after = match look.after {
                Some(Cursor::Delivery(at, id)) => Some((at, id)),
                Some(Cursor::Event(_)) | None => None,
            };
            let asked = Asked { ended, event, even_if_arrived };
            let sql =
                Sql::new(conn, "SELECT id, created_at, event_id, event_type, max_attempts, CAST(CASE WHEN ");
            let sql = asked
                .predicate(sql, selection)
                .text(" THEN 1 ELSE 0 END AS smallint) FROM (SELECT id, created_at, event_id, event_type, ")
                .text("subscription_id, max_attempts, status, ended_at");
            let rows = deliveries(sql, selection, after, look.until)
                .text(" ORDER BY id LIMIT ")
                .bind(limit)
                .text(") AS svc_deliveries ORDER BY id")
                .all(conn)
                .await?;
            rows.iter().map(delivery).collect()
        }
    }
}

/// Events of the company in the window, of every type.
fn events(sql: Sql, selection: &Selection, after: Option<EventId>, until: Timestamp) -> Sql {
    let mut sql = sql.text(" FROM svc_events WHERE account_id = ").bind(selection.account.uuid());
    match (after, selection.from) {
        (Some(after), _) => sql = sql.text(" AND id > ").bind(after.uuid()),
        (None, Some(from)) => sql = sql.text(" AND id >= ").bind(EventId::least(from).uuid()),
        (None, None) => {}
    }
    sql.text(" AND id < ").bind(EventId::least(until).uuid())
}

/// Deliveries of the subscription in the window, wherever they stand. Ids are in the order in which they
/// were made, to the millisecond, and in the index of the log.
fn deliveries(
    sql: Sql,
    selection: &Selection,
    after: Option<(Timestamp, DeliveryId)>,
    until: Timestamp,
) -> Sql {
    let mut sql =
        sql.text(" FROM svc_deliveries WHERE subscription_id = ").bind(selection.subscription.uuid());
    match (after, selection.from) {
        (Some((_, id)), _) => sql = sql.text(" AND id > ").bind(id.uuid()),
        (None, Some(from)) => sql = sql.text(" AND id >= ").bind(DeliveryId::least(from).uuid()),
        (None, None) => {}
    }
    sql.text(" AND id < ").bind(DeliveryId::least(until).uuid())
}

/// Which ended deliveries are asked for.
struct Asked {
    ended: Ended,
    event: Option<EventId>,
    even_if_arrived: bool,
}

impl Asked {
    /// Whether a row of `deliveries` is selected.
    fn predicate(&self, sql: Sql, selection: &Selection) -> Sql {
        let mut sql = self.ended_as_asked(sql.text("("), "svc_deliveries", selection);
        sql = sql.text(" AND event_type").listed(selection.types.iter().map(EventType::name));
        if let Some(event) = self.event {
            sql = sql.text(" AND event_id = ").bind(event.uuid());
        }
        // Two looks, as each kind of delivery has an index of its own.
        for automatic in ["later.automatic", "NOT later.automatic"] {
            let same = " AND NOT EXISTS (SELECT 1 FROM svc_deliveries AS later WHERE later.event_id = \
                 svc_deliveries.event_id AND later.subscription_id = svc_deliveries.subscription_id AND \
                 (later.created_at, later.id) > (svc_deliveries.created_at, svc_deliveries.id) AND ";
            sql = sql.text(same).text(automatic).text(" AND ((");
            sql = self.ended_as_asked(sql, "later", selection);
            sql = sql.text(" AND later.created_at < ").bind(selection.until.unix_micros());
            let mut stands_in = vec![code(Status::Pending), code(Status::Retrying)];
            if !self.even_if_arrived {
                stands_in.push(code(Status::Delivered));
            }
            sql = sql.text(") OR later.status").listed(stands_in).text("))");
        }
        sql.text(")")
    }

    fn ended_as_asked(&self, sql: Sql, table: &str, selection: &Selection) -> Sql {
        sql.text(table)
            .text(".status = ")
            .bind(code(self.ended.status()))
            .text(" AND ")
            .text(table)
            .text(".ended_at <= ")
            .bind(selection.asked_at.unix_micros())
    }
}

fn event(row: &QueryResult, selection: &Selection) -> Result<Candidate, DbErr> {
    let event = EventId::from_uuid(row.try_get_by_index::<Uuid>(0)?);
    let kind = row.try_get_by_index::<String>(1)?;
    let selected = selection.types.iter().find(|selected| selected.name() == kind).cloned();
    let pick = selected.map(|kind| Pick { event, kind, max_attempts: None });
    Ok(Candidate { cursor: Cursor::Event(event), pick })
}

fn delivery(row: &QueryResult) -> Result<Candidate, StoreError> {
    let columns = || -> Result<_, DbErr> {
        let cursor = (row.try_get_by_index::<i64>(1)?, row.try_get_by_index::<Uuid>(0)?);
        let (event, kind): (Uuid, String) = (row.try_get_by_index(2)?, row.try_get_by_index(3)?);
        Ok((cursor, event, kind, row.try_get_by_index::<i16>(4)?, row.try_get_by_index::<i16>(5)?))
    };
    let ((at, id), event, kind, max_attempts, selected) = columns().map_err(backend)?;
    let cursor = Cursor::Delivery(Timestamp::from_unix_micros(at), DeliveryId::from_uuid(id));
    if selected == 0 {
        return Ok(Candidate { cursor, pick: None });
    }
    let kind = parsed::<EventType>("deliveries.event_type", &kind)?;
    let max_attempts = Some(u8::try_from(max_attempts).map_err(|_| broken("deliveries.max_attempts"))?);
    Ok(Candidate { cursor, pick: Some(Pick { event: EventId::from_uuid(event), kind, max_attempts }) })
}
