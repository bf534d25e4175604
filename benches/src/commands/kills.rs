//! `kill -9` under load, see [`svc_benches::faults::kills`]. Ends with 1 when a bound is broken.

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use svc_benches::faults::{Common, Engine, command, kills, on};
use svc_testkit::postgres::Cluster;

/// Kills servers under load and shows that nothing acknowledged is lost.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// One server on SQLite, or two on PostgreSQL.
    #[arg(long, default_value = "sqlite")]
    engine: Engine,
    /// How many kills.
    #[arg(long, default_value_t = 200)]
    kills: usize,
    /// The longest time between two of them, in milliseconds. Servers look for jobs two seconds after their start.
    #[arg(long, default_value_t = 4_000)]
    within: u64,
    /// Clients that write.
    #[arg(long, default_value_t = 8)]
    writers: u32,
}

pub(crate) fn start(Arguments { common, engine, kills, within, writers }: Arguments) -> ExitCode {
    let plan = kills::Plan { kills, within: Duration::from_millis(within), writers, seed: common.seed };
    let server = common.server();
    let on_a_server = async |cluster: &Cluster| kills::on_postgres(&server, &cluster.database(), plan).await;
    command(&common, on(engine, kills::on_sqlite(&server, plan), on_a_server))
}
