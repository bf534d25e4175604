//! The table of attempts.
//!
//! The usual attempt is a success over an open connection: its columns below `number` are all null.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use sea_orm::{DbErr, QueryResult, Value};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{DeliveryId, TypedId};
use svc_webhooks::delivery::Attempt;
use svc_webhooks::ports::{Answer, AnswerHeaders, ErrorClass, Timings};
use uuid::Uuid;

use super::delivery::{micros, outcome};
use crate::error::backend;
use crate::value::broken;

/// Whether the log is read with what receivers wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answers {
    /// With headers and body.
    Whole,
    /// Without.
    LeftOut,
}

/// How many columns [`values`] fills.
const WIDTH: usize = 15;

/// The columns that [`values`] fills, in their order: those without an answer's text, then those with it.
pub(super) const COLUMNS: &str = "delivery_id, number, started_at, status_code, error, duration_us, \
     first_byte_us, error_class, dns_us, connect_us, tls_us, peer, truncated, answer_headers, answer_body";

/// The columns that [`read`] reads where the log is read without answers.
pub(super) const WITHOUT_ANSWERS: &str = "delivery_id, number, started_at, status_code, error, duration_us, \
     first_byte_us, error_class, dns_us, connect_us, tls_us, peer";

/// The row of an attempt as values for a statement.
pub(super) fn values(delivery: DeliveryId, attempt: &Attempt) -> [Value; WIDTH] {
    let Attempt { number, at, outcome, error_class, timings, peer, answer } = attempt;
    let kept = answer.as_ref().filter(|answer| !answer.body.is_empty());
    let headers = answer.as_ref().map(|answer| &answer.headers).filter(|headers| !headers.is_empty());
    [
        delivery.uuid().into(),
        i16::from(*number).into(),
        at.unix_micros().into(),
        outcome.status_code.map(i32::from).into(),
        outcome.error.clone().into(),
        micros(outcome.duration).into(),
        timings.first_byte.map(short).into(),
        error_class.map(code).into(),
        timings.dns.map(short).into(),
        timings.connect.map(short).into(),
        timings.tls.map(short).into(),
        peer.map(address).into(),
        kept.filter(|answer| answer.truncated).map(|_| true).into(),
        headers.map(|headers| headers.clone().into_bytes()).into(),
        kept.map(|answer| answer.body.to_vec()).into(),
    ]
}

/// The attempt of a row, and the delivery that it belongs to.
pub(super) fn read(row: &QueryResult, answers: Answers) -> Result<(Uuid, Attempt), StoreError> {
    let columns = || -> Result<_, DbErr> {
        let outcome = (row.try_get_by_index(3)?, row.try_get_by_index(4)?, row.try_get_by_index(5)?);
        let steps: [Option<i32>; 4] = [
            row.try_get_by_index(8)?,
            row.try_get_by_index(9)?,
            row.try_get_by_index(10)?,
            row.try_get_by_index(6)?,
        ];
        let told: (Option<i16>, Option<Vec<u8>>) = (row.try_get_by_index(7)?, row.try_get_by_index(11)?);
        Ok((
            row.try_get_by_index(0)?,
            row.try_get_by_index::<i16>(1)?,
            row.try_get_by_index(2)?,
            outcome,
            steps,
            told,
        ))
    };
    let (delivery, number, at, (status_code, error, duration), steps, (class, peer)) =
        columns().map_err(backend)?;
    let outcome = outcome(status_code, error, duration)?;
    let [dns, connect, tls, first_byte] = steps.map(long);
    let answer = match (answers, outcome.status_code) {
        (Answers::Whole, Some(status)) => Some(answer(status, row)?),
        (Answers::Whole, None) | (Answers::LeftOut, _) => None,
    };
    let attempt = Attempt {
        number: u8::try_from(number).map_err(|_| broken("delivery_attempts.number"))?,
        at: Timestamp::from_unix_micros(at),
        error_class: class.map(class_of).transpose()?,
        timings: Timings { dns, connect, tls, first_byte, total: outcome.duration },
        peer: peer.map(|peer| address_of(&peer)).transpose()?,
        answer,
        outcome,
    };
    Ok((delivery, attempt))
}

/// What follows [`WITHOUT_ANSWERS`] in [`COLUMNS`].
fn answer(status: u16, row: &QueryResult) -> Result<Answer, StoreError> {
    let bytes = |column| row.try_get_by_index::<Option<Vec<u8>>>(column).map_err(backend);
    let truncated: Option<bool> = row.try_get_by_index(12).map_err(backend)?;
    let (headers, body) = (bytes(13)?, bytes(14)?);
    let headers = AnswerHeaders::from_bytes(&headers.unwrap_or_default());
    Ok(Answer {
        status,
        headers: headers.ok_or_else(|| broken("delivery_attempts.answer_headers"))?,
        body: body.unwrap_or_default().into(),
        truncated: truncated.unwrap_or(false),
    })
}

/// The number that a class is stored as.
const fn code(class: ErrorClass) -> i16 {
    match class {
        ErrorClass::Dns => 1,
        ErrorClass::Refused => 2,
        ErrorClass::Connect => 3,
        ErrorClass::Tls => 4,
        ErrorClass::Timeout => 5,
        ErrorClass::Status => 6,
        ErrorClass::Redirect => 7,
        ErrorClass::Body => 8,
    }
}

fn class_of(stored: i16) -> Result<ErrorClass, StoreError> {
    let class = ErrorClass::ALL.into_iter().find(|class| code(*class) == stored);
    class.ok_or_else(|| broken("delivery_attempts.error_class"))
}

/// The octets of the address, then those of the port.
fn address(peer: SocketAddr) -> Vec<u8> {
    let mut bytes = match peer.ip() {
        IpAddr::V4(address) => address.octets().to_vec(),
        IpAddr::V6(address) => address.octets().to_vec(),
    };
    bytes.extend(peer.port().to_be_bytes());
    bytes
}

fn address_of(bytes: &[u8]) -> Result<SocketAddr, StoreError> {
    let read = || {
        let (address, port) = bytes.split_last_chunk::<2>()?;
        let address = match <[u8; 4]>::try_from(address) {
            Ok(octets) => IpAddr::from(octets),
            Err(_) => IpAddr::from(<[u8; 16]>::try_from(address).ok()?),
        };
        Some(SocketAddr::new(address, u16::from_be_bytes(*port)))
    };
    read().ok_or_else(|| broken("delivery_attempts.peer"))
}

/// Microseconds of a step; half an hour and more is as long as can be.
fn short(step: Duration) -> i32 {
    i32::try_from(step.as_micros()).unwrap_or(i32::MAX)
}

fn long(stored: Option<i32>) -> Option<Duration> {
    stored.map(|step| Duration::from_micros(u64::try_from(step).unwrap_or(0)))
}
