//! What migrations refuse, and what they leave.

use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use svc_core::clock::Timestamp;
use tempfile::TempDir;

use super::{postgres, sqlite};
use crate::migration::{self, MigrateError};
use crate::schema::Schema;

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
        let every = [
            "core_0001",
            "webhooks_0001",
            "auth_0001",
            "business_0001",
            "books_0001",
            "assets_0001",
            "bank_0001",
            "sales_0001",
            "purchases_0001",
            "jobs_0001",
            "notices_0001",
            "tax_0001",
            "document_0001",
            "signature_0001",
            "data_room_0001",
            "webhooks_0002",
            "books_0002",
            "purchases_0002",
            "business_0002",
            "tax_0002",
            "bank_0002",
            "purchases_0003",
            "business_0003",
            "books_0003",
            "bank_0003",
            "business_0004",
            "business_0005",
        ];
        assert_eq!(migration::pending(&conn, &Schema::all()).await.expect("read"), every);
        assert_eq!(migration::apply(&conn, &Schema::all(), NOW).await.expect("applied"), every);
        assert!(migration::pending(&conn, &Schema::all()).await.expect("read").is_empty());
        assert!(migration::apply(&conn, &Schema::all(), NOW).await.expect("nothing to do").is_empty());
    }
}

#[tokio::test]
async fn a_database_of_before_the_first_release_is_refused() {
    let forms: [&[&str]; 4] = [
        &["0001_core"],
        &["0001_core", "0002_business"],
        &["0001_core", "0002_business", "0016_events"],
        &["0001_tables"],
    ];
    for form in forms {
        let (_folder, databases) = databases().await;
        for conn in databases {
            remember(&conn, form).await;
            let refused = migration::pending(&conn, &Schema::all()).await.expect_err("refused");
            assert!(matches!(refused, MigrateError::BeforeTheRelease), "{refused:?}");
            assert!(refused.to_string().contains("make a new database"), "{refused}");
        }
    }
}

#[tokio::test]
async fn a_newer_database_is_refused_by_the_name_that_is_not_known() {
    let (_folder, databases) = databases().await;
    for conn in databases {
        remember(&conn, &["core_0001", "9999_future"]).await;
        let refused = migration::pending(&conn, &Schema::all()).await.expect_err("refused");
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
        let refused = migration::apply(&conn, &Schema::all(), NOW).await.expect_err("refused");
        assert!(matches!(&refused, MigrateError::Foreign(names) if *names == ["svc_events", "svc_tokens"]));
        assert!(!migration::has_table(&conn, "svc_migrations").await.expect("read"), "nothing was changed");
        assert!(!migration::has_table(&conn, "svc_outbox").await.expect("read"));
        // Those that another part has do not matter.
        conn.execute_unprepared("DROP TABLE svc_events").await.expect("dropped");
        assert_eq!(
            migration::apply(&conn, &Schema::webhooks(), NOW).await.expect("applied"),
            ["core_0001", "webhooks_0001", "webhooks_0002"]
        );
    }
}

#[tokio::test]
async fn a_part_has_its_own_tables_alone_and_another_one_can_come_later() {
    let (_folder, databases) = databases().await;
    for conn in databases {
        migration::apply(&conn, &Schema::auth(), NOW).await.expect("applied");
        for (table, made) in [
            ("svc_tokens", true),
            ("svc_audit_records", true),
            ("svc_events", false),
            ("svc_accounts", false),
        ] {
            assert_eq!(migration::has_table(&conn, table).await.expect("read"), made, "{table}");
        }
        let both = Schema::auth().and(Schema::webhooks());
        let added = ["webhooks_0001", "webhooks_0002"];
        assert_eq!(migration::apply(&conn, &both, NOW).await.expect("applied"), added);
        assert!(migration::has_table(&conn, "svc_events").await.expect("read"));
    }
}

#[tokio::test]
async fn a_record_is_found_by_its_key_before_postgresql_has_statistics() {
    let Some(url) = svc_testkit::postgres::database() else { return };
    let conn = postgres(&url).await;
    migration::apply(&conn, &Schema::all(), NOW).await.expect("applied");
    conn.execute_unprepared("SET plan_cache_mode = force_generic_plan").await.expect("set");
    for table in [
        "svc_contacts",
        "svc_cases",
        "svc_bank_movements",
        "svc_journal_entries",
        "svc_sales_documents",
        "svc_supplier_documents",
        "svc_envelopes",
        "svc_files",
    ] {
        let find = format!(
            "PREPARE find_{table}(uuid, uuid) AS SELECT * FROM {table} WHERE company_id = $1 AND id = $2"
        );
        conn.execute_unprepared(&find).await.expect("prepared");
        let none = "'00000000-0000-0000-0000-000000000000'";
        let plan = Statement::from_string(
            conn.get_database_backend(),
            format!("EXPLAIN EXECUTE find_{table}({none}, {none})"),
        );
        let steps = conn.query_all_raw(plan).await.expect("a plan");
        let step: String = steps[0].try_get_by_index(0).expect("a step");
        assert!(step.contains(&format!("Index Scan using {table}_pkey")), "{step}");
    }
}
