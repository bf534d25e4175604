//! What happens in a history.

mod random;
mod text;

use std::ops::RangeInclusive;
use std::time::Duration;

use proptest::sample::Index;
use svc_core::clock::Timestamp;
use svc_core::role::Role;

pub use self::random::histories;
pub(super) use self::text::{Line, List};
use crate::auth::TokenStep;

/// When every history begins: 2025-01-31T09:15:00Z.
pub(super) const START: Timestamp = Timestamp::from_unix_seconds(1_738_314_900);

/// How many people there are.
pub(super) const PEOPLE: usize = 3;

/// Legal names of the companies; they sort the other way round than their ids.
pub(super) const COMPANIES: [&str; 5] = ["Eco", "Duna", "Cauce", "Bruma", "Alba"];

/// Companies of the one group; the last of them joins it late.
pub(super) const GROUPED: RangeInclusive<usize> = 2..=LATE;

/// The parent company of the group.
pub(super) const TOP: usize = 2;

/// The company that is founded late.
pub(super) const LATE: usize = 4;

/// What people are in companies at first: person, company, role.
pub(super) const ROLES: [(usize, usize, Role); 7] = [
    (0, 0, Role::Holder),
    (0, 1, Role::Administrator),
    (0, 2, Role::Holder),
    (1, 1, Role::Holder),
    (1, 3, Role::Administrator),
    (2, 0, Role::Employee),
    (2, 1, Role::Administrator),
];

/// What happens, and how long after what happened before it.
#[derive(Clone, Debug)]
pub struct History {
    /// How long the operator lets tokens live.
    pub(super) longest_life: Option<Duration>,
    pub(super) steps: Vec<(Duration, Step)>,
}

/// One thing that happens. People and companies are numbers.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Create {
        by: usize,
        primary: usize,
        companies: Vec<usize>,
        group: bool,
        /// Seconds from now, the past included.
        expires_in: Option<i64>,
        config: Config,
    },
    Update {
        token: Pick,
        caller: Caller,
        expected: Expected,
        change: Change,
    },
    Move {
        token: Pick,
        caller: Caller,
        step: TokenStep,
    },
    /// The token is used, and the use is written down this much later.
    Touch {
        token: Pick,
        late: Duration,
    },
    SetRole {
        person: usize,
        company: usize,
        role: Role,
    },
    EndMembership {
        person: usize,
        company: usize,
    },
    SetApiAccess {
        company: usize,
        on: bool,
    },
    Merge {
        survivor: usize,
        absorbed: usize,
    },
    Disable {
        person: usize,
    },
    /// The last company is founded, and joins the group.
    Found,
}

/// A token of those that were made so far, or one that was never made.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pick {
    Made(Index),
    Unknown,
}

impl Pick {
    /// Which of `made` tokens it is.
    pub(super) fn of(self, made: usize) -> Option<usize> {
        match self {
            Self::Made(index) if made > 0 => Some(index.index(made)),
            Self::Made(_) | Self::Unknown => None,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Caller {
    /// The person who created the token.
    Creator,
    Person(usize),
    Operator,
}

/// Which version the caller of an update believes the token to have.
#[derive(Clone, Copy, Debug)]
pub(super) enum Expected {
    Any,
    Current,
    Stale,
}

#[derive(Clone, Debug)]
pub(super) struct Config {
    pub(super) name: &'static Line,
    pub(super) permissions: &'static List,
    pub(super) personal_data: bool,
    pub(super) allowed_ips: &'static List,
}

#[derive(Clone, Debug)]
pub(super) struct Change {
    pub(super) name: Option<&'static Line>,
    pub(super) permissions: Option<&'static List>,
    pub(super) personal_data: Option<bool>,
    pub(super) allowed_ips: Option<&'static List>,
}

/// An instant so many seconds after `now`, or before it.
pub(super) fn shifted(now: Timestamp, seconds: i64) -> Timestamp {
    Timestamp::from_unix_micros(now.unix_micros() + seconds * 1_000_000)
}
