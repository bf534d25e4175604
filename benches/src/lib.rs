//! Benchmarks that print ratios measured in one run, side by side, so that
//! the speed of the machine cancels out.
//!
//! `cargo run --release -p svc-benches -- --help` lists the commands:
//!
//! - `authority`: what the checks cost a request, and what is left of the speed of a bare server; ends with 1 when a
//!   target is missed.
//! - `isolation`: what 20 hostile receivers cost 1,000 healthy ones, on the server as a process
//!   (`cargo build --release -p svc-server` first); ends with 1 when a bound is broken.
//! - `worker-isolation`: what a silent receiver and one that drips cost 50 healthy ones, through the worker of the
//!   library; ends with 1 when a bound is broken.
//! - `pages`: what the last page of a long list costs, in first pages.
//! - `writers`: what sharing commits gains when many write at once.
//! - `rates`: sales, purchases and entries a second beside transactions written by hand.
//! - `throughput`: deliveries a second, what they cost and how soon they come, with bare and with real requests, on the
//!   server as a process.
//! - `endurance`: the memory of the server under full load for an hour; ends with 1 when it grows.
//! - `growth`: what each operation of the API takes in a company of a million contacts, in times of one of a thousand,
//!   on the server as a process.
//! - `imports`: what an import of a statement takes, in times of the insertion of its rows alone; ends with 1 when the bound is
//!   broken.
//! - `charts`: the charts of `docs/performance.md`, from figures that were kept.
//!
//! And what the service promises when something breaks, and under a long queue, see [`faults`] and [`scale`]; each
//! of these ends with 1 when a bound is broken:
//!
//! - `kills`: `kill -9` while contacts are written, files uploaded, statements imported, movements reconciled and envelopes
//!   signed.
//! - `numbers`: `kill -9` while invoices are issued.
//! - `embedder`: `kill -9` of a service that publishes in its own transactions.
//! - `recovery`: PostgreSQL is restarted, and its sessions are ended, under load.
//! - `expired-lease`: a server is stopped for longer than its leases hold, and goes on.
//! - `client-disconnects`: clients hang up in the middle of their requests.
//! - `fair-shares`: a quiet company beside one with tens of thousands of deliveries.
//! - `guessing`: what a token that sees personal data masked finds out by trying.
//! - `hostile-clients`: clients that take what they can, beside an honest one.
//! - `scale`: claims while ten thousand deliveries wait, and while ten million do.

pub mod chart;
mod elsewhere;
pub mod endurance;
pub mod fair_shares;
pub mod faults;
mod filling;
pub mod growth;
pub mod guessing;
pub mod hostile_clients;
pub mod imports;
pub mod isolation;
mod load;
pub mod rates;
pub mod scale;
mod service;
pub mod throughput;
pub mod traffic;
pub mod usage;
pub mod worker_isolation;

use svc_core::clock::Timestamp;
use svc_storage_seaorm::{Database, Keys, Settings};

pub use self::load::{Load, requests_per_second};
pub use self::service::{Service, observed, served};

/// The allocator of the server.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The instant at which the benchmarks play.
pub const NOW: Timestamp = Timestamp::from_unix_seconds(1_738_314_900);

/// A migrated SQLite database in a folder.
///
/// # Panics
/// When it cannot be made.
pub async fn sqlite(folder: &std::path::Path) -> Database {
    let url = format!("sqlite://{}", folder.join("bench.db").display());
    let database = Database::open(&Settings::new(url, Keys::new(1, [7; 32]))).await.expect("a database");
    database.migrate(NOW).await.expect("the schema is made");
    database
}

/// The median of durations, or of numbers.
///
/// # Panics
/// When there is none, or one is not a number.
#[must_use]
pub fn median<T: Copy + PartialOrd>(mut values: Vec<T>) -> T {
    values.sort_unstable_by(|one, other| one.partial_cmp(other).expect("a number"));
    *values.get(values.len() / 2).expect("at least one")
}
