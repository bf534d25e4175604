//! What migrations carry over.

use sea_orm::{ConnectionTrait, DatabaseBackend, DatabaseConnection, Statement};
use svc_core::clock::Timestamp;
use tempfile::TempDir;

use super::{postgres, sqlite};
use crate::migration;

/// The migration that divides attempts by days, and everything before it.
const LOG: &str = "0011_log";

const NOW: Timestamp = Timestamp::from_unix_seconds(1_738_314_900);

/// Empty databases of both engines.
async fn databases() -> (TempDir, Vec<DatabaseConnection>) {
    let (conn, folder) = sqlite().await;
    let mut databases = vec![conn];
    if let Some(url) = svc_testkit::postgres::database() {
        databases.push(postgres(&url).await);
    }
    (folder, databases)
}

async fn number(conn: &DatabaseConnection, sql: &str) -> i64 {
    let statement = Statement::from_string(conn.get_database_backend(), sql);
    let row = conn.query_one_raw(statement).await.expect("a query").expect("a row");
    row.try_get_by_index(0).expect("a number")
}

/// An attempt as the version before wrote it, of a delivery made in this millisecond.
async fn add_attempt(conn: &DatabaseConnection, millis: i64) {
    let digits = format!("{millis:012x}70008000000000000001");
    let id = if conn.get_database_backend() == DatabaseBackend::Postgres {
        format!("CAST('{digits}' AS uuid)")
    } else {
        format!("x'{digits}'")
    };
    let sql = format!(
        "INSERT INTO delivery_attempts (delivery_id, number, started_at, status_code, error, duration_us) \
         VALUES ({id}, 1, {}, 500, 'answered 500', 42)",
        millis * 1_000
    );
    conn.execute_unprepared(&sql).await.expect("added");
}

#[tokio::test]
async fn attempts_of_the_version_before_stay_in_the_log() {
    let (_folder, databases) = databases().await;
    for conn in databases {
        let all = migration::pending(&conn).await.expect("read");
        for name in all.iter().take_while(|name| **name != LOG) {
            migration::apply(&conn, name, NOW).await.expect("applied");
        }
        let today = NOW.unix_micros() / 1_000;
        // The last one is by a clock that is centuries ahead.
        for millis in [today - 40 * 86_400_000, today, today * 9] {
            add_attempt(&conn, millis).await;
        }

        migration::apply(&conn, LOG, NOW).await.expect("applied");

        assert_eq!(number(&conn, "SELECT count(*) FROM delivery_attempts WHERE duration_us = 42").await, 3);
        if conn.get_database_backend() == DatabaseBackend::Postgres {
            assert_eq!(number(&conn, "SELECT count(*) FROM delivery_attempts_before").await, 2);
            assert_eq!(number(&conn, "SELECT count(*) FROM delivery_attempts_rest").await, 1);
        }
        // And the next one finds its place.
        add_attempt(&conn, today + 1).await;
        assert_eq!(number(&conn, "SELECT count(*) FROM delivery_attempts").await, 4);
    }
}

#[tokio::test]
async fn a_new_database_has_no_part_for_what_was_before() {
    let (_folder, databases) = databases().await;
    for conn in databases {
        for name in migration::pending(&conn).await.expect("read") {
            migration::apply(&conn, name, NOW).await.expect("applied");
        }
        assert!(!migration::has_table(&conn, "delivery_attempts_before").await.expect("read"));
        assert_eq!(number(&conn, "SELECT count(*) FROM delivery_attempts").await, 0);
    }
}
