//! The table of the request budgets that several processes share.

use sea_orm::DatabaseBackend;

use super::types::written;

/// Creates the table.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    written(engine, STATEMENTS)
}

/// Keeps the latest minutes and months of each company rather than one, see `auth::budgets`.
pub(crate) fn windows(engine: DatabaseBackend) -> Vec<String> {
    written(engine, WINDOWS)
}

const STATEMENTS: &[&str] = &[
    // `minute` and `month` are the first instants of the windows that the counts are of.
    "CREATE TABLE request_budgets (
        account_id {uuid} NOT NULL PRIMARY KEY,
        minute {big} NOT NULL,
        minute_used {big} NOT NULL,
        month {big} NOT NULL,
        month_used {big} NOT NULL
    ){hot}",
];

const WINDOWS: &[&str] = &[
    "ALTER TABLE request_budgets ADD COLUMN minutes text NOT NULL DEFAULT ''",
    "ALTER TABLE request_budgets ADD COLUMN months text NOT NULL DEFAULT ''",
    "UPDATE request_budgets SET
        minutes = CAST(minute / 1000000 AS text) || ':' || CAST(minute_used AS text),
        months = CAST(month / 1000000 AS text) || ':' || CAST(month_used AS text)",
    "ALTER TABLE request_budgets DROP COLUMN minute",
    "ALTER TABLE request_budgets DROP COLUMN minute_used",
    "ALTER TABLE request_budgets DROP COLUMN month",
    "ALTER TABLE request_budgets DROP COLUMN month_used",
];
