//! The log of events is read, counted and skipped in indexes alone, and by object.

use sea_orm::DatabaseBackend;

use super::types::written;

/// Exchanges the index of the log of events.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    written(engine, STATEMENTS)
}

/// The log is always narrowed to types that this program knows, so the type is in each.
const STATEMENTS: &[&str] = &[
    "DROP INDEX events_log",
    "CREATE INDEX events_log ON events (account_id, id, type)",
    "CREATE INDEX events_object ON events (account_id, object_id, id, type)",
];
