//! How both engines look at a long queue: by the indexes, never at the whole of it.

use std::sync::Arc;

use sea_orm::{ConnectionTrait, DatabaseConnection, QueryResult, Statement};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, TypedId};
use svc_webhooks::ports::Count;
use uuid::Uuid;

use super::{fixture, keys};
use crate::postgres::{Pools, Server};
use crate::seal::Sealer;
use crate::settings::Settings;
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::webhooks::overview::{front, latest, longest_due, outbox, within};
use crate::webhooks::subscriptions::receivers_of;

const NOW: i64 = 1_738_314_900_000_000;

/// Every statement of a look, by its name.
fn statements(conn: &impl ConnectionTrait) -> [(&'static str, Sql); 6] {
    let sql = || Sql::new(conn, "");
    [
        ("the outbox", outbox(sql())),
        ("all that waits", front(sql(), NOW, false)),
        ("what is due", front(sql(), NOW, true)),
        ("the longest due", longest_due(sql(), NOW, 10)),
        ("one lane", within(sql(), Uuid::from_u128(1), false, NOW)),
        ("the latest deliveries", latest(sql())),
    ]
}

#[tokio::test]
async fn sqlite_looks_at_the_queue_by_its_lanes() {
    let fixture = fixture().await;
    for (name, sql) in statements(&fixture.store.conn) {
        let steps = fixture.plan(sql).await;
        let reads =
            |table: &str| steps.iter().filter(|step| step.contains(table)).cloned().collect::<Vec<_>>();
        for step in reads("queued").into_iter().chain(reads("svc_delivery_queue")) {
            assert!(
                step.starts_with("SEARCH")
                    && step.contains("INDEX svc_delivery_queue_lane (subscription_id=? AND <expr>=?"),
                "{name}: {steps:#?}"
            );
        }
        // Lanes and latest deliveries are read in the order of an index, so a limit ends the reading.
        for step in reads("svc_deliveries ").into_iter().chain(reads("lane USING")) {
            assert!(step.contains(" INDEX "), "{name}: {steps:#?}");
        }
        let sorted = reads("TEMP B-TREE FOR ORDER BY");
        assert!(sorted.is_empty() || name == "the longest due", "{name}: {steps:#?}");
    }
}

#[tokio::test]
async fn postgresql_looks_at_the_queue_by_its_lanes() {
    let Some(store) = postgres().await else { return };
    fill(&store.conn).await;
    for (name, sql) in statements(&store.conn) {
        let Statement { sql, values, db_backend } = sql.statement();
        let explain = Statement { sql: format!("EXPLAIN {sql}"), values, db_backend };
        let plan = steps(&store.conn.query_all_raw(explain).await.expect("a plan"));
        for table in ["svc_delivery_queue", "svc_outbox", "svc_deliveries", "svc_events"] {
            let scan = format!("Seq Scan on {table}");
            assert!(!plan.iter().any(|step| step.contains(&scan)), "{name}: {plan:#?}");
        }
        // A lane may be much longer than the planner takes it for: it is never read as a whole.
        let whole = plan.iter().any(|step| step.contains("Bitmap") && step.contains("svc_delivery_queue"));
        assert!(!whole, "{name}: {plan:#?}");
    }
    let depth = store.depth(Timestamp::from_unix_micros(NOW)).await.expect("read");
    assert_eq!([depth.events, depth.queued, depth.due].map(Count::is_exact), [false; 3]);
    // The planner's figures are as of the last look at the table, a moment ago.
    assert_eq!((depth.events.about(), depth.queued.about()), (50_000, 50_000));
    assert_eq!(depth.oldest_due, Some(Timestamp::from_unix_micros(NOW - 50_000)));
    store.conn.close().await.expect("closed");
}

#[tokio::test]
async fn postgresql_looks_receivers_up_by_their_company() {
    let Some(url) = svc_testkit::postgres::database() else { return };
    let conn = migrated(&url).await;
    for sql in [
        "INSERT INTO svc_subscriptions (id, account_id, name, url, events, secret, active_since, created_by, \
         version, created_at, updated_at) SELECT gen_random_uuid(), \
         CAST(lpad(to_hex(n % 50), 32, '0') AS uuid), '', '', '', '', 1, gen_random_uuid(), 1, n, n \
         FROM generate_series(1, 1140) AS n",
        "INSERT INTO svc_subscription_health SELECT id, account_id, 1, 1, 0, 0, 0, 1, NULL, NULL, 0 \
         FROM svc_subscriptions",
        "ANALYZE",
    ] {
        conn.execute_unprepared(sql).await.expect("a valid statement");
    }
    conn.close().await.expect("closed");
    let pools =
        Pools::open(&Server::of_url(&url).expect("a URL"), &Settings::new("", keys()), &Arc::default())
            .await
            .expect("opened");
    let companies = [1, 2, 3].map(|number| AccountId::from_uuid(Uuid::from_u128(number)));
    let array = format!("{{{}}}", companies.map(|company| company.uuid().to_string()).join(","));
    for (companies, value) in [(&companies[..1], companies[0].uuid().to_string()), (&companies, array)] {
        let receivers = receivers_of(Sql::new(&pools.fan_out, ""), companies).statement().sql;
        // Explained with its values it would have another plan than those that are kept have.
        let kept = format!("PREPARE of_{} AS {receivers}", companies.len());
        pools.fan_out.execute_unprepared(&kept).await.expect("prepared");
        let explain = Sql::new(&pools.fan_out, &format!("EXPLAIN EXECUTE of_{}('{value}')", companies.len()));
        let plan = steps(&explain.all(&pools.fan_out).await.expect("a plan"));
        for table in ["svc_subscriptions", "svc_subscription_health"] {
            let read = format!(" on {table}");
            let at = plan.iter().position(|step| step.contains(&read)).expect("it is read");
            let looked_up = plan.get(at + 1).is_some_and(|step| step.contains("Index Cond"));
            assert!(looked_up, "{} companies: {plan:#?}", companies.len());
        }
    }
}

fn steps(plan: &[QueryResult]) -> Vec<String> {
    plan.iter().map(|row| row.try_get_by_index(0).expect("a step")).collect()
}

/// A database with tables alone; `None` where there is no PostgreSQL, which the harness says on the console.
async fn postgres() -> Option<SeaStore<DatabaseConnection>> {
    let conn = migrated(&svc_testkit::postgres::database()?).await;
    Some(SeaStore::new(conn, Arc::new(Sealer::new(keys()))))
}

async fn migrated(url: &str) -> DatabaseConnection {
    let conn = super::postgres(url).await;
    let engine = conn.get_database_backend();
    for statement in crate::migration::every_statement(engine) {
        conn.execute_unprepared(&statement).await.expect("a valid statement");
    }
    conn
}

/// So many rows that a plan which reads all of them would be a bad one.
async fn fill(conn: &DatabaseConnection) {
    for sql in [
        "INSERT INTO svc_events SELECT gen_random_uuid(), 'contact.create', n, gen_random_uuid(), '', '' \
         FROM generate_series(1, 50000) AS n",
        "INSERT INTO svc_outbox (event_id) SELECT id FROM svc_events",
        "INSERT INTO svc_deliveries SELECT gen_random_uuid(), gen_random_uuid(), \
         CAST(lpad(to_hex(n % 100), 32, '0') AS uuid), gen_random_uuid(), 'contact.create', false, 0, 6, 0, \
         1738314900000000 - n, NULL, NULL, NULL, NULL, n FROM generate_series(1, 50000) AS n",
        "INSERT INTO svc_delivery_queue SELECT id, account_id, subscription_id, event_id, attempts, \
         next_attempt_at FROM svc_deliveries",
        "INSERT INTO svc_delivery_lanes SELECT subscription_id, false, min(due_at) FROM svc_delivery_queue \
         GROUP BY subscription_id",
        "ANALYZE",
    ] {
        conn.execute_unprepared(sql).await.expect("a valid statement");
    }
}
