//! Claims over a long queue, see [`svc_benches::scale`]. Ends with 1 when a bound is broken.

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use svc_benches::faults::{Common, Engine, Report, Site, cluster, command};
use svc_benches::scale::{Plan, Sizes, run};
use svc_storage_seaorm::{Database, Settings};
use svc_testkit::postgres::query;

/// Measures claims while few deliveries wait, and while many do.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// Which database.
    #[arg(long, default_value = "postgres")]
    engine: Engine,
    /// Deliveries that wait in the first measure.
    #[arg(long, default_value_t = 10_000)]
    few: u64,
    /// Deliveries that wait in the second measure.
    #[arg(long, default_value_t = 10_000_000)]
    many: u64,
    /// Subscriptions that they are for.
    #[arg(long, default_value_t = 1_000)]
    subscriptions: u32,
    /// Claims that are measured, about.
    #[arg(long, default_value_t = 400)]
    claims: usize,
}

pub(crate) fn start(Arguments { common, engine, few, many, subscriptions, claims }: Arguments) -> ExitCode {
    let plan = Plan { few, many, subscriptions, claims, seed: common.seed };
    command(&common, async {
        match engine {
            Engine::Sqlite => on_sqlite(plan).await,
            Engine::Postgres => on_postgres(plan).await,
        }
    })
}

async fn on_postgres(plan: Plan) -> Report {
    let settings = "-c max_wal_size=8GB";
    let cluster = cluster(settings);
    let url = cluster.database();
    let database = Database::open(&Settings::new(&url, Site::keys())).await.expect("it opens");
    let analyze = || drop(query(&url, "ANALYZE"));
    run(database, plan, analyze, || sizes(&url)).await
}

fn sizes(url: &str) -> Sizes {
    let size = |tables: &str| {
        let sum =
            query(url, &format!("SELECT sum(pg_total_relation_size(name)) FROM unnest({tables}) AS name"));
        sum.parse().expect("a number")
    };
    (size("ARRAY['svc_delivery_queue']"), size("ARRAY['svc_delivery_queue', 'svc_deliveries']"))
}

async fn on_sqlite(plan: Plan) -> Report {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("svc.db");
    let settings = Settings::new(format!("sqlite://{}", file.display()), Site::keys());
    let database = Database::open(&settings).await.expect("it opens");
    run(database, plan, || (), || sizes_of(&file)).await
}

/// A file does not tell what belongs to which table: all of it.
fn sizes_of(file: &Path) -> Sizes {
    let size = |file: &Path| std::fs::metadata(file).map(|file| file.len()).unwrap_or_default();
    let all = size(file);
    (all, all)
}
