//! Seen events in memory, bounded in number and in time.

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use svc_core::clock::Timestamp;

use super::{Claim, Seen, SeenError, Ticket};
use crate::signature::EventKey;

/// How much is remembered, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenLimits {
    /// Events at most. Beyond it the one that was done longest ago is forgotten early.
    pub capacity: NonZeroUsize,
    /// How long a done event is remembered.
    pub window: Duration,
    /// How long a claim keeps others away.
    pub lease: Duration,
}

impl Default for SeenLimits {
    /// 100,000 events (some 20 MB), 30 days, 60 seconds.
    ///
    /// The service keeps deliveries for 30 days unless it is told otherwise, and
    /// can send them again that long. It waits 10 seconds for an answer and a
    /// minute before the second attempt, so a claim outlives the one and lapses
    /// before the other.
    fn default() -> Self {
        Self {
            capacity: NonZeroUsize::new(100_000).expect("not zero"),
            window: Duration::from_hours(30 * 24),
            lease: Duration::from_mins(1),
        }
    }
}

/// [`Seen`] for a receiver of one process that may forget when it ends.
///
/// A call costs the logarithm of what is remembered, and never waits.
#[derive(Debug, Default)]
pub struct MemorySeen {
    limits: SeenLimits,
    ledger: Mutex<Ledger>,
}

impl MemorySeen {
    /// An empty memory.
    #[must_use]
    pub fn new(limits: SeenLimits) -> Self {
        Self { limits, ledger: Mutex::default() }
    }

    /// How many events it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ledger().entries.len()
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Seen for MemorySeen {
    async fn claim(&self, event: &EventKey, now: Timestamp) -> Result<Claim, SeenError> {
        self.ledger().claim(&self.limits, event, now)
    }

    async fn finish(&self, ticket: Ticket, now: Timestamp) -> Result<(), SeenError> {
        self.ledger().finish(&self.limits, &ticket, now);
        Ok(())
    }

    async fn release(&self, ticket: Ticket) -> Result<(), SeenError> {
        self.ledger().release(&ticket);
        Ok(())
    }
}

/// What is known of one event.
#[derive(Clone, Copy, Debug)]
enum Entry {
    /// Claimed with this number, then.
    Working { number: u64, since: Timestamp },
    /// Done then; the number is its place in the order of finishing.
    Done { number: u64, at: Timestamp },
}

/// The entries, and the two orders in which they leave. One counter numbers both.
#[derive(Debug, Default)]
struct Ledger {
    entries: HashMap<EventKey, Entry>,
    working: BTreeMap<u64, EventKey>,
    done: BTreeMap<u64, EventKey>,
    next: u64,
}

impl Ledger {
    fn claim(&mut self, limits: &SeenLimits, event: &EventKey, now: Timestamp) -> Result<Claim, SeenError> {
        self.forget_the_oldest_done(limits, now);
        match self.entries.get(event) {
            Some(entry) if entry.counts(limits, now) => {
                return Ok(match entry {
                    Entry::Working { .. } => Claim::InProgress,
                    Entry::Done { .. } => Claim::Repeat,
                });
            }
            Some(_) => self.remove(event),
            None => {}
        }
        if !self.has_room(limits, now) {
            return Err(SeenError::Full);
        }
        let number = self.number();
        self.entries.insert(event.clone(), Entry::Working { number, since: now });
        self.working.insert(number, event.clone());
        Ok(Claim::First(Ticket::new(event.clone(), number)))
    }

    fn finish(&mut self, limits: &SeenLimits, ticket: &Ticket, now: Timestamp) {
        let event = ticket.event();
        match self.entries.get(event) {
            // The process that took the event over finished first.
            Some(done @ Entry::Done { .. }) if done.counts(limits, now) => return,
            Some(Entry::Working { .. } | Entry::Done { .. }) => self.remove(event),
            None => {}
        }
        // Without room it is forgotten at once: the claim had lapsed, and others need theirs.
        if self.has_room(limits, now) {
            let number = self.number();
            self.entries.insert(event.clone(), Entry::Done { number, at: now });
            self.done.insert(number, event.clone());
        }
    }

    fn release(&mut self, ticket: &Ticket) {
        if let Some(Entry::Working { number, .. }) = self.entries.get(ticket.event())
            && *number == ticket.number()
        {
            self.remove(ticket.event());
        }
    }

    /// Gives memory back as the window moves on.
    fn forget_the_oldest_done(&mut self, limits: &SeenLimits, now: Timestamp) {
        while let Some(event) = self.done.values().next().cloned()
            && self.entries.get(&event).is_some_and(|entry| !entry.counts(limits, now))
        {
            self.remove(&event);
        }
    }

    /// Makes room if it must: for what was done longest ago, or a claim that has lapsed.
    fn has_room(&mut self, limits: &SeenLimits, now: Timestamp) -> bool {
        if self.entries.len() < limits.capacity.get() {
            return true;
        }
        let lapsed =
            |event: &EventKey| self.entries.get(event).is_some_and(|entry| !entry.counts(limits, now));
        let leaves = self.working.values().next().cloned().filter(lapsed);
        let leaves = leaves.or_else(|| self.done.values().next().cloned());
        leaves.inspect(|event| self.remove(event)).is_some()
    }

    fn remove(&mut self, event: &EventKey) {
        match self.entries.remove(event) {
            Some(Entry::Working { number, .. }) => drop(self.working.remove(&number)),
            Some(Entry::Done { number, .. }) => drop(self.done.remove(&number)),
            None => {}
        }
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }
}

impl Entry {
    /// Whether it still says something: its claim has not lapsed, its window has not passed.
    fn counts(&self, limits: &SeenLimits, now: Timestamp) -> bool {
        match self {
            Self::Working { since, .. } => now.since(*since) < limits.lease,
            Self::Done { at, .. } => now.since(*at) < limits.window,
        }
    }
}
