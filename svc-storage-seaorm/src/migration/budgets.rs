//! The table of the request budgets that several processes share.

use sea_orm::DatabaseBackend;

use super::types::written;

/// Creates the table.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    written(engine, STATEMENTS)
}

const STATEMENTS: &[&str] = &[
    // The latest minutes and months of each company with what was drawn in them, see `auth::budgets`.
    "CREATE TABLE svc_request_budgets (
        account_id {uuid} NOT NULL PRIMARY KEY,
        minutes text NOT NULL DEFAULT '',
        months text NOT NULL DEFAULT ''
    ){hot}",
];
