//! Clients that hang up, see [`svc_benches::faults::client_disconnects`]. Ends with 1 when a bound is broken.

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use svc_benches::faults::{Common, Engine, client_disconnects, command, on};
use svc_testkit::postgres::Cluster;

/// Drops requests at random points and shows that no connection was spoilt.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// The database of the server.
    #[arg(long, default_value = "postgres")]
    engine: Engine,
    /// How many requests are dropped.
    #[arg(long, default_value_t = 20_000)]
    requests: u32,
    /// Seconds for which the rate is measured, each time.
    #[arg(long, default_value_t = 4)]
    measure: u64,
}

pub(crate) fn start(Arguments { common, engine, requests, measure }: Arguments) -> ExitCode {
    let plan =
        client_disconnects::Plan { requests, measure: Duration::from_secs(measure), seed: common.seed };
    let server = common.server();
    let on_a_server = async |cluster: &Cluster| {
        client_disconnects::on_postgres(&server, [(); 2].map(|()| cluster.database()), plan).await
    };
    command(&common, on(engine, client_disconnects::on_sqlite(&server, plan), on_a_server))
}
