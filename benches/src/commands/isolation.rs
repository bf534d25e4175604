//! What hostile receivers cost the healthy ones, see [`svc_benches::isolation`]. Ends with 1 when a bound is broken.

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use svc_benches::faults::{Common, Engine, cluster, command};
use svc_benches::isolation::{Plan, on_postgres, on_sqlite};

/// Measures how soon 1,000 healthy receivers are told, with and without hostile ones.
#[derive(Args)]
pub(crate) struct Arguments {
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
}

/// What PostgreSQL does by itself now and then would be in whichever phase it is: a checkpoint every five
/// minutes, after which each page is written down whole when it first changes, and every minute a look at dead
/// rows, which the proof removes before each phase.
const NOTHING_BY_ITSELF: &str = "-c checkpoint_timeout=1h -c max_wal_size=16GB -c autovacuum=off";

pub(crate) fn start(
    Arguments { common, engine, rounds, seconds, rate, hostile, waits }: Arguments,
) -> ExitCode {
    let plan = Plan { rounds, span: Duration::from_secs(seconds), rate, hostile, waits };
    let server = common.server();
    let proof = async {
        match engine {
            Engine::Sqlite => on_sqlite(&server, plan).await,
            Engine::Postgres => on_postgres(&server, &cluster(NOTHING_BY_ITSELF).database(), plan).await,
        }
    };
    command(&common, proof)
}
