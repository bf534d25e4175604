//! What an import takes beside its rows, see [`svc_benches::imports`]. Ends with 1 when the bound is broken.

use std::process::ExitCode;

use clap::Args;
use svc_benches::faults::{Common, Engine, Report, Site, command, on};
use svc_benches::imports::run;
use svc_storage_seaorm::{Database, Settings};
use svc_testkit::postgres::Cluster;

/// Measures imports of statements beside the insertion of their rows.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// The database.
    #[arg(long, default_value = "sqlite")]
    engine: Engine,
    /// Movements of a statement.
    #[arg(long, default_value_t = 100_000)]
    lines: u32,
}

pub(crate) fn start(Arguments { common, engine, lines }: Arguments) -> ExitCode {
    let seed = common.seed;
    let folder = tempfile::tempdir().expect("a folder");
    let file = format!("sqlite://{}", folder.path().join("svc.db").display());
    let on_a_server = async |cluster: &Cluster| measured(&cluster.database(), lines, seed).await;
    command(&common, on(engine, measured(&file, lines, seed), on_a_server))
}

async fn measured(url: &str, lines: u32, seed: u64) -> Report {
    let database = Database::open(&Settings::new(url, Site::keys())).await.expect("it opens");
    run(database, lines, seed).await
}
