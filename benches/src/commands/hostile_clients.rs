//! What hostile clients cost an honest one and the server, see [`svc_benches::hostile_clients`]. Ends with 1 when a bound
//! is broken.

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use svc_benches::faults::{Common, Engine, command, on};
use svc_benches::hostile_clients::{Plan, all, run};
use svc_testkit::postgres::Cluster;

/// Measures an honest client beside hostile ones.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// The database of the server.
    #[arg(long, default_value = "sqlite")]
    engine: Engine,
    /// Seconds of each behaviour.
    #[arg(long, default_value_t = 8)]
    seconds: u64,
    /// Only behaviours whose names have this in them.
    #[arg(long, default_value = "")]
    only: String,
    /// Prints the names of all behaviours.
    #[arg(long)]
    list: bool,
}

#[expect(clippy::print_stdout, reason = "a command prints what it was asked for")]
pub(crate) fn start(Arguments { common, engine, seconds, only, list }: Arguments) -> ExitCode {
    if list {
        for one in all() {
            println!("{}", one.name);
        }
        return ExitCode::SUCCESS;
    }
    let plan = Plan { span: Duration::from_secs(seconds), only: only.leak() };
    let server = common.server();
    let on_a_server = async |cluster: &Cluster| run(engine, &server, Some(&cluster.database()), plan).await;
    command(&common, on(engine, run(engine, &server, None, plan), on_a_server))
}
