//! What a silent and a dripping receiver cost healthy ones in a service that embeds the worker, see
//! [`svc_benches::worker_isolation`]. Ends with 1 when a bound is broken.

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use svc_benches::faults::{Engine, cluster};
use svc_benches::worker_isolation::{Plan, run};

/// Measures how soon 50 healthy receivers are told, with and without two that never answer.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The database of the service.
    #[arg(long, default_value = "sqlite")]
    engine: Engine,
    /// Phases of each kind.
    #[arg(long, default_value_t = 8)]
    rounds: usize,
    /// Seconds of each phase.
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Orders a second; each makes 10 healthy deliveries.
    #[arg(long, default_value_t = 50)]
    rate: u32,
    /// Prints the figures as a line of JSON.
    #[arg(long)]
    json: bool,
}

/// What PostgreSQL does by itself now and then would be in whichever phase it is.
const NOTHING_BY_ITSELF: &str = "-c checkpoint_timeout=1h -c max_wal_size=16GB -c autovacuum=off";

#[tokio::main]
pub(crate) async fn start(Arguments { engine, rounds, seconds, rate, json }: Arguments) -> ExitCode {
    let plan = Plan { rounds, span: Duration::from_secs(seconds), rate };
    let report = match engine {
        Engine::Sqlite => {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let url = format!("sqlite://{}?mode=rwc", folder.path().join("shop.db").display());
            run(engine, &url, plan).await
        }
        Engine::Postgres => run(engine, &cluster(NOTHING_BY_ITSELF).database(), plan).await,
    };
    report.print(json);
    if report.holds() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
