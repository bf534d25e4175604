//! The table of records.

use std::borrow::Cow;

use sea_orm::{FromQueryResult, Value};
use svc_core::audit::{Actor, Details, Entry, Head, Record, Seal, Who};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, RequestId, SessionId, TokenId, TypedId, UserId};
use uuid::Uuid;

use crate::value::{broken, parsed};

pub(super) const COLUMNS: &str = "account_id, number, occurred_at, actor, actor_id, session_id, reason, \
     address, request_id, action, subject, state_before, state_after, seal_key, seal";

const TOKEN: i16 = 0;
const PERSON: i16 = 1;
const OPERATOR: i16 = 2;
const SERVICE: i16 = 3;

#[derive(FromQueryResult)]
pub(super) struct Row {
    account_id: Uuid,
    number: i64,
    occurred_at: i64,
    actor: i16,
    actor_id: Option<Uuid>,
    session_id: Option<Uuid>,
    reason: Option<String>,
    address: Option<String>,
    request_id: Option<Uuid>,
    action: String,
    subject: String,
    state_before: Option<String>,
    state_after: Option<String>,
    seal_key: i64,
    seal: Vec<u8>,
}

/// The values of [`COLUMNS`].
pub(super) fn values(record: &Record) -> [Value; 15] {
    let Record { number, entry, seal } = record;
    let Entry { account, at, actor, action, subject, before, after } = entry;
    let (kind, actor_id, session, reason) = match &actor.who {
        Who::Token(token) => (TOKEN, Some(token.uuid()), None, None),
        Who::Person { user, session } => (PERSON, Some(user.uuid()), Some(session.uuid()), None),
        Who::Operator => (OPERATOR, None, None, None),
        Who::Service(reason) => (SERVICE, None, None, Some(reason.to_string())),
    };
    let text = |details: &Option<Details>| details.as_ref().map(|details| details.as_str().to_owned());
    [
        account.uuid().into(),
        stored_number(*number).into(),
        at.unix_micros().into(),
        kind.into(),
        actor_id.into(),
        session.into(),
        reason.into(),
        actor.from.map(|from| from.to_string()).into(),
        actor.request.map(TypedId::uuid).into(),
        action.name().into(),
        subject.as_str().into(),
        text(before).into(),
        text(after).into(),
        i64::from(seal.key).into(),
        seal.code.to_vec().into(),
    ]
}

/// The record of a row.
pub(super) fn read(row: Row) -> Result<Record, StoreError> {
    let who = match (row.actor, row.actor_id, row.session_id, row.reason) {
        (TOKEN, Some(token), None, None) => Who::Token(TokenId::from_uuid(token)),
        (PERSON, Some(user), Some(session), None) => {
            Who::Person { user: UserId::from_uuid(user), session: SessionId::from_uuid(session) }
        }
        (OPERATOR, None, None, None) => Who::Operator,
        (SERVICE, None, None, Some(reason)) => Who::Service(Cow::Owned(reason)),
        _ => return Err(broken("audit_records.actor")),
    };
    let from = row.address.map(|address| parsed("audit_records.address", &address)).transpose()?;
    let head = head(row.number, row.seal_key, row.seal)?;
    Ok(Record {
        number: head.number,
        entry: Entry {
            account: AccountId::from_uuid(row.account_id),
            at: Timestamp::from_unix_micros(row.occurred_at),
            actor: Actor { who, from, request: row.request_id.map(RequestId::from_uuid) },
            action: parsed("audit_records.action", &row.action)?,
            subject: row.subject,
            before: row.state_before.map(Details::from_stored),
            after: row.state_after.map(Details::from_stored),
        },
        seal: head.seal,
    })
}

/// A number with its seal, as both tables hold them.
pub(super) fn head(number: i64, key: i64, code: Vec<u8>) -> Result<Head, StoreError> {
    let seal = Seal {
        key: u32::try_from(key).map_err(|_| broken("audit seal_key"))?,
        code: code.try_into().map_err(|_| broken("audit seal"))?,
    };
    Ok(Head { number: u64::try_from(number).map_err(|_| broken("audit number"))?, seal })
}

/// A company does not come to 2^63 records.
pub(super) fn stored_number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
