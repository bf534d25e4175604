//! Validator that must not run side by side.
//!
//! "No other active contact has this tax id" or "another holder is left" is a
//! read followed by a write. Two units of work could both pass the read and
//! then both write. So the check takes a lock that its unit keeps to its end.
//! SQLite needs none: a unit has the one writer from such a read on.

use sea_orm::{ConnectionTrait, DatabaseBackend, Statement};
use sha2::{Digest, Sha256};
use svc_core::error::StoreError;

use crate::error::backend;

/// Waits until no other unit of work is between the same check and its commit.
///
/// Outside a unit of work the lock ends with the statement: such a check is advice only.
pub(crate) async fn serialise(
    conn: &impl ConnectionTrait,
    check: &'static str,
    subject: &[&[u8]],
) -> Result<(), StoreError> {
    if conn.get_database_backend() != DatabaseBackend::Postgres {
        return Ok(());
    }
    let sql = "SELECT pg_advisory_xact_lock($1)";
    let lock = Statement::from_sql_and_values(DatabaseBackend::Postgres, sql, [key(check, subject).into()]);
    conn.execute_raw(lock).await.map_err(backend).map(|_| ())
}

/// Two subjects with the same key wait for each other without need: harmless, and rare at 64 bits.
fn key(check: &str, subject: &[&[u8]]) -> i64 {
    let mut hash = Sha256::new();
    hash.update(check.as_bytes());
    for part in subject {
        hash.update([0]);
        hash.update(part);
    }
    let digest = hash.finalize();
    digest.iter().take(8).fold(0_i64, |key, byte| (key << 8) | i64::from(*byte))
}
