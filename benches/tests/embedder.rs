//! The proof of the command `embedder` in a short form.

use std::path::Path;
use std::time::Duration;

use svc_benches::faults::Engine;
use svc_benches::faults::embedder::{Plan, run};

const PLAN: Plan = Plan { kills: 4, within: Duration::from_millis(100), seed: 7 };

async fn assert_within_bounds(engine: Engine, url: &str) {
    let report = run(Path::new(env!("CARGO_BIN_EXE_svc-benches")), engine, url, PLAN).await;
    report.print(false);
    assert!(report.faults().is_empty(), "{:?}", report.faults());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_commits_is_told_and_nothing_else_on_sqlite() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let url = format!("sqlite://{}?mode=rwc", folder.path().join("shop.db").display());
    assert_within_bounds(Engine::Sqlite, &url).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_commits_is_told_and_nothing_else_on_postgres() {
    let Some(url) = svc_testkit::postgres::database() else { return };
    assert_within_bounds(Engine::Postgres, &url).await;
}
