//! The short forms of the commands of svc-benches: what the service promises when something breaks.
//!
//! Bounds on time and speed are left to the commands: this machine may do other things.

use std::path::Path;
use std::time::Duration;

use svc_benches::faults::{Report, client_disconnects, expired_lease, kills, numbers, recovery};
use svc_benches::{endurance, rates, throughput};
use svc_testkit::postgres;

fn server() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_svc-server"))
}

#[track_caller]
fn assert_within_bounds(report: &Report) {
    report.print(false);
    assert!(report.faults().is_empty(), "{:#?}", report.faults());
}

const KILLS: kills::Plan = kills::Plan { kills: 3, within: Duration::from_secs(1), writers: 4, seed: 7 };

#[tokio::test(flavor = "multi_thread")]
async fn kills_under_load_lose_nothing_and_repeat_only_what_was_under_way() {
    assert_within_bounds(&kills::on_sqlite(server(), KILLS).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn kills_of_one_of_two_servers_lose_nothing_and_repeat_only_what_was_under_way() {
    let Some(url) = postgres::database() else { return };
    assert_within_bounds(&kills::on_postgres(server(), &url, kills::Plan { kills: 2, ..KILLS }).await);
}

const INVOICES: usize = 60;

#[tokio::test(flavor = "multi_thread")]
async fn kills_while_invoices_are_issued_leave_every_number_once() {
    assert_within_bounds(&numbers::on_sqlite(server(), KILLS, INVOICES).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn kills_of_one_of_two_servers_that_issue_leave_every_number_once() {
    let Some(url) = postgres::database() else { return };
    assert_within_bounds(
        &numbers::on_postgres(server(), &url, kills::Plan { kills: 2, ..KILLS }, INVOICES).await,
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_crashes_or_ends_its_sessions_loses_nothing_and_is_answered_with_503() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(cluster) = postgres::Cluster::start(folder.path(), "") else { return };
    let plan = recovery::Plan {
        faults: 1,
        writers: 8,
        every: Duration::from_millis(50),
        between: Duration::from_secs(1),
        seed: 7,
    };
    assert_within_bounds(&recovery::run(server(), cluster, plan).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_was_stopped_past_its_leases_changes_nothing_any_more() {
    let Some(url) = postgres::database() else { return };
    assert_within_bounds(&expired_lease::run(server(), &url, 2, 7).await);
}

const FEW: throughput::Plan =
    throughput::Plan { contacts: 100, requests: 60, clients: 8, rate: 50, span: Duration::from_millis(400) };

#[tokio::test(flavor = "multi_thread")]
async fn everything_arrives_at_any_pace() {
    assert_within_bounds(&throughput::on_sqlite(server(), FEW).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_arrives_at_any_pace_on_postgresql() {
    let Some(url) = postgres::database() else { return };
    assert_within_bounds(&throughput::on_postgres(server(), &url, None, FEW).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_arrives_while_the_memory_is_watched() {
    let plan = endurance::Plan { span: Duration::from_secs(1), subscriptions: 2, round: 100 };
    assert_within_bounds(&endurance::on_sqlite(server(), plan).await);
    let Some(url) = postgres::database() else { return };
    assert_within_bounds(&endurance::on_postgres(server(), &url, plan).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_are_written_issued_paid_and_approved_by_many_at_once() {
    let plan = rates::Plan { requests: 24, clients: 4 };
    assert_within_bounds(&rates::on_sqlite(server(), plan).await);
    let Some(url) = postgres::database() else { return };
    assert_within_bounds(&rates::on_postgres(server(), &url, None, plan).await);
}

const STORM: client_disconnects::Plan =
    client_disconnects::Plan { requests: 640, measure: Duration::from_millis(200), seed: 7 };

#[tokio::test(flavor = "multi_thread")]
async fn requests_dropped_anywhere_leave_every_connection_in_order() {
    assert_within_bounds(&client_disconnects::on_sqlite(server(), STORM).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_dropped_anywhere_leave_every_connection_in_order_on_postgresql() {
    let [Some(hit), Some(twin)] = [(); 2].map(|()| postgres::database()) else { return };
    assert_within_bounds(&client_disconnects::on_postgres(server(), [hit, twin], STORM).await);
}
