//! Deliveries a second, what they cost and how soon they come, see [`svc_benches::throughput`]. Ends with 1 when one
//! is lost.

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use svc_benches::faults::{Common, Engine, command, on};
use svc_benches::throughput::{Plan, on_postgres, on_sqlite};
use svc_testkit::postgres::Cluster;

const EXAMPLE: &str = "\
Examples, with a server built before:
  cargo run --release -p svc-benches -- throughput --engine postgres --requests 6000
  cargo run --release -p svc-benches -- throughput --contacts 1000000

Prints the ratio of real to bare requests and whether it reaches the floor of 0.7.
A lost delivery alone ends the command with 1.";

/// Measures deliveries from the request that causes them until they arrive, with bare and with real requests.
#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// The database of the server.
    #[arg(long, default_value = "sqlite")]
    engine: Engine,
    /// Contacts that the company has before, and a tenth as many cases.
    #[arg(long, default_value_t = 0)]
    contacts: u32,
    /// Requests of each mix for one subscription; a third as many for ten.
    #[arg(long, default_value_t = 30_000)]
    requests: u32,
    /// Clients at a time.
    #[arg(long, default_value_t = 64)]
    clients: usize,
    /// Requests of each mix a second when there is little to do.
    #[arg(long, default_value_t = 100)]
    rate: u32,
    /// For so many seconds.
    #[arg(long, default_value_t = 15)]
    seconds: u64,
}

pub(crate) fn start(
    Arguments { common, engine, contacts, requests, clients, rate, seconds }: Arguments,
) -> ExitCode {
    let plan = Plan { contacts, requests, clients, rate, span: Duration::from_secs(seconds) };
    let server = common.server();
    let on_a_server = async |cluster: &Cluster| {
        on_postgres(&server, &cluster.database(), Some(cluster.process()), plan).await
    };
    command(&common, on(engine, on_sqlite(&server, plan), on_a_server))
}
