//! Answering an invitation: the work of the invited person alone.

use svc_core::audit::Action;
use svc_core::refused::Refused;

use crate::membership::opening::{OpenedInvitation, save};
use crate::membership::rules::still_offered;
use crate::membership::{ChangeError, Invitation, Membership};

/// Becomes an active member.
///
/// # Errors
/// [`ChangeError::Illegal`] unless they are invited, not too long ago; [`ChangeError::OfferLapsed`] when the
/// inviter could not invite them now; [`Refused::Store`]. Nothing was changed.
pub async fn accept(opened: OpenedInvitation<'_>) -> Result<Invitation, Refused<ChangeError>> {
    let after = opened.invitation.membership.clone().accept(opened.call.now);
    let after = after.map_err(ChangeError::from)?;
    still_offered(opened.unit, &opened.invitation.membership).await?;
    opened.save(Action::MemberAccept, after).await
}

/// Ends the invitation, whatever became of the offer.
///
/// # Errors
/// [`ChangeError::Illegal`], [`Refused::Store`]; nothing was changed.
pub async fn decline(opened: OpenedInvitation<'_>) -> Result<Invitation, Refused<ChangeError>> {
    let after = opened.invitation.membership.clone().decline(opened.call.now);
    let after = after.map_err(ChangeError::from)?;
    opened.save(Action::MemberDecline, after).await
}

impl OpenedInvitation<'_> {
    async fn save(self, action: Action, after: Membership) -> Result<Invitation, Refused<ChangeError>> {
        let Self { unit, call, invitation } = self;
        let membership = save(unit, call, action, &invitation.membership, after).await?;
        Ok(Invitation { membership, ..invitation })
    }
}
