//! Who invited a member, and by which address.

use sea_orm::DatabaseBackend;

use super::types::written;

/// Adds the columns.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    written(engine, STATEMENTS)
}

const STATEMENTS: &[&str] = &[
    // Nobody for those whom the operator added, which is everybody until now.
    "ALTER TABLE memberships ADD COLUMN invited_by {uuid} REFERENCES users (id)",
    "ALTER TABLE memberships ADD COLUMN invited_email text",
];
