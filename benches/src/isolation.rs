//! What hostile receivers cost the healthy ones, on the server as a process.
//!
//! The benchmark is all that is outside: it writes companies and subscriptions
//! into a database, starts `svc-server` on it, makes contacts through the API
//! at a steady rate, and is both kinds of receivers. The latency of a delivery
//! goes from the moment when the request that caused it was due to be sent
//! until its notification has arrived, so nothing that queues is left out.

mod healthy;
mod process;
mod publisher;
mod seed;
mod summary;

pub use self::healthy::Healthy;
pub use self::process::{Process, Setting};
pub use self::publisher::{Published, Publisher};
pub use self::seed::{COMPANIES, HEALTHY, HEALTHY_EACH, MASTER_KEY, Seeded, Subscribed, seed};
pub use self::summary::{Change, Latencies};
