//! A member of a company, as it is shown.

use http::StatusCode;
use serde::Serialize;
use svc_business::membership::{Member, MembershipStatus};
use svc_business::party::Email;
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, MembershipId, UserId};
use svc_core::pii::{PiiAccess, Shown};
use utoipa::ToSchema;

use crate::answer::Answer;

/// A member of a company.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Member)]
pub(crate) struct View {
    #[schema(value_type = String)]
    id: MembershipId,
    /// `membership`
    object: &'static str,
    #[schema(value_type = String)]
    company_id: AccountId,
    version: i64,
    /// `null` for who was invited by e-mail address, until they accept.
    #[schema(value_type = Option<String>)]
    user_id: Option<UserId>,
    /// `null` until the person accepts for the first time.
    name: Option<String>,
    /// Until the person accepts for the first time, the address that they were invited by, if they were.
    email: Option<String>,
    /// Masked but for the last three digits; `null` until the person accepts for the first time.
    #[schema(value_type = Option<String>)]
    phone: Option<Shown<String>>,
    /// `holder`, `administrator`, `manager`, `accountant`, `employee` or `auditor`
    role: &'static str,
    /// `invited` (no role yet), `expired` (no answer within 14 days), `active` or `suspended`; `ended` in
    /// the answer that ends it
    status: &'static str,
    #[schema(value_type = String)]
    invited_at: Timestamp,
    /// `null` until the person accepts.
    #[schema(value_type = Option<String>)]
    accepted_at: Option<Timestamp>,
    #[schema(value_type = String)]
    created_at: Timestamp,
    #[schema(value_type = String)]
    updated_at: Timestamp,
}

impl View {
    pub(super) fn of(member: &Member, access: PiiAccess, now: Timestamp) -> Self {
        let membership = &member.membership;
        let invited = membership.status == MembershipStatus::Invited;
        let Person { id, name, email, phone } = Person::of(member, access);
        Self {
            id: membership.id,
            object: "membership",
            company_id: membership.account,
            version: membership.version.as_i64(),
            user_id: id,
            name,
            email,
            phone,
            role: membership.role.name(),
            status: membership.state(now),
            invited_at: membership.invited_at,
            // Of an earlier membership that ended it tells nothing.
            accepted_at: membership.accepted_at.filter(|_| !invited),
            created_at: membership.created_at,
            updated_at: membership.updated_at,
        }
    }
}

/// As much of a person as the company may know.
struct Person {
    id: Option<UserId>,
    name: Option<String>,
    email: Option<String>,
    phone: Option<Shown<String>>,
}

impl Person {
    /// Who never accepted is shown as they were named, and no more: nobody has only to invite to learn
    /// who stands behind an address or an id.
    fn of(Member { membership, user, phone }: &Member, access: PiiAccess) -> Self {
        let text = |email: &Email| email.as_str().to_owned();
        if membership.is_disclosed() {
            return Self {
                id: Some(membership.user),
                name: Some(user.name.clone()),
                email: Some(text(&user.email)),
                phone: phone.as_ref().map(|phone| phone.show(access)),
            };
        }
        let email = membership.invited_email.as_ref().map(text);
        Self { id: email.is_none().then_some(membership.user), name: None, email, phone: None }
    }
}

/// The answer that shows one member.
pub(super) fn answer(status: StatusCode, member: Member, now: Timestamp) -> Answer {
    let (version, company) = (member.membership.version, member.membership.account);
    Answer::personal(status, move |access| View::of(&member, access, now)).version(version).of(company)
}
