//! The jobs that send again, and the order in which they and the log of events read events.

use sea_orm::DatabaseBackend;

use super::types::written;

/// Creates the table of replays and the index of the log of events.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    written(engine, STATEMENTS)
}

const STATEMENTS: &[&str] = &[
    // `source` and `types` are JSON. `due_at` is null once it has ended; the place is that of an event
    // (an id alone) or of a delivery (the instant at which it was made, and its id).
    "CREATE TABLE replays (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL,
        subscription_id {uuid} NOT NULL,
        source text NOT NULL,
        types text NOT NULL,
        from_at {big},
        until_at {big} NOT NULL,
        asked_at {big} NOT NULL,
        matched {big} NOT NULL,
        sent {big} NOT NULL,
        status {small} NOT NULL CHECK (status BETWEEN 0 AND 3),
        place_at {big},
        place_id {uuid},
        due_at {big},
        ended_at {big},
        version {big} NOT NULL,
        CHECK ((status = 0) = (due_at IS NOT NULL)),
        CHECK ((status = 0) = (ended_at IS NULL))
    ){strict}",
    "CREATE INDEX replays_due ON replays (due_at, id) WHERE due_at IS NOT NULL",
    "CREATE INDEX replays_order ON replays (subscription_id, asked_at DESC, id DESC)",
    "CREATE INDEX replays_age ON replays (ended_at) WHERE ended_at IS NOT NULL",
    // Ids are made in time order, so this is the order of time as well.
    "CREATE INDEX IF NOT EXISTS events_log ON events (account_id, id)",
];
