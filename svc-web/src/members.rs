//! The members of a company: who they are there, and whom it has invited.

pub(crate) mod again;
pub(crate) mod end;
pub(crate) mod invite;
pub(crate) mod list;
pub(crate) mod role;

use svc_business::membership::{Member, MembershipStatus};
use svc_core::clock::Timestamp;
use svc_core::id::MembershipId;
use svc_core::role::Role;
use svc_http::Problem;

use crate::gate::{Administrator, Seen};
use crate::texts::{Companies, Members};

/// Every role, from what may do most.
const ROLES: [Role; 6] =
    [Role::Holder, Role::Administrator, Role::Manager, Role::Accountant, Role::Employee, Role::Auditor];

/// A role as forms offer it.
struct Offer {
    name: &'static str,
    label: &'static str,
    hint: &'static str,
    chosen: bool,
}

/// The roles that this administrator may give: only a holder makes a holder.
fn offers(by: Role, chosen: Option<Role>, t: &Companies) -> Vec<Offer> {
    let may_give = ROLES.into_iter().filter(|role| by == Role::Holder || *role != Role::Holder);
    let offer = |role: Role| Offer {
        name: role.name(),
        label: t.role(role),
        hint: t.role_hint(role),
        chosen: chosen == Some(role),
    };
    may_give.map(offer).collect()
}

/// The member of the path.
async fn found(seen: &Seen<Administrator>) -> Result<Member, Problem> {
    let (id, at) = (seen.id::<MembershipId>()?, seen.at());
    let found = seen.visit.app().business.people().member(&at.scope, at.company.id, id).await?;
    found.ok_or_else(Problem::not_found)
}

/// What a member is called: who never accepted goes by the address that they were invited by.
fn name(member: &Member) -> String {
    let invited = || member.membership.invited_email.as_ref().map(|email| email.as_str().to_owned());
    let named = member.person().map(|person| person.name.clone()).or_else(invited);
    named.unwrap_or_else(|| member.membership.user.to_string())
}

/// How a state is told, and in which colour.
fn state(member: &Member, now: Timestamp, t: &Members) -> (&'static str, &'static str) {
    let membership = &member.membership;
    match membership.status {
        MembershipStatus::Invited if membership.is_expired(now) => (t.expired, "bad"),
        MembershipStatus::Invited => (t.invited, "warn"),
        MembershipStatus::Active => (t.active, "good"),
        MembershipStatus::Suspended => (t.suspended, "warn"),
        MembershipStatus::Ended => (t.ended, "bad"),
    }
}
