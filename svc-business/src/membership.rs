//! Who is what in a company, domain part 2.2.

mod audit;
mod change;
mod rules;

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, MembershipId, TypedId, UserId};
use svc_core::pii::Pii;
use svc_core::resource::Version;
use svc_core::role::Role;
use svc_core::unit::Call;

pub(crate) use self::audit::log;
pub use self::change::{ChangeError, add, change_role, end};
use crate::party::Phone;
use crate::user::User;

/// A person's role in one company.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership {
    /// Its id.
    pub id: MembershipId,
    /// The person.
    pub user: UserId,
    /// The company.
    pub account: AccountId,
    /// What they are there.
    pub role: Role,
    /// Where the membership is in its life.
    pub status: MembershipStatus,
    /// When they were invited.
    pub invited_at: Timestamp,
    /// When they accepted.
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

impl Membership {
    /// An active membership that begins now.
    pub(crate) fn granted(account: AccountId, user: UserId, role: Role, call: Call<'_>) -> Self {
        Self {
            id: MembershipId::generate(call.now, call.random),
            user,
            account,
            role,
            status: MembershipStatus::Active,
            invited_at: call.now,
            accepted_at: Some(call.now),
            version: Version::FIRST,
            created_at: call.now,
            updated_at: call.now,
        }
    }
}

impl MembershipStatus {
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

/// A membership with the person, as the list of a company's members shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The membership.
    pub membership: Membership,
    /// The person.
    pub user: User,
    /// The person's phone, when it is known.
    pub phone: Option<Pii<Phone>>,
}
