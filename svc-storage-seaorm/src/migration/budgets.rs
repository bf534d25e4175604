//! The table of the request budgets that several processes share.

use sea_orm::DatabaseBackend;

use super::types::written;

/// Creates the table.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    written(engine, STATEMENTS)
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
