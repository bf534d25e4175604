//! The database goes away and comes back, see [`svc_benches::faults::recovery`]. Ends with 1 when a bound is broken.

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use svc_benches::faults::{Common, cluster, command, recovery};

/// Restarts PostgreSQL, and ends its sessions, under load.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// How many restarts, and as many ends of all sessions.
    #[arg(long, default_value_t = 3)]
    faults: usize,
    /// Clients that write.
    #[arg(long, default_value_t = 20)]
    writers: u32,
    /// One request of each client in so many milliseconds.
    #[arg(long, default_value_t = 100)]
    every: u64,
    /// Seconds before the first fault, and between two.
    #[arg(long, default_value_t = 15)]
    between: u64,
}

pub(crate) fn start(Arguments { common, faults, writers, every, between }: Arguments) -> ExitCode {
    let plan = recovery::Plan {
        faults,
        writers,
        every: Duration::from_millis(every),
        between: Duration::from_secs(between),
        seed: common.seed,
    };
    command(&common, async {
        let cluster = cluster("");
        recovery::run(&common.server(), cluster, plan).await
    })
}
