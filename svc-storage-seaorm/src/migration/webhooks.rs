//! Tables of subscriptions, the delivery log and the queue.

use sea_orm::DatabaseBackend;

use super::types::written;

/// Creates the tables.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    written(engine, STATEMENTS)
}

const STATEMENTS: &[&str] = &[
    // `secret` is sealed; `active_since` is null while no events are delivered.
    "CREATE TABLE subscriptions (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL,
        name text NOT NULL,
        url text NOT NULL,
        events text NOT NULL,
        secret {bytes} NOT NULL,
        active_since {big},
        created_by {uuid} NOT NULL,
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL
    ){strict}",
    "CREATE INDEX subscriptions_order ON subscriptions (account_id, created_at, id)",
    // The log. What changes with an attempt is in no index.
    "CREATE TABLE deliveries (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL,
        subscription_id {uuid} NOT NULL,
        event_id {uuid} NOT NULL,
        event_type text NOT NULL,
        automatic {bool} NOT NULL,
        attempts {small} NOT NULL,
        max_attempts {small} NOT NULL,
        status {small} NOT NULL CHECK (status BETWEEN 0 AND 3),
        next_attempt_at {big},
        ended_at {big},
        last_status_code {int},
        last_error text,
        last_duration_us {big},
        created_at {big} NOT NULL,
        CHECK ((status < 2) = (next_attempt_at IS NOT NULL)),
        CHECK ((status >= 2) = (ended_at IS NOT NULL))
    ){hot}",
    "CREATE INDEX deliveries_order ON deliveries (subscription_id, created_at DESC, id DESC)",
    "CREATE INDEX deliveries_age ON deliveries (created_at)",
    // Together these two find the deliveries of an event; the first also keeps them single.
    "CREATE UNIQUE INDEX deliveries_single ON deliveries (event_id, subscription_id) WHERE automatic",
    "CREATE INDEX deliveries_by_hand ON deliveries (event_id) WHERE NOT automatic",
    "CREATE TABLE delivery_attempts (
        delivery_id {uuid} NOT NULL,
        number {small} NOT NULL,
        started_at {big} NOT NULL,
        status_code {int},
        error text,
        duration_us {big} NOT NULL,
        PRIMARY KEY (delivery_id, number)
    ){strict}",
    // Small rows, one index: a claim rewrites the lease columns alone, which are in no index.
    "CREATE TABLE delivery_queue (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL,
        subscription_id {uuid} NOT NULL,
        event_id {uuid} NOT NULL,
        attempt {small} NOT NULL,
        due_at {big} NOT NULL,
        lease_until {big},
        lease_token {big},
        CHECK ((lease_until IS NULL) = (lease_token IS NULL))
    ){hot}",
    "CREATE INDEX delivery_queue_due ON delivery_queue (due_at)",
];
