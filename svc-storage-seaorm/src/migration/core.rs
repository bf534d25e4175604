//! Tables of idempotent requests, and the value that tells a wrong master key.

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
