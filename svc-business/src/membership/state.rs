//! The life of a membership (specification, domain part 2.2).
//!
//! | step | from | to | by |
//! |---|---|---|---|
//! | `invite` | nothing, ended, invited and expired | invited | holders and administrators |
//! | `accept` | invited, not expired | active | the person |
//! | `decline` | invited | ended | the person |
//! | `grant` | nothing, invited, suspended, ended | active | the operator |
//! | `give role` | invited, active, suspended | the same | holders and administrators |
//! | `end` | invited, active, suspended | ended | holders and administrators |
//!
//! An invitation without an answer expires after [`Membership::OPEN_FOR`].
//!
//! Only an active membership gives a role. Who never accepted one is a stranger
//! to the company, whatever they were invited to; who did is a former member
//! until they accept again. What a person is called and how they are reached is
//! no business of a company of which they never accepted to be a member
//! ([`Membership::is_disclosed`]).

use std::fmt;
use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, MembershipId, TypedId, UserId};
use svc_core::resource::Version;
use svc_core::role::Role;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::party::Email;

/// A person's role in one company.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership {
    /// Its id.
    pub id: MembershipId,
    /// The person.
    pub user: UserId,
    /// The company.
    pub account: AccountId,
    /// What they are there, or would be if they accepted.
    pub role: Role,
    /// Where the membership is in its life.
    pub status: MembershipStatus,
    /// When they were last invited, or added without being asked.
    pub invited_at: Timestamp,
    /// Who invited them, or last changed what they are offered; `None` for the operator.
    pub invited_by: Option<UserId>,
    /// The address by which they were invited, as it was sent, until they accept; `None` for who was
    /// invited by id.
    pub invited_email: Option<Email>,
    /// When they last accepted, or were added: an invitation after the end leaves it as it was.
    pub accepted_at: Option<Timestamp>,
    /// Counts its changes.
    pub version: Version,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// Where a membership is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MembershipStatus {
    /// `invited`
    Invited,
    /// `active`
    Active,
    /// `suspended`
    Suspended,
    /// `ended`
    Ended,
}

/// A step that the membership's state does not allow.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub struct IllegalStep {
    /// The step, as the module names it.
    pub step: &'static str,
    /// The state that it met.
    pub status: MembershipStatus,
    /// Whether it is an invitation that came too late to be answered.
    pub expired: bool,
}

/// What a person is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// What they would be.
    pub role: Role,
    /// Who offers it; `None` for the operator.
    pub by: Option<UserId>,
    /// The address by which they are invited; `None` when they are by id.
    pub email: Option<Email>,
}

svc_core::wire_names!(MembershipStatus {
    Invited = "invited",
    Active = "active",
    Suspended = "suspended",
    Ended = "ended",
});

impl IllegalStep {
    /// The wire name of the state that it met: that of an invitation may be `expired`.
    #[must_use]
    pub const fn shown(&self) -> &'static str {
        if self.expired { EXPIRED } else { self.status.name() }
    }
}

impl fmt::Display for IllegalStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a membership that is {} does not allow `{}`", self.shown(), self.step)
    }
}

/// How the state of an invitation that came to nothing is called.
const EXPIRED: &str = "expired";

impl Membership {
    /// How long an invitation can be accepted.
    pub const OPEN_FOR: Duration = Duration::from_hours(14 * 24);

    /// An invitation that begins now.
    #[must_use]
    pub fn invited(account: AccountId, user: UserId, offer: Offer, call: CallContext<'_>) -> Self {
        Self {
            id: MembershipId::generate(call.now, call.random),
            user,
            account,
            role: offer.role,
            status: MembershipStatus::Invited,
            invited_at: call.now,
            invited_by: offer.by,
            invited_email: offer.email,
            accepted_at: None,
            version: Version::FIRST,
            created_at: call.now,
            updated_at: call.now,
        }
    }

    /// An active membership that begins now.
    #[must_use]
    pub fn granted(account: AccountId, user: UserId, role: Role, call: CallContext<'_>) -> Self {
        let invited = Self::invited(account, user, Offer { role, by: None, email: None }, call);
        Self { status: MembershipStatus::Active, accepted_at: Some(call.now), ..invited }
    }

