//! Invoices under `kill -9`, see [`svc_benches::faults::numbers`]. Ends with 1 when a bound is broken.

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use svc_benches::faults::{Common, Engine, command, numbers, on};
use svc_testkit::postgres::Cluster;

/// Kills servers while invoices are issued and shows that every series has every number once.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// One server on SQLite, or two on PostgreSQL.
    #[arg(long, default_value = "sqlite")]
    engine: Engine,
    /// How many kills.
    #[arg(long, default_value_t = 50)]
    kills: usize,
    /// How many invoices at least.
    #[arg(long, default_value_t = 5_000)]
    invoices: usize,
    /// The longest wait before a kill, in milliseconds, beside that for invoices.
    #[arg(long, default_value_t = 200)]
    within: u64,
    /// Clients that write.
    #[arg(long, default_value_t = 16)]
    writers: u32,
}

pub(crate) fn start(Arguments { common, engine, kills, invoices, within, writers }: Arguments) -> ExitCode {
    let plan = numbers::Plan { kills, within: Duration::from_millis(within), writers, seed: common.seed };
    let server = common.server();
    let on_a_server =
        async |cluster: &Cluster| numbers::on_postgres(&server, &cluster.database(), plan, invoices).await;
    command(&common, on(engine, numbers::on_sqlite(&server, plan, invoices), on_a_server))
}
