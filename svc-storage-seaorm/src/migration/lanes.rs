//! Lanes of the queue: two for each subscription that has something waiting.

use sea_orm::DatabaseBackend;

use super::types::written;

/// Creates the lanes, puts what waits into them, and lets subscriptions choose how much is under way.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    written(engine, STATEMENTS)
}

const STATEMENTS: &[&str] = &[
    // `due_at` is never later than the first delivery of the lane can be claimed; null when none waits.
    "CREATE TABLE delivery_lanes (
        subscription_id {uuid} NOT NULL,
        retry {bool} NOT NULL,
        due_at {big},
        PRIMARY KEY (subscription_id, retry)
    ){hot}",
    "CREATE INDEX delivery_lanes_due ON delivery_lanes (due_at) WHERE due_at IS NOT NULL",
    "INSERT INTO delivery_lanes (subscription_id, retry, due_at)
        SELECT subscription_id, attempt > 0, min(due_at) FROM delivery_queue GROUP BY subscription_id, attempt > 0",
    "CREATE INDEX delivery_queue_lane ON delivery_queue (subscription_id, (attempt > 0), due_at)",
    "DROP INDEX delivery_queue_due",
    "ALTER TABLE subscriptions ADD COLUMN in_flight {small} NOT NULL DEFAULT 32",
];
