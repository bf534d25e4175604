//! Reads of SQLite that would go on for ever.

use std::sync::Arc;
use std::time::Duration;

use sea_orm::{ConnectionTrait, DbBackend, Statement};
use svc_core::error::StoreError;
use tempfile::TempDir;

use super::sqlite;
use crate::error::backend;
use crate::readers::Readers;
use crate::sqlite::timed::TimedConnections;

/// The one reader of a file.
async fn reader(longest: Duration) -> (Readers, TempDir) {
    let (conn, folder) = sqlite().await;
    let connections = TimedConnections::new(vec![conn], longest).await.expect("timed");
    (Readers::Timed(Arc::new(connections)), folder)
}

fn endless() -> Statement {
    let sql = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers) SELECT max(n) FROM numbers";
    Statement::from_string(DbBackend::Sqlite, sql)
}

async fn answers(reader: &Readers) {
    let read = reader.query_one_raw(Statement::from_string(DbBackend::Sqlite, "SELECT 1"));
    let row = tokio::time::timeout(Duration::from_secs(20), read).await.expect("the connection is free");
    assert_eq!(row.expect("read").expect("a row").try_get_by_index::<i32>(0).expect("a number"), 1);
}

#[tokio::test]
async fn a_statement_that_takes_too_long_is_ended_and_the_connection_goes_on() {
    let (reader, _folder) = reader(Duration::from_millis(50)).await;
    for _ in 0..3 {
        let ended = reader.query_all_raw(endless()).await.expect_err("it never ends by itself");
        assert!(matches!(backend(ended), StoreError::Busy));
        answers(&reader).await;
    }
}

#[tokio::test]
async fn a_statement_whose_caller_goes_away_ends_with_it() {
    let (reader, _folder) = reader(Duration::from_hours(1)).await;
    for _ in 0..3 {
        let read = tokio::time::timeout(Duration::from_millis(50), reader.query_all_raw(endless()));
        assert!(read.await.is_err(), "it never ends by itself");
        answers(&reader).await;
    }
    reader.close().await.expect("closed");
}