    /// Whether it is an invitation that can be accepted no more.
    #[must_use]
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.status == MembershipStatus::Invited && self.invited_at.plus(Self::OPEN_FOR) <= now
    }

    /// The wire name of its state: that of an invitation may be `expired`.
    #[must_use]
    pub fn state(&self, now: Timestamp) -> &'static str {
        if self.is_expired(now) { EXPIRED } else { self.status.name() }
    }

    /// Whether the company may know who the person is: they accepted to be a member once.
    #[must_use]
    pub fn is_disclosed(&self) -> bool {
        self.accepted_at.is_some()
    }

    /// Invites a person whose membership ended, or whose invitation expired.
    ///
    /// # Errors
    /// [`IllegalStep`] unless it did.
    pub fn invite(self, offer: Offer, now: Timestamp) -> Result<Self, IllegalStep> {
        match self.status {
            MembershipStatus::Invited if !self.is_expired(now) => Err(self.illegal("invite", now)),
            MembershipStatus::Ended | MembershipStatus::Invited => {
                let Offer { role, by, email } = offer;
                let invited = Self { role, invited_at: now, invited_by: by, invited_email: email, ..self };
                Ok(invited.moved_to(MembershipStatus::Invited, now))
            }
            MembershipStatus::Active | MembershipStatus::Suspended => Err(self.illegal("invite", now)),
        }
    }

    /// The person accepts.
    ///
    /// # Errors
    /// [`IllegalStep`] unless they are invited, not too long ago.
    pub fn accept(self, now: Timestamp) -> Result<Self, IllegalStep> {
        if self.is_expired(now) {
            return Err(self.illegal("accept", now));
        }
        let invited = self.in_question("accept", now)?;
        let accepted = Self { accepted_at: Some(now), invited_email: None, ..invited };
        Ok(accepted.moved_to(MembershipStatus::Active, now))
    }

    /// The person declines; as late as they like.
    ///
    /// # Errors
    /// [`IllegalStep`] unless they are invited.
    pub fn decline(self, now: Timestamp) -> Result<Self, IllegalStep> {
        Ok(self.in_question("decline", now)?.moved_to(MembershipStatus::Ended, now))
    }

    /// Makes it active without asking the person.
    ///
    /// # Errors
    /// [`IllegalStep`] when it is active.
    pub fn grant(self, role: Role, now: Timestamp) -> Result<Self, IllegalStep> {
        let granted = match self.status {
            MembershipStatus::Active => {
                return Err(self.illegal("grant", now));
            }
            MembershipStatus::Suspended => Self { role, ..self },
            MembershipStatus::Invited => Self { role, accepted_at: Some(now), ..self },
            MembershipStatus::Ended => {
                Self { role, invited_at: now, invited_by: None, accepted_at: Some(now), ..self }
            }
        };
        Ok(Self { invited_email: None, ..granted }.moved_to(MembershipStatus::Active, now))
    }

    /// Gives another role, or offers it to who is invited: then it is `by` who offers it.
    ///
    /// # Errors
    /// [`IllegalStep`] when it ended.
    pub fn give_role(self, role: Role, by: Option<UserId>, now: Timestamp) -> Result<Self, IllegalStep> {
        let status = self.going_on("give role", now)?;
        let invited_by = if status == MembershipStatus::Invited { by } else { self.invited_by };
        Ok(Self { role, invited_by, ..self }.moved_to(status, now))
    }

    /// Ends it; an invitation is withdrawn.
    ///
    /// # Errors
    /// [`IllegalStep`] when it ended already.
    pub fn end(self, now: Timestamp) -> Result<Self, IllegalStep> {
        self.going_on("end", now)?;
        Ok(self.moved_to(MembershipStatus::Ended, now))
    }

    /// Refuses what only an invitation allows that can be accepted still.
    pub(super) fn check_open(&self, step: &'static str, now: Timestamp) -> Result<(), IllegalStep> {
        let open = self.status == MembershipStatus::Invited && !self.is_expired(now);
        if open { Ok(()) } else { Err(self.illegal(step, now)) }
    }

    fn in_question(self, step: &'static str, now: Timestamp) -> Result<Self, IllegalStep> {
        match self.status {
            MembershipStatus::Invited => Ok(self),
            MembershipStatus::Active | MembershipStatus::Suspended | MembershipStatus::Ended => {
                Err(self.illegal(step, now))
            }
        }
    }

    fn illegal(&self, step: &'static str, now: Timestamp) -> IllegalStep {
        IllegalStep { step, status: self.status, expired: self.is_expired(now) }
    }

    fn going_on(&self, step: &'static str, now: Timestamp) -> Result<MembershipStatus, IllegalStep> {
        match self.status {
            status @ (MembershipStatus::Invited | MembershipStatus::Active | MembershipStatus::Suspended) => {
                Ok(status)
            }
            MembershipStatus::Ended => Err(self.illegal(step, now)),
        }
    }

    fn moved_to(self, status: MembershipStatus, now: Timestamp) -> Self {
        Self { status, version: self.version.next(), updated_at: now, ..self }
    }
}
