//! The table of replays.

use std::collections::BTreeSet;

use sea_orm::{ConnectionTrait, FromQueryResult, Value};
use serde::{Deserialize, Serialize};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::event::EventType;
use svc_core::id::{AccountId, DeliveryId, EventId, ReplayId, SubscriptionId, TypedId};
use svc_core::resource::Version;
use svc_webhooks::replay::{Cursor, Ended, Replay, Selection, Source, State, Why};
use uuid::Uuid;

use crate::statement::Sql;
use crate::value::{broken, from_json, json, parsed};

/// A row.
#[derive(Debug, FromQueryResult)]
pub(super) struct Row {
    pub(super) id: Uuid,
    account_id: Uuid,
    pub(super) subscription_id: Uuid,
    source: String,
    types: String,
    from_at: Option<i64>,
    until_at: i64,
    asked_at: i64,
    matched: i64,
    sent: i64,
    status: i16,
    place_at: Option<i64>,
    place_id: Option<Uuid>,
    due_at: Option<i64>,
    ended_at: Option<i64>,
    version: i64,
}

const RUNNING: i16 = 0;
const COMPLETED: i16 = 1;
const CANCELLED: i16 = 2;
const SWITCHED_OFF: i16 = 3;

/// The columns that [`values`] fills, in their order.
pub(super) const COLUMNS: &str = "id, account_id, subscription_id, source, types, from_at, until_at, asked_at, \
     matched, sent, status, place_at, place_id, due_at, ended_at, version";

/// The row of a replay as values for a statement.
pub(super) fn values(replay: &Replay) -> [Value; 16] {
    let selection = &replay.selection;
    let progress = Progress::of(replay);
    [
        replay.id.uuid().into(),
        selection.account.uuid().into(),
        selection.subscription.uuid().into(),
        json(&StoredSource::of(selection.source)).into(),
        json(&selection.types).into(),
        selection.from.map(Timestamp::unix_micros).into(),
        selection.until.unix_micros().into(),
        selection.asked_at.unix_micros().into(),
        stored(replay.matched).into(),
        stored(replay.sent).into(),
        progress.status.into(),
        progress.place_at.into(),
        progress.place_id.into(),
        replay.due_at().map(Timestamp::unix_micros).into(),
        replay.ended_at().map(Timestamp::unix_micros).into(),
        replay.version.as_i64().into(),
    ]
}

/// What changes with a step.
pub(super) fn update(conn: &impl ConnectionTrait, replay: &Replay) -> Sql {
    let progress = Progress::of(replay);
    let changes: [(&str, Value); 7] = [
        ("sent", stored(replay.sent).into()),
        ("status", progress.status.into()),
        ("place_at", progress.place_at.into()),
        ("place_id", progress.place_id.into()),
        ("due_at", replay.due_at().map(Timestamp::unix_micros).into()),
        ("ended_at", replay.ended_at().map(Timestamp::unix_micros).into()),
        ("version", replay.version.as_i64().into()),
    ];
    let mut sql = Sql::new(conn, "UPDATE svc_replays SET ");
    for (at, (column, value)) in changes.into_iter().enumerate() {
        let separator = if at == 0 { "" } else { ", " };
        sql = sql.text(separator).text(column).text(" = ").bind(value);
    }
    sql
}

/// The columns of a state.
struct Progress {
    status: i16,
    place_at: Option<i64>,
    place_id: Option<Uuid>,
}

impl Progress {
    fn of(replay: &Replay) -> Self {
        let (status, cursor) = match replay.state {
            State::Running { after, .. } => (RUNNING, after),
            State::Completed { .. } => (COMPLETED, None),
            State::Cancelled { why: Why::Asked, .. } => (CANCELLED, None),
            State::Cancelled { why: Why::SubscriptionInactive, .. } => (SWITCHED_OFF, None),
        };
        let (place_at, place_id) = match cursor {
            None => (None, None),
            Some(Cursor::Event(id)) => (None, Some(id.uuid())),
            Some(Cursor::Delivery(at, id)) => (Some(at.unix_micros()), Some(id.uuid())),
        };
        Self { status, place_at, place_id }
    }
}

/// The replay of a row.
pub(super) fn read(row: &Row) -> Result<Replay, StoreError> {
    let at =
        |micros: Option<i64>| micros.map(Timestamp::from_unix_micros).ok_or_else(|| broken("replays.status"));
    let after = row.place_id.map(|id| match row.place_at {
        None => Cursor::Event(EventId::from_uuid(id)),
        Some(at) => Cursor::Delivery(Timestamp::from_unix_micros(at), DeliveryId::from_uuid(id)),
    });
    let state = match row.status {
        RUNNING => State::Running { after, due_at: at(row.due_at)? },
        COMPLETED => State::Completed { at: at(row.ended_at)? },
        CANCELLED => State::Cancelled { at: at(row.ended_at)?, why: Why::Asked },
        SWITCHED_OFF => State::Cancelled { at: at(row.ended_at)?, why: Why::SubscriptionInactive },
        _ => return Err(broken("replays.status")),
    };
    let names: Vec<String> = from_json("replays.types", &row.types)?;
    let types: Result<BTreeSet<EventType>, StoreError> =
        names.iter().map(|name| parsed("replays.types", name)).collect();
    let source: StoredSource = from_json("replays.source", &row.source)?;
    let selection = Selection {
        account: AccountId::from_uuid(row.account_id),
        subscription: SubscriptionId::from_uuid(row.subscription_id),
        types: types?,
        from: row.from_at.map(Timestamp::from_unix_micros),
        until: Timestamp::from_unix_micros(row.until_at),
        asked_at: Timestamp::from_unix_micros(row.asked_at),
        source: source.read(),
    };
    Ok(Replay {
        id: ReplayId::from_uuid(row.id),
        selection,
        matched: u64::try_from(row.matched).map_err(|_| broken("replays.matched"))?,
        sent: u64::try_from(row.sent).map_err(|_| broken("replays.sent"))?,
        state,
        version: Version::from_i64(row.version),
    })
}

fn stored(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// The JSON form of a [`Source`]: `"events"` or `{"deliveries": {…}}`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredSource {
    Events,
    Deliveries { delivered: bool, event: Option<EventId>, even_if_arrived: bool },
}

impl StoredSource {
    fn of(source: Source) -> Self {
        match source {
            Source::Events => Self::Events,
            Source::Deliveries { ended, event, even_if_arrived } => {
                let delivered = match ended {
                    Ended::Delivered => true,
                    Ended::Failed => false,
                };
                Self::Deliveries { delivered, event, even_if_arrived }
            }
        }
    }

    fn read(self) -> Source {
        match self {
            Self::Events => Source::Events,
            Self::Deliveries { delivered, event, even_if_arrived } => {
                let ended = if delivered { Ended::Delivered } else { Ended::Failed };
                Source::Deliveries { ended, event, even_if_arrived }
            }
        }
    }
}
