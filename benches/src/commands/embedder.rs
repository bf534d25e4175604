//! `kill -9` of a service that publishes in its own transactions, see [`svc_benches::faults::embedder`]. Ends with 1
//! when a bound is broken.

use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Subcommand};
use svc_benches::faults::embedder::{self, Plan, shop};
use svc_benches::faults::{Engine, cluster};

/// Kills a service in its own transactions and between commit and delivery.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    shop: Option<Part>,
    /// One process on SQLite, or two on PostgreSQL.
    #[arg(long, default_value = "sqlite")]
    engine: Engine,
    /// How many kills.
    #[arg(long, default_value_t = 1_000)]
    kills: usize,
    /// The longest time from an order to the next kill, in milliseconds.
    #[arg(long, default_value_t = 150)]
    within: u64,
    /// Repeats a run: which process is hit when, how the receiver answers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Prints the figures as a line of JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum Part {
    /// Is the service: what the run starts and kills.
    Shop {
        /// Its database.
        #[arg(long)]
        url: String,
        /// Begins the ids of its orders.
        #[arg(long)]
        number: u32,
    },
}

#[tokio::main]
pub(crate) async fn start(Arguments { shop, engine, kills, within, seed, json }: Arguments) -> ExitCode {
    if let Some(Part::Shop { url, number }) = shop {
        return match shop::run(&url, number).await {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                #[expect(clippy::print_stderr, reason = "a command says why it failed")]
                {
                    eprintln!("{error}");
                }
                ExitCode::FAILURE
            }
        };
    }
    let plan = Plan { kills, within: Duration::from_millis(within), seed };
    let command = std::env::current_exe().expect("a path");
    let report = match engine {
        Engine::Sqlite => {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let url = format!("sqlite://{}?mode=rwc", folder.path().join("shop.db").display());
            embedder::run(&command, engine, &url, plan).await
        }
        Engine::Postgres => {
            let cluster = cluster("");
            embedder::run(&command, engine, &cluster.database(), plan).await
        }
    };
    report.print(json);
    if report.holds() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
