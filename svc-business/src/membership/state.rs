//! The life of a membership, domain part 2.2.
//!
//! | step | from | to | by |
//! |---|---|---|---|
//! | `invite` | nothing, ended | invited | holders and administrators |
//! | `accept` | invited | active | the person |
//! | `decline` | invited | ended | the person |
//! | `grant` | nothing, invited, suspended, ended | active | the operator |
//! | `give role` | invited, active, suspended | the same | holders and administrators |
//! | `end` | invited, active, suspended | ended | holders and administrators |
//!
//! Only an active membership gives a role. Who never accepted one is a stranger
//! to the company, whatever they were invited to; who did is a former member
//! until they accept again.

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, MembershipId, TypedId, UserId};
use svc_core::resource::Version;
use svc_core::role::Role;
use svc_core::unit::Call;
use thiserror::Error;

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
    /// Who invited them; `None` for the operator.
    pub invited_by: Option<UserId>,
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
#[error("a membership that is {} does not allow `{step}`", .status.name())]
pub struct IllegalStep {
    /// The step, as the module names it.
    pub step: &'static str,
    /// The state that it met.
    pub status: MembershipStatus,
}

impl MembershipStatus {
    /// Every state.
    pub const ALL: [Self; 4] = [Self::Invited, Self::Active, Self::Suspended, Self::Ended];

    /// The wire name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Invited => "invited",
            Self::Active => "active",
            Self::Suspended => "suspended",
            Self::Ended => "ended",
        }
    }
}

impl Membership {
    /// An invitation that begins now.
    #[must_use]
    pub fn invited(account: AccountId, user: UserId, role: Role, by: Option<UserId>, call: Call<'_>) -> Self {
        Self {
            id: MembershipId::generate(call.now, call.random),
            user,
            account,
            role,
            status: MembershipStatus::Invited,
            invited_at: call.now,
            invited_by: by,
            accepted_at: None,
            version: Version::FIRST,
            created_at: call.now,
            updated_at: call.now,
        }
    }

    /// An active membership that begins now.
    #[must_use]
    pub fn granted(account: AccountId, user: UserId, role: Role, call: Call<'_>) -> Self {
        let invited = Self::invited(account, user, role, None, call);
        Self { status: MembershipStatus::Active, accepted_at: Some(call.now), ..invited }
    }

    /// Invites somebody whose membership ended.
    ///
    /// # Errors
    /// [`IllegalStep`] unless it ended.
    pub fn invite(self, role: Role, by: Option<UserId>, now: Timestamp) -> Result<Self, IllegalStep> {
        match self.status {
            MembershipStatus::Ended => {
                let invited = Self { role, invited_at: now, invited_by: by, ..self };
                Ok(invited.moved_to(MembershipStatus::Invited, now))
            }
            status @ (MembershipStatus::Invited | MembershipStatus::Active | MembershipStatus::Suspended) => {
                Err(IllegalStep { step: "invite", status })
            }
        }
    }

    /// The person accepts.
    ///
    /// # Errors
    /// [`IllegalStep`] unless they are invited.
    pub fn accept(self, now: Timestamp) -> Result<Self, IllegalStep> {
        let invited = self.in_question("accept")?;
        Ok(Self { accepted_at: Some(now), ..invited }.moved_to(MembershipStatus::Active, now))
    }

    /// The person declines.
    ///
    /// # Errors
    /// [`IllegalStep`] unless they are invited.
    pub fn decline(self, now: Timestamp) -> Result<Self, IllegalStep> {
        Ok(self.in_question("decline")?.moved_to(MembershipStatus::Ended, now))
    }

    /// Makes it active without asking the person.
    ///
    /// # Errors
    /// [`IllegalStep`] when it is active.
    pub fn grant(self, role: Role, now: Timestamp) -> Result<Self, IllegalStep> {
        let granted = match self.status {
            MembershipStatus::Active => {
                return Err(IllegalStep { step: "grant", status: self.status });
            }
            MembershipStatus::Suspended => Self { role, ..self },
            MembershipStatus::Invited => Self { role, accepted_at: Some(now), ..self },
            MembershipStatus::Ended => {
                Self { role, invited_at: now, invited_by: None, accepted_at: Some(now), ..self }
            }
        };
        Ok(granted.moved_to(MembershipStatus::Active, now))
    }

    /// Gives another role, or offers it to who is invited.
    ///
    /// # Errors
    /// [`IllegalStep`] when it ended.
    pub fn give_role(self, role: Role, now: Timestamp) -> Result<Self, IllegalStep> {
        let status = self.going_on("give role")?;
        Ok(Self { role, ..self }.moved_to(status, now))
    }

    /// Ends it; an invitation is withdrawn.
    ///
    /// # Errors
    /// [`IllegalStep`] when it ended already.
    pub fn end(self, now: Timestamp) -> Result<Self, IllegalStep> {
        self.going_on("end")?;
        Ok(self.moved_to(MembershipStatus::Ended, now))
    }

    fn in_question(self, step: &'static str) -> Result<Self, IllegalStep> {
        match self.status {
            MembershipStatus::Invited => Ok(self),
            status @ (MembershipStatus::Active | MembershipStatus::Suspended | MembershipStatus::Ended) => {
                Err(IllegalStep { step, status })
            }
        }
    }

    fn going_on(&self, step: &'static str) -> Result<MembershipStatus, IllegalStep> {
        match self.status {
            status @ (MembershipStatus::Invited | MembershipStatus::Active | MembershipStatus::Suspended) => {
                Ok(status)
            }
            MembershipStatus::Ended => Err(IllegalStep { step, status: self.status }),
        }
    }

    fn moved_to(self, status: MembershipStatus, now: Timestamp) -> Self {
        Self { status, version: self.version.next(), updated_at: now, ..self }
    }
}
