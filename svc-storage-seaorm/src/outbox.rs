//! Events, and the outbox that holds those not fanned out yet.

mod ahead;
pub(crate) mod committed;
mod waiting;

use std::collections::HashMap;

use async_trait::async_trait;
use sea_orm::ConnectionTrait;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::event::{Event, Extra};
use svc_core::id::{AccountId, EventId, TypedId};
use svc_core::outbox::Outbox;

pub(crate) use self::ahead::{ReadsReceivers, Receivers};
use crate::error::backend;
use crate::statement::{Insertion, ROWS, Sql};
use crate::store::SeaStore;
use crate::transaction::DeferInsert;
use crate::value::{from_json, json, parsed};

#[async_trait]
impl<C: DeferInsert + Send + Sync> Outbox for SeaStore<C> {
    async fn publish(&self, events: &[Event]) -> Result<(), StoreError> {
        let columns = "INSERT INTO events (id, type, occurred_at, account_id, object_id, extras, body)";
        for event in events {
            // Within the span of the request that causes it: so its id leads to the deliveries.
            tracing::debug!(target: "svc_webhooks::outbox", event = %event.id, kind = event.kind.name(), "published");
        }
        for some in events.chunks(ROWS) {
            let rows = some.iter().map(|event| {
                [
                    event.id.uuid().into(),
                    event.kind.name().into(),
                    event.occurred_at.unix_micros().into(),
                    event.account.map(TypedId::uuid).into(),
                    event.object_id.as_str().into(),
                    json(&event.extras.iter().map(StoredExtra::from).collect::<Vec<_>>()).into(),
                    event.body().into(),
                ]
            });
            let waiting = some.iter().map(|event| [event.id.uuid().into()]);
            let waiting = Insertion::new("INSERT INTO outbox (event_id)", waiting).publishing(some);
            for insertion in [Insertion::new(columns, rows), waiting] {
                self.conn.defer(insertion).await.map_err(backend)?;
            }
        }
        Ok(())
    }
}

/// The rows of these events.
pub(crate) async fn find(
    conn: &impl ConnectionTrait,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, Model>, StoreError> {
    let found = Sql::new(conn, "SELECT * FROM events WHERE id").among(ids.iter().copied()).statement();
    let rows = Entity::find().from_raw_sql(found).all(conn).await.map_err(backend)?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "events")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub r#type: String,
    pub occurred_at: i64,
    pub account_id: Option<Uuid>,
    pub object_id: String,
    pub extras: String,
    pub body: Vec<u8>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// The event of a row.
pub(crate) fn read(row: Model) -> Result<Event, StoreError> {
    let extras: Vec<StoredExtra> = from_json("events.extras", &row.extras)?;
    Ok(Event {
        id: EventId::from_uuid(row.id),
        kind: parsed("events.type", &row.r#type)?,
        occurred_at: Timestamp::from_unix_micros(row.occurred_at),
        account: row.account_id.map(AccountId::from_uuid),
        object_id: row.object_id,
        extras: extras.into_iter().map(Extra::from).collect(),
    })
}

/// The JSON form of an [`Extra`]: `{"merged_id": "con_…"}`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredExtra {
    MergedId(String),
    MovementCount(u64),
    PaymentId(String),
    PreviousId(String),
    PreviousSignerId(String),
    ReversesId(String),
    SignerId(String),
}

impl From<&Extra> for StoredExtra {
    fn from(extra: &Extra) -> Self {
        match extra.clone() {
            Extra::MergedId(id) => Self::MergedId(id),
            Extra::MovementCount(count) => Self::MovementCount(count),
            Extra::PaymentId(id) => Self::PaymentId(id),
            Extra::PreviousId(id) => Self::PreviousId(id),
            Extra::PreviousSignerId(id) => Self::PreviousSignerId(id),
            Extra::ReversesId(id) => Self::ReversesId(id),
            Extra::SignerId(id) => Self::SignerId(id),
        }
    }
}

impl From<StoredExtra> for Extra {
    fn from(stored: StoredExtra) -> Self {
        match stored {
            StoredExtra::MergedId(id) => Self::MergedId(id),
            StoredExtra::MovementCount(count) => Self::MovementCount(count),
            StoredExtra::PaymentId(id) => Self::PaymentId(id),
            StoredExtra::PreviousId(id) => Self::PreviousId(id),
            StoredExtra::PreviousSignerId(id) => Self::PreviousSignerId(id),
            StoredExtra::ReversesId(id) => Self::ReversesId(id),
            StoredExtra::SignerId(id) => Self::SignerId(id),
        }
    }
}
