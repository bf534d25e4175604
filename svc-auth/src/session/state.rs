//! A session and how long it lives.

use std::net::IpAddr;
use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::id::{SessionId, UserId};

use crate::session::Device;
use crate::token::Fingerprint;

/// One sign-in of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its id.
    pub id: SessionId,
    /// The person that is signed in.
    pub user: UserId,
    /// What is kept of its value.
    pub fingerprint: Fingerprint,
    /// When they signed in.
    pub created_at: Timestamp,
    /// When it was last used, to the minute.
    pub last_used_at: Timestamp,
    /// When it ends however much it is used.
    pub expires_at: Timestamp,
    /// From where they signed in.
    pub from: Option<IpAddr>,
    /// With which browser, by its own word.
    pub device: Option<Device>,
    /// Whether the code of the second factor is still owed: until then it opens nothing.
    pub awaits_code: bool,
}

/// How long sessions live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifetime {
    /// Without being used.
    pub idle: Duration,
    /// However much they are used.
    pub absolute: Duration,
}

impl Default for Lifetime {
    fn default() -> Self {
        Self { idle: Duration::from_mins(30), absolute: Duration::from_hours(12) }
    }
}

impl Session {
    /// Whether it still counts.
    #[must_use]
    pub fn is_live(&self, lifetime: Lifetime, now: Timestamp) -> bool {
        now < self.expires_at && now < self.last_used_at.plus(lifetime.idle)
    }
}
