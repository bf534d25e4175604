//! What a subscription is, and its two states.

use std::collections::BTreeSet;
use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::event::{Event, EventType};
use svc_core::id::{AccountId, SubscriptionId};
use svc_core::resource::Version;
use thiserror::Error;

use crate::endpoint::Endpoint;
use crate::subscription::{Author, CustomHeaders, SigningSecret};

/// Whether events are delivered. A removed subscription is no longer stored at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Events that occur from `since` on are delivered.
    Active {
        /// When it was created or switched on.
        since: Timestamp,
    },
    /// No events are delivered.
    Inactive,
}

/// How far the clocks of two nodes may differ, and how long a request may take
/// from its instant to its commit, before an event after a subscription looks
/// like one before it. Too much of it shows a subscription an event from just
/// before; too little loses one.
pub const CLOCK_SKEW: Duration = Duration::from_secs(5);

/// How many attempts of one subscription may be under way at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InFlight(u16);

impl InFlight {
    /// The least that can be asked for.
    pub const LEAST: Self = Self(1);
    /// What a subscription has that asks for nothing else.
    pub const STANDARD: Self = Self(32);
    /// The most that can be asked for.
    pub const MOST: Self = Self(256);

    /// This number; `None` outside [`InFlight::LEAST`] to [`InFlight::MOST`].
    #[must_use]
    pub fn new(number: u16) -> Option<Self> {
        (Self::LEAST.0..=Self::MOST.0).contains(&number).then_some(Self(number))
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> u16 {
        self.0
    }
}

/// A company's request to be told of some events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    /// Its id.
    pub id: SubscriptionId,
    /// The company whose events it receives.
    pub account: AccountId,
    /// Chosen by the creator.
    pub name: String,
    /// Where notifications go.
    pub endpoint: Endpoint,
    /// Which events, in the order of their names.
    pub events: BTreeSet<EventType>,
    /// The HMAC key.
    pub secret: SigningSecret,
    /// What its notifications carry beside the headers of the contract.
    pub headers: CustomHeaders,
    /// Whether events are delivered.
    pub state: State,
    /// How many attempts may be under way at a time.
    pub in_flight: InFlight,
    /// Who answers for it: who created it, or who last listed its events, moved its URL or switched it on.
    pub author: Author,
    /// Counts its changes.
    pub version: Version,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// The subscription is switched off.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the subscription is inactive")]
pub struct Inactive;

impl Subscription {
    /// Whether it is told of this event: of its company, of a type that it
    /// lists, and not older than its present active time. An event from up to
    /// [`CLOCK_SKEW`] before its creation counts as later.
    #[must_use]
    pub fn wants(&self, event: &Event) -> bool {
        let awake = match self.state {
            // Nothing of the time while it was off: only a subscription that never was gets the allowance.
            State::Active { since } if since == self.created_at => {
                since.minus(CLOCK_SKEW) <= event.occurred_at
            }
            State::Active { since } => since <= event.occurred_at,
            State::Inactive => false,
        };
        awake && event.account() == Some(self.account) && self.events.contains(&event.kind)
    }

    /// Whether events are delivered to it.
    #[must_use]
    pub fn is_active(&self) -> bool {
        match self.state {
            State::Active { .. } => true,
            State::Inactive => false,
        }
    }

    /// Passes when events are delivered to it.
    ///
    /// # Errors
    /// [`Inactive`].
    pub fn require_active(&self) -> Result<(), Inactive> {
        if self.is_active() { Ok(()) } else { Err(Inactive) }
    }

    /// Switched on from `now`, or off. One that is on already keeps its `since`.
    #[must_use]
    pub(super) fn switched(self, active: bool, now: Timestamp) -> Self {
        let state = match (self.state, active) {
            (State::Active { since }, true) => State::Active { since },
            (State::Inactive, true) => State::Active { since: now },
            (State::Active { .. } | State::Inactive, false) => State::Inactive,
        };
        Self { state, ..self }
    }

    /// The next version of it, changed at `now`.
    #[must_use]
    pub(super) fn touched(self, now: Timestamp) -> Self {
        Self { version: self.version.next(), updated_at: now, ..self }
    }
}
