//! What hostile receivers cost the healthy ones, see [`svc_benches::isolation`]. Ends with 1 when a bound is broken.

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use svc_benches::faults::{Common, Engine, command, on};
use svc_benches::isolation::{PLAY, Plan, on_postgres, on_sqlite, play};
use svc_testkit::postgres::Cluster;

/// Measures how soon 1,000 healthy receivers are told, with and without hostile ones.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    common: Common,
    /// The database of the server.
    #[arg(long, default_value = "sqlite")]
    engine: Engine,
    /// Rounds of three phases.
    #[arg(long, default_value_t = 6)]
    rounds: usize,
    /// Seconds of each phase.
    #[arg(long, default_value_t = 15)]
    seconds: u64,
    /// Contacts a second; each makes 20 healthy deliveries.
    #[arg(long, default_value_t = 60)]
    rate: u32,
    /// Hostile receivers at a time.
    #[arg(long, default_value_t = 20)]
    hostile: usize,
    /// The waits between attempts; shorter ones make the hostile receivers busier.
    #[arg(long, default_value = "2s,2s,2s,2s,2s")]
    waits: String,
    /// Only plays the hostile receivers: the proof starts itself once more so.
    #[arg(long = PLAY, hide = true)]
    play: bool,
}

fn main() -> ExitCode {
    let Arguments { common, engine, rounds, seconds, rate, hostile, waits, play: plays } = Arguments::parse();
    if plays {
        play();
        return ExitCode::SUCCESS;
    }
    let plan = Plan { rounds, span: Duration::from_secs(seconds), rate, hostile, waits };
    let server = common.server();
    let on_a_server = async |cluster: &Cluster| on_postgres(&server, &cluster.database(), plan.clone()).await;
    command(&common, on(engine, on_sqlite(&server, plan.clone()), on_a_server))
}
