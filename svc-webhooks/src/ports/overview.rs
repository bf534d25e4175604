//! What operators want to know of the queue.
//!
//! Figures for people and for metrics: asked for every few seconds, and most
//! of all when millions of deliveries wait. So nothing here counts all of
//! them. A [`Count`] is exact up to [`Count::EXACT`] and says so when it is not;
//! instants are always exact.

use std::fmt;

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::SubscriptionId;

use super::WebhookStorage;

/// A storage of webhooks that tells what its queue holds.
///
/// # Implementing this port
/// It is optional: deliveries need none of it. Both methods are asked for every few seconds, and must cost as
/// much with millions of deliveries as with thousands: count no further than [`Count::EXACT`]. The contract
/// suite is `svc_testkit::webhook_overview_contract!`.
#[async_trait]
pub trait QueueOverview: WebhookStorage {
    /// What the queue holds at `now`.
    async fn depth(&self, now: Timestamp) -> Result<QueueDepth, StoreError>;

    /// The queue at a glance at `now`, with up to `lanes` lanes that have something due, longest due first.
    async fn overview(&self, now: Timestamp, lanes: u32) -> Result<Overview, StoreError>;
}

/// How many there are, as far as it was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// So many.
    Exactly(u64),
    /// More than were counted.
    AtLeast {
        /// So many were counted.
        least: u64,
        /// What the store takes it for, where it has an opinion that costs nothing.
        about: Option<u64>,
    },
}

/// What the queue holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueDepth {
    /// Events in the outbox that are not fanned out yet.
    pub events: Count,
    /// When the oldest of them occurred.
    pub oldest_event: Option<Timestamp>,
    /// Deliveries that have not ended: due now, leased, or waiting for their time.
    pub queued: Count,
    /// Those that are due and not leased: what a claim would find.
    pub due: Count,
    /// Those under a lease that has not ended.
    pub leased: Count,
    /// When the longest due of `due` became so: the one figure that tells whether deliveries are late.
    pub oldest_due: Option<Timestamp>,
}

/// A lane with something due: deliveries of one subscription, first attempts or later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueLane {
    /// Whose deliveries they are.
    pub subscription: SubscriptionId,
    /// Whether they are attempts after the first.
    pub retry: bool,
    /// When the longest due became so.
    pub oldest_due: Timestamp,
    /// All that wait in the lane.
    pub queued: Count,
    /// Those that are due and not leased.
    pub due: Count,
    /// Those under a lease.
    pub leased: Count,
}

/// How the deliveries went that were made last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Latest {
    /// When the oldest of them was made; `None` when there is none at all.
    pub since: Option<Timestamp>,
    /// Not attempted yet.
    pub pending: u64,
    /// Failed, and to be tried again.
    pub retrying: u64,
    /// Arrived.
    pub delivered: u64,
    /// Given up.
    pub failed: u64,
}

/// The queue at a glance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overview {
    /// What it holds.
    pub depth: QueueDepth,
    /// Lanes with something due, longest due first.
    pub lanes: Vec<DueLane>,
    /// How the last [`Latest::DELIVERIES`] deliveries went.
    pub latest: Latest,
}

impl Count {
    /// The number up to which a count is exact.
    pub const EXACT: u64 = 10_000;

    /// The count of `found`, where the storage looked for no more than one above [`Self::EXACT`].
    #[must_use]
    pub fn of(found: u64) -> Self {
        if found > Self::EXACT { Self::at_least(Self::EXACT) } else { Self::Exactly(found) }
    }

    /// More than `least`.
    #[must_use]
    pub const fn at_least(least: u64) -> Self {
        Self::AtLeast { least, about: None }
    }

    /// The same with an opinion on how many there are, unless that is known anyway.
    #[must_use]
    pub fn or_about(self, guess: Option<u64>) -> Self {
        match self {
            Self::Exactly(_) => self,
            Self::AtLeast { least, .. } => {
                Self::AtLeast { least, about: guess.map(|guess| guess.max(least)) }
            }
        }
    }

    /// So many there are for certain.
    #[must_use]
    pub fn least(self) -> u64 {
        match self {
            Self::Exactly(number) => number,
            Self::AtLeast { least, .. } => least,
        }
    }

    /// The number, or the best that is known of it.
    #[must_use]
    pub fn about(self) -> u64 {
        match self {
            Self::Exactly(number) => number,
            Self::AtLeast { least, about } => about.unwrap_or(least),
        }
    }

    /// Whether nothing was left out.
    #[must_use]
    pub fn is_exact(self) -> bool {
        matches!(self, Self::Exactly(_))
    }
}

impl Latest {
    /// How many deliveries are looked at.
    pub const DELIVERIES: u32 = 1_000;
}

impl Default for Count {
    fn default() -> Self {
        Self::Exactly(0)
    }
}

/// A known number is what it is; one that is not known equals none.
impl PartialEq<u64> for Count {
    fn eq(&self, other: &u64) -> bool {
        *self == Self::Exactly(*other)
    }
}

impl fmt::Display for Count {
    /// `42`, `≥10000` or `≈2500000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(number) => write!(f, "{number}"),
            Self::AtLeast { least, about: None } => write!(f, "≥{least}"),
            Self::AtLeast { about: Some(about), .. } => write!(f, "≈{about}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_exact_up_to_its_limit_and_says_so_beyond() {
        let (all, more) = (Count::of(Count::EXACT), Count::of(Count::EXACT + 1));
        assert_eq!((all, all.is_exact(), all.about()), (Count::Exactly(10_000), true, 10_000));
        assert_eq!((more.is_exact(), more.least(), more.about()), (false, 10_000, 10_000));
        assert_eq!(all, 10_000);
        assert_ne!(more, 10_000);
        assert_eq!([all, more].map(|count| count.to_string()), ["10000", "≥10000"]);
    }

    #[test]
    fn a_guess_stands_only_where_the_number_is_not_known_and_never_below_what_was_counted() {
        let many = Count::at_least(10_000);
        assert_eq!(many.or_about(Some(2_500_000)).to_string(), "≈2500000");
        assert_eq!(many.or_about(Some(12)).about(), 10_000);
        assert_eq!(many.or_about(None), many);
        assert_eq!(Count::Exactly(7).or_about(Some(9)), 7);
    }
}
