//! Who is what in a company (specification, domain part 2.2).
//!
//! A person becomes a member only by their own will: holders and administrators
//! [`invite`], and the person [`accept`]s or [`decline`]s. Until then the
//! invitation gives no role and no reach, tells the company nothing of the
//! person, and lasts no longer than two weeks, nor than the right of its
//! inviter to offer the role. A mail takes a link to its person; an address
//! without a person gets one who cannot sign in yet, and who founds
//! themselves behind the link. The operator, who founds companies
//! and repairs them, [`add`]s without asking.

mod answer;
mod audit;
mod change;
mod link;
mod opening;
mod ports;
mod rules;
mod state;

use svc_core::pii::Pii;

pub use self::answer::{accept, decline};
pub(crate) use self::audit::log;
pub use self::change::{
    ChangeError, Guest, MOST_INVITATIONS_A_DAY, MOST_OPEN_INVITATIONS, add, change_role, end, invite,
};
pub use self::link::{InvitationHash, InvitationLink, Linked, invited_by_mail, send_again};
pub use self::opening::{OpenedInvitation, OpenedMembership, open, open_invitation};
pub use self::ports::{PeopleReader, PeopleStore};
pub(crate) use self::rules::judge_member;
pub use self::state::{IllegalStep, Membership, MembershipStatus, Offer};
use crate::party::Phone;
use crate::user::User;

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

impl Member {
    /// The person as far as the company may know them: who never accepted to be a member is a stranger.
    #[must_use]
    pub fn person(&self) -> Option<&User> {
        self.membership.is_disclosed().then_some(&self.user)
    }
}

/// A membership as its own person sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// The membership.
    pub membership: Membership,
    /// What the company is called.
    pub legal_name: String,
    /// Who invited them; `None` for the operator.
    pub inviter: Option<User>,
}
