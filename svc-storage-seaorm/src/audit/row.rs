//! The table of records.

use std::borrow::Cow;
use std::net::IpAddr;

use sea_orm::{FromQueryResult, QueryResult, Value};
use svc_core::audit::{Actor, Details, Entry, Head, Record, Seal, Unreadable, Who};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, RequestId, SessionId, TokenId, TypedId, UserId};
use uuid::Uuid;

pub(super) const COLUMNS: &str = "account_id, number, occurred_at, actor, actor_id, session_id, reason, \
     address, request_id, action, subject, state_before, state_after, seal_key, seal";

const TOKEN: i16 = 0;
const PERSON: i16 = 1;
const OPERATOR: i16 = 2;
const SERVICE: i16 = 3;

#[derive(FromQueryResult)]
struct Row {
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

/// The record of a row. Whatever the service does not write is refused, in whichever form it stands for the same.
pub(super) fn read(row: &QueryResult) -> Result<Record, Unreadable> {
    let number = row.try_get("", "number").ok();
    let unreadable = |column| Unreadable { number, column };
    let row = Row::from_query_result(row, "").map_err(|_| unreadable("a column of svc_audit_records"))?;
    record(row).map_err(unreadable)
}

fn record(row: Row) -> Result<Record, &'static str> {
    let who = match (row.actor, row.actor_id, row.session_id, row.reason) {
        (TOKEN, Some(token), None, None) => Who::Token(TokenId::from_uuid(token)),
        (PERSON, Some(user), Some(session), None) => {
            Who::Person { user: UserId::from_uuid(user), session: SessionId::from_uuid(session) }
        }
        (OPERATOR, None, None, None) => Who::Operator,
        (SERVICE, None, None, Some(reason)) => Who::Service(Cow::Owned(reason)),
        _ => return Err("svc_audit_records.actor"),
    };
    let seal = seal(row.seal_key, row.seal);
    Ok(Record {
        number: number(row.number).ok_or("svc_audit_records.number")?,
        entry: Entry {
            account: AccountId::from_uuid(row.account_id),
            at: Timestamp::from_unix_micros(row.occurred_at),
            actor: Actor {
                who,
                from: row.address.as_deref().map(address).transpose()?,
                request: row.request_id.map(RequestId::from_uuid),
            },
            action: row.action.parse().map_err(|_| "svc_audit_records.action")?,
            subject: row.subject,
            before: row.state_before.map(Details::from_stored),
            after: row.state_after.map(Details::from_stored),
        },
        seal: seal.ok_or("svc_audit_records.seal")?,
    })
}

/// An address in the one form that the service writes: others of the same address were not sealed.
fn address(text: &str) -> Result<IpAddr, &'static str> {
    let address = text.parse().ok().filter(|address: &IpAddr| address.to_string() == text);
    address.ok_or("svc_audit_records.address")
}

/// The newest record of a company, as the table of heads has it.
pub(super) fn read_head(row: &QueryResult) -> Result<Head, Unreadable> {
    let unreadable = |column| Unreadable { number: None, column };
    let kept = (row.try_get("", "number"), row.try_get("", "seal_key"), row.try_get("", "seal"));
    let (Ok(kept), Ok(key), Ok(code)) = kept else { return Err(unreadable("a column of svc_audit_heads")) };
    Ok(Head {
        number: number(kept).ok_or_else(|| unreadable("svc_audit_heads.number"))?,
        seal: seal(key, code).ok_or_else(|| unreadable("svc_audit_heads.seal"))?,
    })
}

fn seal(key: i64, code: Vec<u8>) -> Option<Seal> {
    Some(Seal { key: u32::try_from(key).ok()?, code: code.try_into().ok()? })
}

/// Numbers count from 1.
fn number(stored: i64) -> Option<u64> {
    u64::try_from(stored).ok().filter(|number| *number > 0)
}

/// A company does not come to 2^63 records.
pub(super) fn stored_number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
