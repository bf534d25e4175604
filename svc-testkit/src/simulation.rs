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
//! [`run`] repeats with its seed, step for step. A rule that is broken comes
//! back as a [`Violation`] with the seed and all that happened.
//!
//! Not simulated: engines (the store is [`MemoryWebhooks`]), and stale reads,
//! which no storage may answer with.

mod clock;
mod course;
mod ending;
mod faults;
mod network;
mod people;
mod server;
mod storage;
mod truth;
mod world;

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use svc_webhooks::ports::WebhookStorage;

use self::course::Simulation;
use crate::webhooks::MemoryWebhooks;

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
    match live(seed, &store, false) {
        Ok((figures, _)) => Ok(figures),
        // Once more, with everything written down.
        Err((what, _)) => {
            let transcript = transcript(seed, store);
            Err(Violation { seed, what, transcript })
        }
    }
}

/// What happens in the world of a seed, line by line, whether or not a rule is broken.
pub fn transcript(seed: u64, store: impl Fn(MemoryWebhooks) -> Store) -> Vec<String> {
    match live(seed, &store, true) {
        Ok((_, transcript)) | Err((_, transcript)) => transcript,
    }
}

type Lived = Result<(Figures, Vec<String>), (String, Vec<String>)>;

fn live(seed: u64, store: &dyn Fn(MemoryWebhooks) -> Store, written: bool) -> Lived {
    let mut simulation = Simulation::new(seed, store, written);
    let outcome = simulation.live();
    let transcript = simulation.transcript();
    match outcome {
        Ok(()) => Ok((simulation.figures(), transcript)),
        Err(what) => Err((what, transcript)),
    }
}
