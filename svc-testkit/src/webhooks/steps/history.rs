//! What happens in a history.

mod random;
mod text;

use std::fmt;
use std::time::Duration;

use svc_core::clock::Timestamp;

pub use self::random::histories;
pub(super) use self::text::beyond_contacts;
pub(super) use self::text::{Events, Name, Url, Verdict};

/// When every history begins: 2025-01-31T09:15:00Z.
pub(super) const START: Timestamp = Timestamp::from_unix_seconds(1_738_314_900);

/// How many companies there are.
pub(super) const COMPANIES: usize = 2;

/// How many workers there are.
pub(super) const WORKERS: usize = 2;

/// How long a claim holds.
pub(super) const LEASE: Duration = Duration::from_secs(30);

/// What happens, and how long after what happened before it.
#[derive(Clone)]
pub struct History {
    pub(super) steps: Vec<(Duration, Step)>,
}

impl fmt::Debug for History {
    /// A line for each step.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.steps.iter().try_for_each(|(wait, step)| write!(f, "\n  {wait:?} later: {step:?}"))
    }
}

/// One thing that happens. Companies, subscriptions, deliveries and workers are numbers.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Create {
        company: usize,
        name: &'static Name,
        url: &'static Url,
        events: &'static Events,
        held: Held,
    },
    Update {
        subscription: Pick,
        by: By,
        expected: Expected,
        change: Change,
        held: Held,
    },
    Rotate {
        subscription: Pick,
        by: By,
        expected: Expected,
    },
    Remove {
        subscription: Pick,
        by: By,
        expected: Expected,
    },
    /// Events of one type, as many in one commit, that occurred so long before it.
    Publish {
        company: Option<usize>,
        kind: &'static str,
        count: usize,
        ago: Duration,
    },
    /// Of each subscription, `room` deliveries are leased at once.
    FanOut {
        worker: usize,
        events: u32,
        room: u32,
    },
    Claim {
        worker: usize,
        limit: u32,
        each: u32,
        room: Option<(Pick, u32)>,
        retries: bool,
    },
    /// Claims until nothing is due.
    Drain {
        worker: usize,
    },
    /// Under any lease that the worker ever had, counted back from the newest.
    Attempt {
        worker: usize,
        back: usize,
        reply: Reply,
        takes: Duration,
    },
    /// Attempts in a row, of all that the worker ever made.
    Settle {
        worker: usize,
        back: usize,
        count: usize,
    },
    /// Leases in a row, of all that the worker ever had.
    Release {
        worker: usize,
        back: usize,
        count: usize,
    },
    /// Waits until something is due, if so wanted, claims it, attempts it and settles it.
    Round {
        worker: usize,
        waits: bool,
        reply: Reply,
    },
    Redeliver {
        delivery: Pick,
        by: By,
    },
    Test {
        subscription: Pick,
        by: By,
        worker: usize,
    },
    /// What is older than this is forgotten.
    Purge {
        ago: Duration,
        limit: u32,
    },
}

/// One of those that were made so far, counted round and round; or one that was never made.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pick {
    Made(usize),
    Unknown,
}

impl Pick {
    /// Which of `made` it is.
    pub(super) fn of(self, made: usize) -> Option<usize> {
        match self {
            Self::Made(number) => number.checked_rem(made),
            Self::Unknown => None,
        }
    }
}

/// Which of `made` things in a row are meant: `count` of them, the last one `back` before the newest.
pub(super) fn row(back: usize, count: usize, made: usize) -> std::ops::Range<usize> {
    let end = made - back.checked_rem(made).unwrap_or_default();
    end.saturating_sub(count)..end
}

/// The caller.
#[derive(Clone, Copy, Debug)]
pub(super) enum By {
    /// The company that the thing belongs to.
    Owner,
    /// The other one.
    Stranger,
}

/// Which version the caller believes the subscription to have.
#[derive(Clone, Copy, Debug)]
pub(super) enum Expected {
    Any,
    Current,
    Stale,
}

/// What the caller's token may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    Everything,
    Contacts,
}

#[derive(Clone, Debug)]
pub(super) struct Change {
    pub(super) name: Option<&'static Name>,
    pub(super) url: Option<&'static Url>,
    pub(super) events: Option<&'static Events>,
    pub(super) active: Option<bool>,
    pub(super) in_flight: Option<u32>,
}

/// What the receiver does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reply {
    Status(u16),
    TimeOut,
}
