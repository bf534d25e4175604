//! Working on an event once, though it may arrive more than once (specification, part 6.4).
//!
//! The service sends again what was not answered 2xx in time, so the same
//! event can arrive after it was worked on, and even while it is being worked
//! on. [`once`] tells these apart by the id of the event, over a [`Seen`]:
//!
//! 1. The receiver *claims* the event. No other process has claimed it: the receiver works.
//! 2. The work succeeds: the claim is *finished*, and every later arrival is a
//!    [`Repeat`](Claim::Repeat), answered 200 without work.
//! 3. The work fails: the claim is *released*, the answer is 500, and the next
//!    attempt works again.
//! 4. An arrival in between is [`InProgress`](Claim::InProgress) and answered
//!    503: a 2xx would tell the service that the event is safe before it is.
//! 5. A receiver that dies at work settles nothing. Its claim *lapses* after a
//!    while and the next attempt takes the event over. Should the first one
//!    have lived on after all, its success counts, and its failure does not
//!    take the event away from the process that has it now.
//!
//! So work runs at least once, and again only if it failed, or took longer than
//! a claim lasts, or its success could not be recorded. Work that writes to a
//! database gets exactly-once by storing the id of the event in the same
//! transaction, under a unique key.

mod memory;

use std::error::Error;

use async_trait::async_trait;
use svc_core::clock::{Clock, Timestamp};
use thiserror::Error;

pub use self::memory::{MemorySeen, SeenLimits};
use crate::signature::EventKey;

/// Remembers which events were worked on.
///
/// # Implementing this port
/// One row per event, keyed by its id (text of at most [`EventKey::MOST`] characters), with a state (working or done), the
/// number of its claim and an instant. `claim` is one conditional write that
/// tells what it found; the number differs between two claims of an event.
/// [`MemorySeen`] is the pattern, for a receiver of one process. The contract
/// suite is `svc_testkit::seen_contract!`.
#[async_trait]
pub trait Seen: Send + Sync {
    /// Claims an event, unless another process has it or it is done.
    async fn claim(&self, event: &EventKey, now: Timestamp) -> Result<Claim, SeenError>;

    /// Marks the event of a claim as done, also when another process has it now: the work was done.
    async fn finish(&self, ticket: Ticket, now: Timestamp) -> Result<(), SeenError>;

    /// Gives the event back, unless another process has it by now or it is done.
    async fn release(&self, ticket: Ticket) -> Result<(), SeenError>;
}

/// Whose turn it is.
#[derive(Debug, PartialEq, Eq)]
pub enum Claim {
    /// The caller's: work, and settle the ticket.
    First(Ticket),
    /// The event is done. Answer 200.
    Repeat,
    /// Another process works on it at this moment. Answer 503.
    InProgress,
}

/// The right to work on one event; settled once, by finishing or releasing it.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "a claim that is neither finished nor released holds the event until it lapses"]
pub struct Ticket {
    event: EventKey,
    number: u64,
}

impl Ticket {
    /// A ticket for the claim of `event` with this number; for implementations of [`Seen`].
    pub const fn new(event: EventKey, number: u64) -> Self {
        Self { event, number }
    }

    /// The event that was claimed.
    #[must_use]
    pub const fn event(&self) -> &EventKey {
        &self.event
    }

    /// Which claim of that event this is.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }
}

/// Why it is not known whether an event was seen.
#[derive(Debug, Error)]
pub enum SeenError {
    /// As many events are being worked on as can be remembered.
    #[error("too many events are being worked on at once")]
    Full,
    /// The store did not answer.
    #[error("the store of seen events failed")]
    Backend(#[source] Box<dyn Error + Send + Sync>),
}

/// What became of one arrival.
#[derive(Debug)]
pub enum Handled<T, E> {
    /// The work was done, now.
    Done(T),
    /// It was done before.
    Repeat,
    /// Another arrival of the event is being worked on.
    InProgress,
    /// The work failed; the next attempt will work again.
    Failed(E),
    /// It could not be told whether the event was seen, so nothing was done.
    Unknown(SeenError),
}

impl<T, E> Handled<T, E> {
    /// The HTTP status to answer: 200, or one that makes the service send again.
    #[must_use]
    pub const fn status(&self) -> u16 {
        match self {
            Self::Done(_) | Self::Repeat => 200,
            Self::Failed(_) => 500,
            Self::InProgress | Self::Unknown(_) => 503,
        }
    }
}

/// Does `work` for an event unless it was done before, or is being done.
///
/// `work` is not polled when there is nothing to do. A future of `once` that is
/// dropped half-way, as servers do when the caller hangs up, leaves the claim
/// to lapse: keep work shorter than the 10 seconds that the service waits, or
/// put it on a queue of your own and let that be the work.
pub async fn once<T, E>(
    seen: &dyn Seen,
    clock: &dyn Clock,
    event: &EventKey,
    work: impl Future<Output = Result<T, E>> + Send,
) -> Handled<T, E>
where
    T: Send,
    E: Send,
{
    let ticket = match seen.claim(event, clock.now()).await {
        Ok(Claim::First(ticket)) => ticket,
        Ok(Claim::Repeat) => return Handled::Repeat,
        Ok(Claim::InProgress) => return Handled::InProgress,
        Err(error) => return Handled::Unknown(error),
    };
    match work.await {
        Ok(value) => {
            // The work was done, so the truth is 200, even if a repeat may do it again.
            note(event, "finished", seen.finish(ticket, clock.now()).await);
            Handled::Done(value)
        }
        Err(error) => {
            // A claim that could not be given back lapses.
            note(event, "released", seen.release(ticket).await);
            Handled::Failed(error)
        }
    }
}

/// Logs what failed, with the feature `tracing`: the claim lapses by itself.
fn note(event: &EventKey, what: &str, settled: Result<(), SeenError>) {
    if let Err(error) = settled {
        let error: &dyn Error = &error;
        #[cfg(feature = "tracing")]
        tracing::warn!(%event, error, "the claim of an event could not be {what}");
        #[cfg(not(feature = "tracing"))]
        let _ = (event, what, error);
    }
}
