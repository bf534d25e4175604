//! A member of a company, as it is shown.

use http::StatusCode;
use serde::Serialize;
use svc_business::membership::{Member, MembershipStatus};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, MembershipId, UserId};
use svc_core::pii::{Shown, Sight};
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
    #[schema(value_type = String)]
    user_id: UserId,
    name: String,
    email: String,
    /// Masked but for the last three digits.
    #[schema(value_type = Option<String>)]
    phone: Option<Shown<String>>,
    /// `holder`, `administrator`, `manager`, `accountant`, `employee` or `auditor`
    role: &'static str,
    /// `invited` (no role yet), `active` or `suspended`; `ended` in the answer that ends it
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
    pub(super) fn of(member: &Member, sight: Sight) -> Self {
        let (membership, user) = (&member.membership, &member.user);
        let invited = membership.status == MembershipStatus::Invited;
        Self {
            id: membership.id,
            object: "membership",
            company_id: membership.account,
            version: membership.version.as_i64(),
            user_id: membership.user,
            name: user.name.clone(),
            email: user.email.as_str().to_owned(),
            phone: member.phone.as_ref().map(|phone| phone.show(sight)),
            role: membership.role.name(),
            status: membership.status.name(),
            invited_at: membership.invited_at,
            // Of an earlier membership that ended it tells nothing.
            accepted_at: membership.accepted_at.filter(|_| !invited),
            created_at: membership.created_at,
            updated_at: membership.updated_at,
        }
    }
}

/// The answer that shows one member.
pub(super) fn answer(status: StatusCode, member: Member) -> Answer {
    let (version, company) = (member.membership.version, member.membership.account);
    Answer::personal(status, move |sight| View::of(&member, sight)).version(version).of(company)
}
