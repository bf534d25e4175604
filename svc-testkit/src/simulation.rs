//! The whole of delivery in a world of its own: seeded, on one thread, with a simulated clock.
//!
//! Several servers share one store. Each fans out, claims, attempts and settles
//! with the service's own `Scheduler`, `fan_out`, `attempt_claimed` and queue, in the
//! order in which its deliverer does. People publish events, subscribe, change,
//! switch, rotate, remove, test and redeliver meanwhile. And everything goes
//! wrong that may:
//!
//! - the store is slow, fails before a commit, or after it without saying so;
//! - the network loses requests and answers, breaks off, or brings them twice;
//! - receivers are slow, moody, broken or dead;
//! - clocks are off, and jump;
//! - servers crash at any point at which they wait, stall for longer than their
//!   leases hold, stop, and start again.
//!
//! **Safety** is checked all the time: every request is signed with a secret
//! that was valid when the delivery was leased, goes to a subscription that was
//! there and active then, and carries an event as it was published; no server
//! leases what is leased; nothing is settled under a lease that ended, before it
//! was due, more than six times or after its end; no event goes to a
//! subscription twice by itself.
//!
//! **Liveness** after the faults: everything acknowledged is delivered or failed
//! by the schedule, outbox and queue are empty, and no server holds anything.
//!
//! A world in memory repeats with its seed, step for step. A rule that is broken comes
//! back as a [`Violation`] with the seed and all that happened.
//!
//! [`run`] has its store in memory. [`run_over`] lives over any storage, engine and
//! all: what it answers takes no time in the world, and one unit of work is open
//! at a time, as on SQLite. Stale reads are not simulated: no storage may answer
//! with them.

mod clock;
mod committed;
mod course;
mod ending;
mod faults;
mod lent;
mod network;
mod people;
mod server;
mod storage;
mod truth;
mod turns;
mod world;

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use svc_core::id::AccountId;
use svc_webhooks::ports::WebhookStorage;

use self::committed::{Committed, ThroughPorts};
use self::course::Simulation;
use self::lent::Lent;
use crate::property::Seed;
use crate::webhooks::MemoryWebhooks;

/// How long the answer of a store may take in real time.
const PATIENCE: Duration = Duration::from_mins(1);

/// A store that several servers share.
pub type Store = Arc<dyn WebhookStorage>;

/// What a run was like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Steps of tasks.
    pub steps: u64,
    /// Events whose publishers know that they are published.
    pub events: u64,
    /// Deliveries that were made.
    pub deliveries: u64,
    /// Requests that left.
    pub requests: u64,
    /// Settlements whose lease had ended.
    pub stale: u64,
    /// What went wrong, and how often.
    pub faults: BTreeMap<&'static str, u64>,
    /// Two runs that did the same have the same one.
    pub digest: u64,
}

impl Figures {
    /// Adds another run.
    pub fn add(&mut self, other: &Self) {
        self.steps += other.steps;
        self.events += other.events;
        self.deliveries += other.deliveries;
        self.requests += other.requests;
        self.stale += other.stale;
        for (fault, count) in &other.faults {
            *self.faults.entry(fault).or_default() += count;
        }
        self.digest ^= other.digest;
    }
}

/// A rule that was broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Repeats the run.
    pub seed: u64,
    /// Which rule.
    pub what: String,
    /// What happened until then.
    pub transcript: Vec<String>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.transcript.iter().try_for_each(|line| writeln!(f, "{line}"))?;
        write!(f, "seed {}: {}", self.seed, self.what)
    }
}

impl Error for Violation {}

/// Lets one world live, with the store that `store` makes of one in memory: itself, or something broken.
///
/// # Errors
/// The first [`Violation`] of a rule, with its transcript.
pub fn run(seed: u64, store: impl Fn(MemoryWebhooks) -> Store) -> Result<Figures, Violation> {
    match live(seed, &|_| Made::of(&store), false) {
        Ok((figures, _)) => Ok(figures),
        // Once more, with everything written down.
        Err((what, _)) => {
            let transcript = transcript(seed, store);
            Err(Violation { seed, what, transcript })
        }
    }
}

/// Lets one world live over an empty storage that `make` makes: anything that dereferences to a
/// [`WebhookStorage`], as for [`webhook_storage_contract!`](crate::webhook_storage_contract).
///
/// The storage lives in a tokio runtime that this call makes and ends, so call it from a thread that is in
/// none, from a plain `#[test]` for example. What is looked at between two steps is read through the ports.
///
/// # Errors
/// The first [`Violation`] of a rule, with its transcript.
///
/// # Panics
/// When the storage cannot be read, or does not answer for a minute.
pub fn run_over<S>(seed: u64, make: impl AsyncFn() -> S) -> Result<Figures, Violation>
where
    S: Deref<Target: WebhookStorage> + Send + Sync + 'static,
{
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let _told = Seed(seed);
    // Units that are dropped roll back in tasks of the runtime.
    let _context = runtime.enter();
    let over = |companies| {
        let store: Store = Arc::new(Lent(runtime.block_on(make())));
        let committed = ThroughPorts::new(Arc::clone(&store), runtime.handle().clone(), companies);
        Made { store, committed: Arc::new(committed), takes_turns: true }
    };
    let lived = live(seed, &over, true);
    lived.map(|(figures, _)| figures).map_err(|(what, transcript)| Violation { seed, what, transcript })
}

/// What happens in the world of a seed, line by line, whether or not a rule is broken.
pub fn transcript(seed: u64, store: impl Fn(MemoryWebhooks) -> Store) -> Vec<String> {
    match live(seed, &|_| Made::of(&store), true) {
        Ok((_, transcript)) | Err((_, transcript)) => transcript,
    }
}

/// A store, and the way to look at what is committed in it.
struct Made {
    store: Store,
    committed: Arc<dyn Committed>,
    /// Whether those that change something wait for each other in the time of the world.
    takes_turns: bool,
}

impl Made {
    /// A store in memory, or something over it.
    fn of(store: &impl Fn(MemoryWebhooks) -> Store) -> Self {
        let memory = MemoryWebhooks::new();
        Self { store: store(memory.clone()), committed: Arc::new(memory), takes_turns: false }
    }
}

type Lived = Result<(Figures, Vec<String>), (String, Vec<String>)>;

fn live(seed: u64, made: &dyn Fn([AccountId; 2]) -> Made, written: bool) -> Lived {
    let mut simulation = Simulation::new(seed, made, written);
    let outcome = simulation.live();
    let transcript = simulation.transcript();
    match outcome {
        Ok(()) => Ok((simulation.figures(), transcript)),
        Err(what) => Err((what, transcript)),
    }
}
