//! How many documents and entries a second, see [`svc_benches::rates`].

use std::process::ExitCode;

use clap::Args;
use svc_benches::faults::{Common, Engine, cluster, command};
use svc_benches::rates::{Plan, on_postgres, on_sqlite};

/// Measures drafts, issues, payments, postings and approvals beside bare contacts.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// The database of the server.
    #[arg(long, default_value = "sqlite")]
    engine: Engine,
    /// Requests of each kind.
    #[arg(long, default_value_t = 6_000)]
    requests: u32,
    /// Clients at a time.
    #[arg(long, default_value_t = 16)]
    clients: u32,
}

pub(crate) fn start(Arguments { common, engine, requests, clients }: Arguments) -> ExitCode {
    let (server, plan) = (common.server(), Plan { requests, clients });
    command(&common, async {
        match engine {
            Engine::Sqlite => on_sqlite(&server, plan).await,
            Engine::Postgres => {
                let cluster = cluster("");
                on_postgres(&server, &cluster.database(), Some(cluster.process()), plan).await
            }
        }
    })
}
