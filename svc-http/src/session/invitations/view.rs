//! An invitation, as the invited person sees it.

use svc_business::membership::{Invitation, MembershipStatus};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, MembershipId, UserId};
use svc_core::role::Role;
use svc_core::wire::Form;
use svc_core::wire_view;

wire_view! {
    /// A membership that its person was invited to.
    pub(super) struct View as "Invitation" {
        /// Of the membership.
        id: MembershipId,
        object: &'static str => Form::one_of(&["membership"]),
        company_id: AccountId,
        /// What the company is called.
        legal_name: String => Form::ANY.example("Ferretería Sol SL"),
        version: i64,
        /// What they would be there.
        role: Role,
        /// As long as it is not answered, that of an invitation.
        status: MembershipStatus,
        invited_at: Timestamp,
        /// `null` for the operator of the service.
        invited_by: Option<Inviter>,
        /// `null` until it is accepted.
        accepted_at: Option<Timestamp> => Form::ANY.json("null"),
    }
}

wire_view! {
    /// Who invited.
    struct Inviter as "Inviter" {
        id: UserId,
        name: String => Form::ANY.example("Ana Ruiz"),
    }
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
            role: membership.role,
            status: membership.status,
            invited_at: membership.invited_at,
            invited_by: inviter.as_ref().map(|user| Inviter { id: user.id, name: user.name.clone() }),
            // Of an earlier membership that ended it tells nothing here.
            accepted_at: membership.accepted_at.filter(|_| active),
        }
    }
}
