//! Tables of events, the outbox and idempotent requests.

use sea_orm::DatabaseBackend;

use super::types::written;

/// Creates the tables.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    written(engine, STATEMENTS)
}

const STATEMENTS: &[&str] = &[
    // One sealed value: it tells a wrong master key.
    "CREATE TABLE svc_key_check (
        id {small} NOT NULL PRIMARY KEY,
        sealed {bytes} NOT NULL
    ){strict}",
    "CREATE TABLE events (
        id {uuid} NOT NULL PRIMARY KEY,
        type text NOT NULL,
        occurred_at {big} NOT NULL,
        account_id {uuid},
        object_id text NOT NULL,
        extras text NOT NULL,
        body {bytes} NOT NULL
    ){strict}",
    "CREATE INDEX events_age ON events (occurred_at)",
    // Ids of the same millisecond have no order among themselves; the position keeps the order in
    // which events were published.
    "CREATE TABLE outbox (
        position {counted},
        event_id {uuid} NOT NULL,
        CONSTRAINT outbox_event UNIQUE (event_id)
    ){hot}",
    // `status` is null while the request runs; `reply` is sealed.
    "CREATE TABLE idempotency (
        token_id {uuid} NOT NULL,
        key {key} NOT NULL,
        request_hash {bytes} NOT NULL,
        fence {big} NOT NULL,
        claimed_at {big} NOT NULL,
        status {small},
        reply {bytes},
        PRIMARY KEY (token_id, key),
        CHECK ((status IS NULL) = (reply IS NULL))
    ){strict}",
    "CREATE INDEX idempotency_age ON idempotency (claimed_at)",
];
