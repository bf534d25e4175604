//! What can be seen from outside. Companies, subscriptions, events and deliveries are numbers, in the
//! order in which they came to be.

use std::fmt::Debug;
use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_webhooks::delivery::Status;
use svc_webhooks::ports::QueueDepth;

/// How a step was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// A step that cannot be refused.
    Done,
    /// This subscription was created.
    Created(usize),
    /// The subscription is at this version now.
    Changed(i64),
    /// The subscription was removed.
    Removed,
    /// This delivery was added, to be sent again or as a test.
    Added(usize),
    NotFound,
    /// The subscription is at this version, not at the expected one.
    Version(i64),
    /// The read permissions of some events are missing.
    MissingPermissions(Vec<&'static str>),
    /// Members and codes of broken rules.
    Invalid(Vec<(String, &'static str)>),
    /// The URL breaks a rule.
    Url,
    /// The URL leads to an address that is refused.
    Refused,
    /// The delivery is in this state, which does not allow the step.
    NotEnded(Status),
    Inactive,
    /// Events taken out of the outbox, deliveries made, and those leased at once.
    FannedOut {
        events: usize,
        deliveries: usize,
        leased: usize,
    },
    /// These deliveries were leased.
    Claimed(Vec<SeenLease>),
    Attempted(SeenAttempted),
    /// So many settlements were still ours.
    Settled(u64),
    /// These deliveries were forgotten.
    Purged(Vec<usize>),
}

impl Answer {
    /// The kind of answer, for counts.
    pub(super) const fn kind(&self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Created(_) => "created",
            Self::Changed(_) => "changed",
            Self::Removed => "removed",
            Self::Added(_) => "added",
            Self::NotFound => "not found",
            Self::Version(_) => "another version",
            Self::MissingPermissions(_) => "missing permissions",
            Self::Invalid(_) => "invalid",
            Self::Url => "invalid URL",
            Self::Refused => "refused URL",
            Self::NotEnded(_) => "not ended",
            Self::Inactive => "inactive",
            Self::FannedOut { .. } => "fanned out",
            Self::Claimed(_) => "claimed",
            Self::Attempted(SeenAttempted { sent: Some(_), .. }) => "attempted",
            Self::Attempted(SeenAttempted { sent: None, .. }) => "given up",
            Self::Settled(0) => "stale",
            Self::Settled(_) => "settled",
            Self::Purged(_) => "purged",
        }
    }
}

/// A subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SeenSubscription {
    pub(super) number: usize,
    pub(super) company: usize,
    pub(super) name: String,
    pub(super) url: String,
    pub(super) events: Vec<&'static str>,
    pub(super) active_since: Option<Timestamp>,
    pub(super) in_flight: u16,
    /// How often its secret was replaced before the one that it has.
    pub(super) secret: usize,
    pub(super) version: i64,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
}

/// A delivery in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SeenDelivery {
    pub(super) number: usize,
    pub(super) subscription: usize,
    pub(super) event: usize,
    pub(super) kind: &'static str,
    pub(super) automatic: bool,
    pub(super) status: Status,
    pub(super) attempts: usize,
    pub(super) most: usize,
    pub(super) next_attempt_at: Option<Timestamp>,
    pub(super) last: Option<SeenOutcome>,
    pub(super) created_at: Timestamp,
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SeenOutcome {
    pub(super) status_code: Option<u16>,
    pub(super) failed: bool,
    /// Why it was given up without an attempt.
    pub(super) reason: Option<String>,
    pub(super) took: Duration,
}

/// An attempt in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SeenAttempt {
    pub(super) number: usize,
    pub(super) at: Timestamp,
    pub(super) outcome: SeenOutcome,
}

/// A delivery as its claimant got it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SeenLease {
    pub(super) delivery: SeenDelivery,
    pub(super) subscription: Option<SeenSubscription>,
    /// Whether it carries the event as it was published.
    pub(super) intact: bool,
}

/// What an attempt did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SeenAttempted {
    pub(super) delivery: usize,
    /// The URL, and the secret that the signature was made with; nothing for an attempt that was not made.
    pub(super) sent: Option<(String, usize)>,
}

/// All that can be seen between two steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Picture {
    /// The subscriptions of each company, in the order of its list.
    pub(super) subscriptions: Vec<Vec<SeenSubscription>>,
    /// The log of each of them, in its order.
    pub(super) logs: Vec<Vec<(SeenDelivery, Vec<SeenAttempt>)>>,
    /// What the queue holds, if the storage tells it.
    pub(super) depth: Option<SeenDepth>,
}

/// What the queue holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SeenDepth {
    /// Events in the outbox.
    pub(super) events: u64,
    /// Deliveries in the queue.
    pub(super) queued: u64,
    pub(super) oldest_due: Option<Timestamp>,
}

impl SeenDepth {
    pub(super) fn of(depth: QueueDepth) -> Self {
        let QueueDepth { events, queued, oldest_due, .. } = depth;
        Self { events: events.least(), queued: queued.least(), oldest_due }
    }
}

impl Picture {
    /// What differs from what is expected, the first of it.
    pub(super) fn differs_from(&self, expected: &Self) -> Option<String> {
        let lists = |picture: &Self| picture.subscriptions.concat();
        first("subscription", &lists(self), &lists(expected))
            .or_else(|| first("delivery", &self.logs.concat(), &expected.logs.concat()))
            .or_else(|| match (&self.depth, &expected.depth) {
                (Some(seen), Some(expected)) if seen != expected => {
                    Some(format!("the queue holds\n{seen:?}\nand not\n{expected:?}"))
                }
                (Some(_), Some(_)) | (None, _) | (_, None) => None,
            })
    }
}

fn first<T: Debug + PartialEq>(what: &str, seen: &[T], expected: &[T]) -> Option<String> {
    let length = seen.len().max(expected.len());
    (0..length).map(|at| (seen.get(at), expected.get(at))).find(|(seen, expected)| seen != expected).map(
        |(seen, expected)| {
            let of = |one: Option<&T>| one.map_or_else(|| "nothing".to_owned(), |one| format!("{one:#?}"));
            format!("a {what} is\n{}\nand not\n{}", of(seen), of(expected))
        },
    )
}
