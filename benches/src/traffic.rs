//! Contacts that are made and changed through the API of a server as a process, and the receivers that are told of them.
//!
//! The latency of a delivery goes from the moment when the request that caused it was due to be sent until its
//! notification has arrived, so nothing that queues is left out.

mod healthy;
mod latencies;
mod mix;
mod publisher;

use std::collections::HashMap;
use std::time::Instant;

pub use self::healthy::Healthy;
pub use self::latencies::Latencies;
pub use self::mix::Mix;
pub(crate) use self::mix::{bare, dni, real};
pub use self::publisher::{Published, Publisher};

/// When the receivers of each contact's event got it.
pub type Told = HashMap<String, Vec<Instant>>;

/// How soon the notifications of these contacts came. A contact that was made and changed has a notification of each: the
/// earliest is taken for that of the earliest request.
///
/// # Panics
/// When there is none.
#[must_use]
pub fn latencies(published: &[Published], told: &Told) -> Latencies {
    let mut due: HashMap<&str, Vec<Instant>> = HashMap::new();
    for one in published {
        due.entry(&one.contact).or_default().push(one.due);
    }
    let mut all = Vec::new();
    for (contact, mut due) in due {
        let Some(arrivals) = told.get(contact) else { continue };
        due.sort_unstable();
        let each = arrivals.len().div_ceil(due.len());
        all.extend(
            arrivals
                .chunks(each)
                .zip(due)
                .flat_map(|(arrivals, due)| arrivals.iter().map(move |at| at.duration_since(due))),
        );
    }
    Latencies::of(all)
}
