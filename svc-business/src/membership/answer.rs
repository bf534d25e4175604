//! Answering an invitation: the work of the invited person alone.
//!
//! `person` is who is signed in. Nobody else's membership is found by it,
//! whatever they are in the company.

use svc_core::audit::Action;
use svc_core::clock::Timestamp;
use svc_core::id::{MembershipId, UserId};
use svc_core::resource::Version;
use svc_core::unit::Call;

use crate::membership::change::{at, save};
use crate::membership::{ChangeError, IllegalStep, Membership};
use crate::ports::BusinessUnit;

/// Becomes an active member.
///
/// # Errors
/// [`ChangeError::NotMember`] unless the membership is the person's, in a company that was not
/// merged; [`ChangeError::Illegal`] unless they are invited; [`ChangeError::VersionConflict`];
/// [`ChangeError::Store`]. Nothing was changed.
pub async fn accept(
    unit: &dyn BusinessUnit,
    call: Call<'_>,
    person: UserId,
    id: MembershipId,
    expected: Option<Version>,
) -> Result<Membership, ChangeError> {
    answer(unit, call, (person, id, expected), Action::MemberAccept, Membership::accept).await
}

/// Ends the invitation.
///
/// # Errors
/// As [`accept`].
pub async fn decline(
    unit: &dyn BusinessUnit,
    call: Call<'_>,
    person: UserId,
    id: MembershipId,
    expected: Option<Version>,
) -> Result<Membership, ChangeError> {
    answer(unit, call, (person, id, expected), Action::MemberDecline, Membership::decline).await
}

async fn answer(
    unit: &dyn BusinessUnit,
    call: Call<'_>,
    (person, id, expected): (UserId, MembershipId, Option<Version>),
    action: Action,
    step: fn(Membership, Timestamp) -> Result<Membership, IllegalStep>,
) -> Result<Membership, ChangeError> {
    let found = unit.people().invitation(person, id).await?.ok_or(ChangeError::NotMember)?;
    let before = at(found.membership, expected)?;
    let after = step(before.clone(), call.now)?;
    save(unit, call, action, &before, after).await
}
