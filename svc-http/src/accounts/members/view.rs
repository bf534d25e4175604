//! A member of a company, as it is shown.

use http::StatusCode;
use svc_business::membership::{Member, MembershipStatus};
use svc_business::party::Email;
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, MembershipId, UserId};
use svc_core::pii::{PiiAccess, Shown};
use svc_core::role::Role;
use svc_core::wire::Form;
use svc_core::wire_view;

use crate::answer::Answer;

wire_view! {
    /// A member of a company.
    #[derive(Debug)]
    pub(crate) struct View as "Member" {
        id: MembershipId,
        object: &'static str => Form::one_of(&["membership"]),
        company_id: AccountId,
        version: i64,
        /// `null` for who was invited by e-mail address, until they accept.
        user_id: Option<UserId>,
        /// `null` until the person accepts for the first time.
        name: Option<String> => Form::ANY.example("Ana Ruiz"),
        /// Until the person accepts for the first time, the address that they were invited by, if they were.
        email: Option<String> => Form::EMAIL.example("ana@example.com"),
        /// Masked but for the last three digits; `null` until the person accepts for the first time.
        phone: Option<Shown<String>>,
        role: Role,
        /// An invitation gives no role yet, and one without an answer within 14 days has expired; only the answer
        /// that ends a membership shows it as ended.
        status: &'static str => Form::one_of(&["invited", "expired", "active", "suspended", "ended"])
            .example("active"),
        invited_at: Timestamp,
        /// `null` until the person accepts.
        accepted_at: Option<Timestamp>,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
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
            role: membership.role,
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
    /// Who never accepted is shown as they were named, and no more: an inviter is not to learn
    /// who stands behind an address or an id.
    fn of(member: &Member, access: PiiAccess) -> Self {
        let text = |email: &Email| email.as_str().to_owned();
        let membership = &member.membership;
        if let Some(user) = member.person() {
            return Self {
                id: Some(user.id),
                name: Some(user.name.clone()),
                email: Some(text(&user.email)),
                phone: member.phone.as_ref().map(|phone| phone.show(access)),
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
