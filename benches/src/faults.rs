//! What the service promises when something breaks, shown on real processes.
//!
//! Each proof is a function that the command of its name runs in the long form, and a test of the server in a
//! short one. They share:
//!
//! - [`Site`]: the executable over a database of its own, and its processes,
//! - [`Client`] and [`Writers`]: clients that create something and remember what was acknowledged,
//! - [`Receiver`]: takes deliveries and remembers each arrival,
//! - [`Evidence`]: lays the three beside each other (what was acknowledged, what is stored, what arrived),
//! - [`Report`]: the figures, each with its bound.

mod client;
pub mod client_disconnects;
mod deeds;
pub mod embedder;
mod evidence;
pub mod expired_lease;
mod fleet;
pub mod kills;
pub mod numbers;
mod receiver;
pub mod recovery;
mod renamer;
mod report;
pub(crate) mod seller;
mod site;
mod writers;

use std::future::Future;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use svc_testkit::postgres::Cluster;

pub use self::client::{Answer, Client};
pub use self::evidence::{Evidence, Fault, settled};
pub use self::receiver::{Arrival, Manner, Receiver};
pub use self::report::{Figure, Report};
pub(crate) use self::site::subscribe;
pub use self::site::{Process, Site};
pub use self::writers::{Kept, Pace, Task, Writers};

/// Which database a run uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Engine {
    /// A file.
    Sqlite,
    /// A server.
    Postgres,
}

/// What every command of this family takes.
#[derive(Clone, Debug, clap::Args)]
pub struct Common {
    /// The executable; by default the one beside this command.
    #[arg(long)]
    pub server: Option<PathBuf>,
    /// Repeats a run: which process is hit when, how the receiver answers.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Prints the figures as a line of JSON.
    #[arg(long)]
    pub json: bool,
}

impl Common {
    /// The executable to run.
    ///
    /// # Panics
    /// When it is not there.
    #[must_use]
    pub fn server(&self) -> PathBuf {
        let beside = || std::env::current_exe().expect("a path").with_file_name("svc-server");
        let server = self.server.clone().unwrap_or_else(beside);
        assert!(
            server.exists(),
            "{} is missing: build it with `cargo build -p svc-server`",
            server.display()
        );
        // A server runs in a folder of its own.
        server.canonicalize().expect("a path")
    }
}

/// Runs a proof as a command: prints its report; ends with 1 when a bound is broken.
pub fn command(common: &Common, proof: impl Future<Output = Report>) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let report = runtime.block_on(proof);
    report.print(common.json);
    if report.holds() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs a proof on an engine: with a cluster of its own on PostgreSQL.
pub async fn on(
    engine: Engine,
    sqlite: impl Future<Output = Report>,
    postgres: impl AsyncFnOnce(&Cluster) -> Report,
) -> Report {
    match engine {
        Engine::Sqlite => sqlite.await,
        Engine::Postgres => postgres(&cluster("")).await,
    }
}

/// A PostgreSQL of the run's own, with these settings beside the defaults (`-c name=value`).
///
/// # Panics
/// When there is none on this machine.
#[must_use]
pub fn cluster(settings: &str) -> Cluster {
    Cluster::start(&std::env::temp_dir(), settings).expect("PostgreSQL is on this machine")
}

/// Nothing that is waited for takes longer, on a machine that does other things too.
const PATIENCE: Duration = Duration::from_mins(10);

/// Asks again and again until the answer is yes.
pub(crate) async fn until<F: Future<Output = bool>>(what: &str, mut is_so: impl FnMut() -> F) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so().await {
        assert!(Instant::now() < deadline, "waited in vain: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Tells how far a long run has come.
#[expect(clippy::print_stderr, reason = "the operator of a long run wants to see it go on")]
pub(crate) fn progress(line: &str) {
    eprintln!("{line}");
}

/// A folder for the data of a run.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}
