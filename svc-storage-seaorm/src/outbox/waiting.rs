//! What waits in the outbox.
//!
//! An event is taken whatever its type: its body says all that its receivers are told. What is no event, as
//! damage may leave it, stays where it is and holds up no other.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use sea_orm::{ConnectionTrait, FromQueryResult, QueryResult};
use svc_core::error::StoreError;
use svc_core::event::Event;
use svc_core::id::{EventId, TypedId};
use svc_webhooks::ports::OutboxPosition;
use uuid::Uuid;

use super::committed::Waiting;
use super::{Model, read};
use crate::error::backend;
use crate::statement::Sql;
use crate::store::SeaStore;

impl<C: ConnectionTrait> SeaStore<C> {
    /// Up to `limit` events of the outbox with their places, in the order in which they were published,
    /// and whether that is all there is. What cannot be read is passed over.
    pub(crate) async fn waiting_events(&self, limit: u32) -> Result<(Waiting, bool), StoreError> {
        let mut after = None;
        loop {
            let rows = self.waiting_rows(after, limit).await?;
            let mut events = Vec::with_capacity(rows.len());
            for row in &rows {
                if let Some(event) = readable(row)? {
                    events.push((place(row)?, event));
                }
            }
            let all = rows.len() < usize::try_from(limit).unwrap_or(usize::MAX);
            match rows.last() {
                Some(last) if events.is_empty() && !all => after = Some(place(last)?.position),
                Some(_) | None => return Ok((events, all)),
            }
        }
    }

    async fn waiting_rows(&self, after: Option<i64>, limit: u32) -> Result<Vec<QueryResult>, StoreError> {
        let mut sql = Sql::new(&self.conn, "WITH first AS (SELECT position, event_id FROM svc_outbox");
        if let Some(position) = after {
            sql = sql.text(" WHERE position > ").bind(position);
        }
        sql.text(" ORDER BY position LIMIT ")
            .bind(i64::from(limit))
            .text(") SELECT first.position, first.event_id, svc_events.* FROM first LEFT JOIN svc_events ON svc_events.id = first.event_id")
            // A limit that is a value could be any: without the array the plan may read all events there are.
            .on_postgres(" AND svc_events.id = ANY(ARRAY(SELECT event_id FROM first))")
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
        tell(id);
        return Ok(None);
    }
    let event = Model::from_query_result(row, "").map_err(backend)?;
    Ok(read(&event).inspect_err(|_| tell(id)).ok())
}

/// What was told of already: an event comes by in every round, and once in the log is enough.
static TOLD: Mutex<BTreeSet<Uuid>> = Mutex::new(BTreeSet::new());
/// How much is remembered as told; what is beyond it is not told.
const MOST_TOLD: usize = 1_000;

fn tell(id: Uuid) {
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    if is_news(&mut told, id) {
        tracing::error!(event = %EventId::from_uuid(id), "the outbox holds what is no event; it is passed over");
    }
}

fn is_news(told: &mut BTreeSet<Uuid>, subject: Uuid) -> bool {
    told.len() < MOST_TOLD && told.insert(subject)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_subject_is_told_of_once_and_only_so_many_are() {
        let mut told = BTreeSet::new();
        let subject = |number: usize| Uuid::from_u128(number as u128);
        assert!(is_news(&mut told, subject(0)));
        assert!(!is_news(&mut told, subject(0)));
        for number in 0..MOST_TOLD {
            is_news(&mut told, subject(number));
        }
        assert_eq!(told.len(), MOST_TOLD);
        assert!(!is_news(&mut told, subject(MOST_TOLD)));
    }
}
