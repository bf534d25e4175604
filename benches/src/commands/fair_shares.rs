//! What a loud company costs a quiet one, see [`svc_benches::fair_shares`]. Ends with 1 when a bound is broken.

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use svc_benches::fair_shares::{Plan, run};
use svc_benches::faults::{Common, Engine, command, on};
use svc_testkit::postgres::Cluster;

/// Measures how soon a quiet company's receivers are told while another one has tens of thousands of deliveries.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// The database of the server.
    #[arg(long, default_value = "sqlite")]
    engine: Engine,
    /// Rounds of two phases.
    #[arg(long, default_value_t = 4)]
    rounds: usize,
    /// Seconds of each phase.
    #[arg(long, default_value_t = 6)]
    seconds: u64,
    /// Deliveries of the loud company in each round.
    #[arg(long, default_value_t = 60_000)]
    deliveries: usize,
}

pub(crate) fn start(Arguments { common, engine, rounds, seconds, deliveries }: Arguments) -> ExitCode {
    let plan = Plan { rounds, span: Duration::from_secs(seconds), deliveries };
    let server = common.server();
    let on_a_server = async |cluster: &Cluster| run(engine, &server, Some(&cluster.database()), plan).await;
    command(&common, on(engine, run(engine, &server, None, plan), on_a_server))
}
