//! What migrations refuse, and what they leave.

use sea_orm::{ConnectionTrait, DatabaseConnection};
use svc_core::clock::Timestamp;
use tempfile::TempDir;

use super::{postgres, sqlite};
use crate::migration::{self, MigrateError};

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

/// Writes down that these migrations were applied.
async fn remember(conn: &DatabaseConnection, names: &[&str]) {
    let table = "CREATE TABLE svc_migrations (name text NOT NULL PRIMARY KEY, applied_at bigint NOT NULL)";
    conn.execute_unprepared(table).await.expect("made");
    for name in names {
        let sql = format!("INSERT INTO svc_migrations (name, applied_at) VALUES ('{name}', 0)");
        conn.execute_unprepared(&sql).await.expect("added");
    }
}

#[tokio::test]
async fn a_new_database_gets_every_migration_once() {
    let (_folder, databases) = databases().await;
    for conn in databases {
        let pending = migration::pending(&conn).await.expect("read");
        assert_eq!(pending.first(), Some(&"0001_tables"));
        for name in pending {
            migration::apply(&conn, name, NOW).await.expect("applied");
        }
        assert!(migration::pending(&conn).await.expect("read").is_empty());
    }
}

#[tokio::test]
async fn a_database_of_before_the_first_release_is_refused() {
    let forms: [&[&str]; 3] =
        [&["0001_core"], &["0001_core", "0002_business"], &["0001_core", "0002_business", "0016_events"]];
    for form in forms {
        let (_folder, databases) = databases().await;
        for conn in databases {
            remember(&conn, form).await;
            let refused = migration::pending(&conn).await.expect_err("refused");
            assert!(matches!(refused, MigrateError::BeforeTheRelease), "{refused:?}");
            assert!(refused.to_string().contains("make a new database"), "{refused}");
        }
    }
}

#[tokio::test]
async fn a_newer_database_is_refused_by_the_name_that_is_not_known() {
    let (_folder, databases) = databases().await;
    for conn in databases {
        remember(&conn, &["0001_tables", "9999_future"]).await;
        let refused = migration::pending(&conn).await.expect_err("refused");
        assert!(matches!(&refused, MigrateError::Newer(name) if name == "9999_future"), "{refused:?}");
    }
}

#[tokio::test]
async fn tables_of_another_program_are_told_of_before_anything_is_changed() {
    let (_folder, databases) = databases().await;
    for conn in databases {
        for table in ["svc_events", "svc_tokens", "users"] {
            conn.execute_unprepared(&format!("CREATE TABLE {table} (own integer)")).await.expect("made");
        }
        let [first, ..] = migration::pending(&conn).await.expect("read")[..] else {
            panic!("none is pending")
        };
        let refused = migration::apply(&conn, first, NOW).await.expect_err("refused");
        assert!(matches!(&refused, MigrateError::Foreign(names) if *names == ["svc_events", "svc_tokens"]));
        assert!(!migration::has_table(&conn, "svc_migrations").await.expect("read"), "nothing was changed");
        assert!(!migration::has_table(&conn, "svc_outbox").await.expect("read"));
    }
}
