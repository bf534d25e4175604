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
    "CREATE TABLE svc_events (
        id {uuid} NOT NULL PRIMARY KEY,
        type text NOT NULL,
        occurred_at {big} NOT NULL,
        account_id {uuid},
        object_id text NOT NULL,
        body {bytes} NOT NULL
    ){strict}",
    // Ids begin with the instant at which they were made: what is old is at the front of the primary key, and
    // the order of ids is that of time. The log of events is read, counted and skipped in indexes alone, always
    // narrowed to types, so the type is in each.
    "CREATE INDEX svc_events_log ON svc_events (account_id, id, type)",
    "CREATE INDEX svc_events_object ON svc_events (account_id, object_id, id, type)",
    // Ids of the same millisecond have no order among themselves; the position keeps the order in
    // which events were published.
    "CREATE TABLE svc_outbox (
        position {counted},
        event_id {uuid} NOT NULL,
        CONSTRAINT svc_outbox_event UNIQUE (event_id)
    ){hot}",
    // `status` is null while the request runs; `reply` is sealed.
    "CREATE TABLE svc_idempotency (
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
    "CREATE INDEX svc_idempotency_age ON svc_idempotency (claimed_at)",
];
