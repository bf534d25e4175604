//! Contacts that are made through the API of a server as a process, and the receivers that are told of them.
//!
//! The latency of a delivery goes from the moment when the request that caused it was due to be sent until its
//! notification has arrived, so nothing that queues is left out.

mod healthy;
mod latencies;
mod publisher;

use std::collections::HashMap;
use std::time::Instant;

pub use self::healthy::Healthy;
pub use self::latencies::Latencies;
pub use self::publisher::{Published, Publisher};

/// When the receivers of each contact's event got it.
pub type Told = HashMap<String, Vec<Instant>>;

/// How soon the notifications of these contacts came.
///
/// # Panics
/// When there is none.
#[must_use]
pub fn latencies(published: &[Published], told: &Told) -> Latencies {
    let arrivals = |one: &Published| {
        let due = one.due;
        told.get(&one.contact).into_iter().flatten().map(move |at| at.duration_since(due))
    };
    Latencies::of(published.iter().flat_map(arrivals).collect())
}
