//! Answering an invitation: the work of the invited person alone.
//!
//! `person` is who is signed in. Nobody else's membership is found by it,
//! whatever they are in the company.

use svc_core::audit::Action;
use svc_core::id::{MembershipId, UserId};
use svc_core::resource::Expected;
use svc_core::unit::CallContext;

use crate::membership::change::{at, save};
use crate::membership::rules::still_offered;
use crate::membership::{ChangeError, Membership};
use crate::ports::DynAccountUnit;

/// Becomes an active member.
///
/// # Errors
/// [`ChangeError::NotMember`] unless the membership is the person's, in a company that was not
/// merged; [`ChangeError::Illegal`] unless they are invited, not too long ago;
/// [`ChangeError::OfferLapsed`] when whoever invited them could not do it now;
/// [`ChangeError::VersionConflict`]; [`ChangeError::Store`]. Nothing was changed.
pub async fn accept(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    person: UserId,
    id: MembershipId,
    expected: &Expected,
) -> Result<Membership, ChangeError> {
    let before = own(unit, person, id, expected).await?;
    let after = before.clone().accept(call.now)?;
    still_offered(unit, &before).await?;
    save(unit, call, Action::MemberAccept, &before, after).await
}

/// Ends the invitation.
///
/// # Errors
/// As [`accept`], but for what is about the offer: declining is always possible.
pub async fn decline(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    person: UserId,
    id: MembershipId,
    expected: &Expected,
) -> Result<Membership, ChangeError> {
    let before = own(unit, person, id, expected).await?;
    let after = before.clone().decline(call.now)?;
    save(unit, call, Action::MemberDecline, &before, after).await
}

async fn own(
    unit: &DynAccountUnit,
    person: UserId,
    id: MembershipId,
    expected: &Expected,
) -> Result<Membership, ChangeError> {
    let found = unit.people().invitation(person, id).await?.ok_or(ChangeError::NotMember)?;
    at(found.membership, expected)
}
