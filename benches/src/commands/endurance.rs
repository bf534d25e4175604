//! The memory of the server under full load, see [`svc_benches::endurance`]. Ends with 1 when it grows, or a delivery
//! is lost.

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use svc_benches::endurance::{Plan, on_postgres, on_sqlite};
use svc_benches::faults::{Common, Engine, command, on};
use svc_testkit::postgres::Cluster;

const EXAMPLE: &str = "\
Example, a short run on PostgreSQL, with a server built before:
  cargo run --release -p svc-benches -- endurance --engine postgres --minutes 5

An hour writes some gigabytes to the folder for temporary files.";

/// Measures what the server holds in memory under full load for an hour.
#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// The database of the server.
    #[arg(long, default_value = "sqlite")]
    engine: Engine,
    /// How long.
    #[arg(long, default_value_t = 60)]
    minutes: u64,
    /// Subscriptions that are told of each request.
    #[arg(long, default_value_t = 10)]
    subscriptions: u16,
}

/// Some seconds under full load.
const ROUND: u32 = 10_000;

pub(crate) fn start(Arguments { common, engine, minutes, subscriptions }: Arguments) -> ExitCode {
    let plan = Plan { span: Duration::from_mins(minutes), subscriptions, round: ROUND };
    let server = common.server();
    let on_a_server = async |cluster: &Cluster| on_postgres(&server, &cluster.database(), plan).await;
    command(&common, on(engine, on_sqlite(&server, plan), on_a_server))
}
