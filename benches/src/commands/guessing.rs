//! What a token that sees personal data masked finds out by trying, see [`svc_benches::guessing`]. Ends with 1 when it
//! finds a value.

use std::process::ExitCode;

use clap::Args;
use svc_benches::faults::{Common, Engine, command, on};
use svc_benches::guessing::run;
use svc_testkit::postgres::Cluster;

/// Tries values of what is masked with each route that takes or compares them.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// The database of the server.
    #[arg(long, default_value = "sqlite")]
    engine: Engine,
    /// Requests of the attacker at least.
    #[arg(long, default_value_t = 10_000)]
    requests: usize,
}

pub(crate) fn start(Arguments { common, engine, requests }: Arguments) -> ExitCode {
    let server = common.server();
    let on_a_server =
        async |cluster: &Cluster| run(engine, &server, Some(&cluster.database()), requests).await;
    command(&common, on(engine, run(engine, &server, None, requests), on_a_server))
}
