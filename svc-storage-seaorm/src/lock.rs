//! Checks that must not run side by side.
//!
//! "No other active contact has this tax id" or "another holder is left" is a
//! read followed by a write. Two units of work could both pass the read and
//! then both write. So the check takes a lock that its unit keeps to its end.
//! On SQLite a unit becomes the one writer instead.

use sea_orm::{ConnectionTrait, DatabaseBackend, Statement};
use sha2::{Digest, Sha256};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId};
use svc_core::resource::Lock;
use uuid::Uuid;

use crate::error::backend;
use crate::statement::Sql;

/// Waits until no other unit of work is between the same check and its commit.
///
/// Outside a unit of work the lock ends with the statement: such a check is advice only.
pub(crate) async fn serialise(
    conn: &impl ConnectionTrait,
    check: &'static str,
    subject: &[&[u8]],
) -> Result<(), StoreError> {
    if conn.get_database_backend() != DatabaseBackend::Postgres {
        return become_the_writer(conn).await;
    }
    let sql = "SELECT pg_advisory_xact_lock($1)";
    let lock = Statement::from_sql_and_values(DatabaseBackend::Postgres, sql, [key(check, subject).into()]);
    conn.execute_raw(lock).await.map_err(backend).map(|_| ())
}

/// Locks a company until the unit of work ends, and then some of its records, in the order of their ids.
///
/// The lock of a record is one of its company: an id that a caller made up, or has of another company, holds up units
/// of the caller's company alone.
///
/// The triggers of the tables of records take the same lock for what is added, see the migrations.
pub(crate) async fn company(
    conn: &impl ConnectionTrait,
    company: AccountId,
    lock: Lock,
    records: &[(Uuid, Lock)],
) -> Result<(), StoreError> {
    if conn.get_database_backend() != DatabaseBackend::Postgres {
        return become_the_writer(conn).await;
    }
    let mut records = records.to_vec();
    records.sort_by_key(|(id, _)| *id);
    let take = |lock| match lock {
        Lock::Shared => "pg_advisory_xact_lock_shared(uuid_hash_extended(",
        Lock::Exclusive => "pg_advisory_xact_lock(uuid_hash_extended(",
    };
    let mut sql = Sql::new(conn, "SELECT ").text(take(lock)).bind(company.uuid()).text(", 0))");
    for (id, lock) in records {
        sql = sql.text(", ").text(take(lock)).bind(id).text(", uuid_hash_extended(");
        sql = sql.bind(company.uuid()).text(", 1)))");
    }
    sql.execute(conn).await.map(drop)
}

/// SQLite has one writer at a time: a unit that is the writer has locked everything.
async fn become_the_writer(conn: &impl ConnectionTrait) -> Result<(), StoreError> {
    conn.execute_unprepared("SELECT 1").await.map_err(backend).map(drop)
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
