//! The table of deliveries.

use std::time::Duration;

use sea_orm::Value;
use sea_orm::entity::prelude::*;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, DeliveryId, EventId, SubscriptionId, TypedId};
use svc_webhooks::delivery::{Delivery, Outcome, State, Status};

use crate::value::{broken, parsed};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "svc_deliveries")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub account_id: Uuid,
    pub subscription_id: Uuid,
    pub event_id: Uuid,
    pub event_type: String,
    pub automatic: bool,
    pub attempts: i16,
    pub max_attempts: i16,
    pub status: i16,
    pub next_attempt_at: Option<i64>,
    pub ended_at: Option<i64>,
    pub last_status_code: Option<i32>,
    pub last_error: Option<String>,
    pub last_duration_us: Option<i64>,
    pub created_at: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

const PENDING: i16 = 0;
const RETRYING: i16 = 1;
const DELIVERED: i16 = 2;
const FAILED: i16 = 3;

/// Every status below this one is queued, every other one has ended.
pub(super) const FIRST_ENDED: i16 = DELIVERED;

/// The number that a status is stored as.
pub(super) const fn code(status: Status) -> i16 {
    match status {
        Status::Pending => PENDING,
        Status::Retrying => RETRYING,
        Status::Delivered => DELIVERED,
        Status::Failed => FAILED,
    }
}

/// The status that is stored as this number.
pub(super) fn status(code: i16) -> Result<Status, StoreError> {
    match code {
        PENDING => Ok(Status::Pending),
        RETRYING => Ok(Status::Retrying),
        DELIVERED => Ok(Status::Delivered),
        FAILED => Ok(Status::Failed),
        _ => Err(broken("deliveries.status")),
    }
}

/// The row of a delivery.
pub(super) fn of(delivery: &Delivery) -> Model {
    let (next_attempt_at, ended_at) = match delivery.state {
        State::Pending { due_at } | State::Retrying { due_at } => (Some(due_at), None),
        State::Delivered { at } | State::Failed { at } => (None, Some(at)),
    };
    let last = delivery.last.as_ref();
    Model {
        id: delivery.id.uuid(),
        account_id: delivery.account.uuid(),
        subscription_id: delivery.subscription.uuid(),
        event_id: delivery.event.uuid(),
        event_type: delivery.event_type.name().to_owned(),
        automatic: delivery.automatic,
        attempts: i16::from(delivery.attempts),
        max_attempts: i16::from(delivery.max_attempts),
        status: code(delivery.status()),
        next_attempt_at: next_attempt_at.map(Timestamp::unix_micros),
        ended_at: ended_at.map(Timestamp::unix_micros),
        last_status_code: last.and_then(|last| last.status_code).map(i32::from),
        last_error: last.and_then(|last| last.error.clone()),
        last_duration_us: last.map(|last| micros(last.duration)),
        created_at: delivery.created_at.unix_micros(),
    }
}

/// How many columns [`values`] fills.
pub(super) const WIDTH: usize = 15;

/// The columns that [`values`] fills, in their order.
pub(super) const COLUMNS: &str = "id, account_id, subscription_id, event_id, event_type, automatic, attempts, \
     max_attempts, status, next_attempt_at, ended_at, last_status_code, last_error, last_duration_us, created_at";

/// The end of an insertion: of automatic deliveries there is one for each event and subscription.
pub(super) const ONCE: &str = "ON CONFLICT (event_id, subscription_id) WHERE automatic DO NOTHING";

/// The row of a delivery as values for a statement.
pub(super) fn values(row: Model) -> [Value; WIDTH] {
    [
        row.id.into(),
        row.account_id.into(),
        row.subscription_id.into(),
        row.event_id.into(),
        row.event_type.into(),
        row.automatic.into(),
        row.attempts.into(),
        row.max_attempts.into(),
        row.status.into(),
        row.next_attempt_at.into(),
        row.ended_at.into(),
        row.last_status_code.into(),
        row.last_error.into(),
        row.last_duration_us.into(),
        row.created_at.into(),
    ]
}

/// The delivery of a row.
pub(super) fn read(row: Model) -> Result<Delivery, StoreError> {
    let at = |micros: Option<i64>| {
        micros.map(Timestamp::from_unix_micros).ok_or_else(|| broken("deliveries.status"))
    };
    let state = match row.status {
        PENDING => State::Pending { due_at: at(row.next_attempt_at)? },
        RETRYING => State::Retrying { due_at: at(row.next_attempt_at)? },
        DELIVERED => State::Delivered { at: at(row.ended_at)? },
        FAILED => State::Failed { at: at(row.ended_at)? },
        _ => return Err(broken("deliveries.status")),
    };
    let last = row.last_duration_us.map(|duration| outcome(row.last_status_code, row.last_error, duration));
    Ok(Delivery {
        id: DeliveryId::from_uuid(row.id),
        account: AccountId::from_uuid(row.account_id),
        subscription: SubscriptionId::from_uuid(row.subscription_id),
        event: EventId::from_uuid(row.event_id),
        event_type: parsed("deliveries.event_type", &row.event_type)?,
        automatic: row.automatic,
        attempts: u8::try_from(row.attempts).map_err(|_| broken("deliveries.attempts"))?,
        max_attempts: u8::try_from(row.max_attempts).map_err(|_| broken("deliveries.max_attempts"))?,
        state,
        last: last.transpose()?,
        created_at: Timestamp::from_unix_micros(row.created_at),
    })
}

/// How an attempt ended, as both tables keep it.
pub(super) fn outcome(
    status_code: Option<i32>,
    error: Option<String>,
    duration: i64,
) -> Result<Outcome, StoreError> {
    let status_code =
        status_code.map(u16::try_from).transpose().map_err(|_| broken("deliveries.status_code"))?;
    Ok(Outcome { status_code, error, duration: duration_of(duration)? })
}

/// The time that a column says.
pub(super) fn duration_of(micros: i64) -> Result<Duration, StoreError> {
    let micros = u64::try_from(micros).map_err(|_| broken("deliveries.duration_us"))?;
    Ok(Duration::from_micros(micros))
}

/// Microseconds, for a column.
pub(super) fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}
