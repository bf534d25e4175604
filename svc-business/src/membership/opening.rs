//! The openings of the verbs on a membership: for its company, and for its own person.

use svc_core::audit::Action;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, MembershipId, UserId};
use svc_core::refused::Refused;
use svc_core::resource::Expected;
use svc_core::unit::CallContext;

use crate::account::{Account, AccountStatus};
use crate::membership::{Invitation, Member, Membership, log};
use crate::ports::DynAccountUnit;

/// The membership of a person who has not left, which their company is about to change.
pub struct OpenedMembership<'u> {
    pub(super) unit: &'u DynAccountUnit,
    pub(super) call: CallContext<'u>,
    /// The membership as it is, with the person.
    pub member: Member,
}

/// What a person was offered and is about to answer.
pub struct OpenedInvitation<'u> {
    pub(super) unit: &'u DynAccountUnit,
    pub(super) call: CallContext<'u>,
    pub(super) invitation: Invitation,
}

/// Opens the membership of a person who has not left.
///
/// # Errors
/// [`Refused::UnknownCompany`], also when it was merged; [`Refused::NotFound`], [`Refused::VersionConflict`],
/// [`Refused::Store`].
pub async fn open<'u>(
    unit: &'u DynAccountUnit,
    call: CallContext<'u>,
    company: AccountId,
    id: MembershipId,
    expected: &Expected,
) -> Result<OpenedMembership<'u>, Refused> {
    let company = home(unit, call, company).await?;
    let member = unit.people().member(call.scope, company.id, id).await?.ok_or(Refused::NotFound)?;
    expected.check(member.membership.version)?;
    Ok(OpenedMembership { unit, call, member })
}

/// Opens what `person`, who is signed in, was offered; memberships of other people are not found by them,
/// whatever they are in the company.
///
/// # Errors
/// [`Refused::NotFound`], also when the company was merged; [`Refused::VersionConflict`], [`Refused::Store`].
pub async fn open_invitation<'u>(
    unit: &'u DynAccountUnit,
    call: CallContext<'u>,
    person: UserId,
    id: MembershipId,
    expected: &Expected,
) -> Result<OpenedInvitation<'u>, Refused> {
    let invitation = unit.people().invitation(person, id).await?.ok_or(Refused::NotFound)?;
    expected.check(invitation.membership.version)?;
    Ok(OpenedInvitation { unit, call, invitation })
}

/// The company within the scope, unless it was merged.
pub(super) async fn home(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    id: AccountId,
) -> Result<Account, Refused> {
    let found = unit.accounts().find(call.scope, id).await?;
    found
        .filter(|account| !matches!(account.status, AccountStatus::Merged { .. }))
        .ok_or(Refused::UnknownCompany)
}

/// Keeps `after` in the place of `before` and writes the change down.
pub(super) async fn save(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    action: Action,
    before: &Membership,
    after: Membership,
) -> Result<Membership, StoreError> {
    unit.people().replace_membership(before.version, &after).await?;
    log(unit, call, action, Some(before), &after).await?;
    Ok(after)
}
