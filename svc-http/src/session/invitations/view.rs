//! An invitation, as the invited person sees it.

use serde::Serialize;
use svc_business::membership::{Invitation, MembershipStatus};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, MembershipId, UserId};
use utoipa::ToSchema;

/// A membership that its person was invited to.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Invitation)]
pub(super) struct View {
    /// Of the membership.
    #[schema(value_type = String)]
    id: MembershipId,
    /// `membership`
    object: &'static str,
    #[schema(value_type = String)]
    company_id: AccountId,
    /// What the company is called.
    legal_name: String,
    version: i64,
    /// What they would be there: `holder`, `administrator`, `manager`, `accountant`, `employee` or `auditor`
    role: &'static str,
    /// `invited` until it is answered; then `active` or `ended`
    status: &'static str,
    #[schema(value_type = String)]
    invited_at: Timestamp,
    /// `null` for the operator of the service.
    invited_by: Option<Inviter>,
    /// `null` until it is accepted.
    #[schema(value_type = Option<String>)]
    accepted_at: Option<Timestamp>,
}

/// Who invited.
#[derive(Serialize, ToSchema)]
#[schema(as = Inviter)]
struct Inviter {
    #[schema(value_type = String)]
    id: UserId,
    name: String,
}

impl View {
    pub(super) fn of(invitation: &Invitation) -> Self {
        let Invitation { membership, legal_name, inviter } = invitation;
        let active = membership.status == MembershipStatus::Active;
        Self {
            id: membership.id,
            object: "membership",
            company_id: membership.account,
            legal_name: legal_name.clone(),
            version: membership.version.as_i64(),
            role: membership.role.name(),
            status: membership.status.name(),
            invited_at: membership.invited_at,
            invited_by: inviter.as_ref().map(|user| Inviter { id: user.id, name: user.name.clone() }),
            // Of an earlier membership that ended it tells nothing here.
            accepted_at: membership.accepted_at.filter(|_| active),
        }
    }
}
