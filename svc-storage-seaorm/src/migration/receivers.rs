//! What receivers get beside notifications: headers of their own, and a record of their health.

use sea_orm::DatabaseBackend;

use super::types::written;

/// Lets subscriptions add headers, and keeps how their receivers answer.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    written(engine, STATEMENTS)
}

const STATEMENTS: &[&str] = &[
    // Sealed; null when there are none.
    "ALTER TABLE subscriptions ADD COLUMN headers {bytes}",
    // Counted by half days: `half_day` is the number of the present one, `earlier_…` is of the one before.
    "CREATE TABLE subscription_health (
        subscription_id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL,
        half_day {big} NOT NULL,
        successes {big} NOT NULL,
        failures {big} NOT NULL,
        earlier_successes {big} NOT NULL,
        earlier_failures {big} NOT NULL,
        last_success_at {big},
        last_failure_at {big},
        last_error text,
        consecutive_failures {big} NOT NULL,
        asked_until {big}
    ){hot}",
];
