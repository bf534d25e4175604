//! Tables of the audit log.

use sea_orm::DatabaseBackend;

use super::types::written;

/// Creates the tables.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    written(engine, STATEMENTS)
}

const STATEMENTS: &[&str] = &[
    // Rows are only ever added. The log outlives what it tells of, so it refers to no other table.
    "CREATE TABLE svc_audit_records (
        account_id {uuid} NOT NULL,
        number {big} NOT NULL CHECK (number > 0),
        occurred_at {big} NOT NULL,
        actor {small} NOT NULL CHECK (actor BETWEEN 0 AND 3),
        actor_id {uuid},
        session_id {uuid},
        reason text,
        address text,
        request_id {uuid},
        action text NOT NULL,
        subject {key} NOT NULL,
        state_before text,
        state_after text,
        seal_key {big} NOT NULL,
        seal {bytes} NOT NULL,
        PRIMARY KEY (account_id, number)
    ){strict}",
    // A page of numbers, and a count, are read from this index alone, whatever the filter.
    "CREATE INDEX svc_audit_records_order ON svc_audit_records (account_id, occurred_at, number, action, subject)",
    // The newest record of each company: the unit that appends holds the row.
    "CREATE TABLE svc_audit_heads (
        account_id {uuid} NOT NULL PRIMARY KEY,
        number {big} NOT NULL,
        seal_key {big} NOT NULL,
        seal {bytes} NOT NULL
    ){hot}",
];
