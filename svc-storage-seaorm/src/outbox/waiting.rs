//! What waits in the outbox.
//!
//! While servers are replaced one by one, a newer one may write events that
//! this one does not know. Such an event stays where it is for a server that
//! knows it, and holds up no other. Looking for known types from the start
//! would cost every round a look at rows that it does not take, for the sake
//! of the one in a thousand; so that is done only when less than half of a
//! whole round can be read.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use sea_orm::{ConnectionTrait, FromQueryResult, QueryResult};
use svc_core::error::StoreError;
use svc_core::event::{Event, EventType};
use svc_core::id::{EventId, TypedId};
use svc_webhooks::ports::OutboxPosition;
use uuid::Uuid;

use super::committed::Published;
use super::{Model, read};
use crate::error::backend;
use crate::statement::Sql;
use crate::store::SeaStore;

/// Which rows of the outbox.
#[derive(Clone, Copy)]
enum Which {
    /// The first ones.
    First,
    /// The first ones after a place that have a type which is known here.
    KnownAfter(i64),
}

impl<C: ConnectionTrait> SeaStore<C> {
    /// Up to `limit` events of the outbox with their places, in the order in which they were published,
    /// and whether that is all there is. What cannot be read is passed over.
    pub(crate) async fn waiting_events(&self, limit: u32) -> Result<(Published, bool), StoreError> {
        let mut which = Which::First;
        loop {
            let rows = self.waiting_rows(which, limit).await?;
            let last = rows.last().map(place).transpose()?;
            let full = u32::try_from(rows.len()).is_ok_and(|count| count >= limit);
            let mut events = Vec::with_capacity(rows.len());
            for row in &rows {
                if let Some(event) = readable(row)? {
                    events.push((place(row)?, event));
                }
            }
            match (last, which) {
                (Some(_), Which::First) if full && events.len() * 2 < rows.len() => {
                    which = Which::KnownAfter(i64::MIN);
                }
                (Some(last), Which::KnownAfter(_)) if full && events.is_empty() => {
                    which = Which::KnownAfter(last.position);
                }
                (None | Some(_), _) => return Ok((events, !full)),
            }
        }
    }

    async fn waiting_rows(&self, which: Which, limit: u32) -> Result<Vec<QueryResult>, StoreError> {
        let sql = Sql::new(&self.conn, "WITH first AS (SELECT position, event_id FROM outbox");
        let sql = match which {
            Which::First => sql,
            Which::KnownAfter(place) => sql
                .text(" JOIN events ON events.id = outbox.event_id WHERE position > ")
                .bind(place)
                .text(" AND type")
                .listed(EventType::catalogue().chain([EventType::TEST]).map(EventType::name)),
        };
        sql.text(" ORDER BY position LIMIT ")
            .bind(i64::from(limit))
            .text(") SELECT first.position, first.event_id, events.* FROM first LEFT JOIN events ON events.id = first.event_id")
            // A limit that is a value could be any: without the array the plan may read all events there are.
            .on_postgres(" AND events.id = ANY(ARRAY(SELECT event_id FROM first))")
            .text(" ORDER BY first.position")
            .all(&self.conn)
            .await
    }
}

fn place(row: &QueryResult) -> Result<OutboxPosition, StoreError> {
    let position = row.try_get("", "position").map_err(backend)?;
    Ok(OutboxPosition { position, event: EventId::from_uuid(row.try_get("", "event_id").map_err(backend)?) })
}

/// The event of a row, if this program can read it.
fn readable(row: &QueryResult) -> Result<Option<Event>, StoreError> {
    let id: Uuid = row.try_get("", "event_id").map_err(backend)?;
    let known: Option<Uuid> = row.try_get("", "id").map_err(backend)?;
    if known.is_none() {
        tell(id, None);
        return Ok(None);
    }
    let event = Model::from_query_result(row, "").map_err(backend)?;
    let kind = event.r#type.clone();
    Ok(read(event).inspect_err(|_| tell(id, Some(&kind))).ok())
}

/// What was told of already: an event comes by in every round, and once in the log is enough.
static TOLD: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
/// How much is remembered as told; what is beyond it is not told.
const MOST_TOLD: usize = 1_000;

fn tell(id: Uuid, kind: Option<&str>) {
    let id = EventId::from_uuid(id);
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    match kind {
        Some(kind) if is_news(&mut told, kind) => tracing::warn!(
            event = %id,
            r#type = kind,
            "events that this server does not know stay in the outbox for a newer one"
        ),
        None if is_news(&mut told, &id.to_string()) => {
            tracing::error!(event = %id, "the outbox holds what is no event; it is passed over");
        }
        Some(_) | None => {}
    }
}

fn is_news(told: &mut BTreeSet<String>, subject: &str) -> bool {
    told.len() < MOST_TOLD && told.insert(subject.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_subject_is_told_of_once_and_only_so_many_are() {
        let mut told = BTreeSet::new();
        assert!(is_news(&mut told, "future.kind"));
        assert!(!is_news(&mut told, "future.kind"));
        for number in 0..MOST_TOLD {
            is_news(&mut told, &number.to_string());
        }
        assert_eq!(told.len(), MOST_TOLD);
        assert!(!is_news(&mut told, "one more"));
    }
}
