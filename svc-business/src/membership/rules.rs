//! Who may change whose membership (specification, domain part 2.2).

use svc_core::error::{StoreError, Validator};
use svc_core::id::{AccountId, UserId};
use svc_core::refused::Refused;
use svc_core::role::Role;
use svc_core::unit::CallContext;

use crate::account::AccountStatus;
use crate::membership::{ChangeError, Membership, MembershipStatus, PeopleStore};
use crate::ports::DynAccountUnit;
use crate::user::UserStatus;

/// Refuses what `by` may not do to a present or former member.
///
/// Holders may do everything, administrators all that concerns no holder:
/// neither take the place of one nor give it. `becomes` is `None` when the
/// membership ends.
pub(super) fn allow(
    by: Role,
    present: Option<&Membership>,
    becomes: Option<Role>,
) -> Result<(), ChangeError> {
    let holds = |membership: &Membership| {
        membership.role == Role::Holder && membership.status != MembershipStatus::Ended
    };
    let concerns_holders = becomes == Some(Role::Holder) || present.is_some_and(holds);
    match by {
        Role::Administrator if concerns_holders => Err(ChangeError::HoldersOnly),
        Role::Holder | Role::Administrator => Ok(()),
        Role::Manager | Role::Accountant | Role::Employee | Role::Auditor => {
            Err(ChangeError::AdministratorsOnly)
        }
    }
}

/// Refuses an invitation by a person who could not make it now: who left, was disabled, or lost the role.
pub(super) async fn still_offered(
    unit: &DynAccountUnit,
    invitation: &Membership,
) -> Result<(), Refused<ChangeError>> {
    // The operator stands above the rules about roles.
    let Some(inviter) = invitation.invited_by else { return Ok(()) };
    let people = unit.people();
    let active = people.user(inviter).await?.is_some_and(|person| person.status == UserStatus::Active);
    let present = people.membership(invitation.account, inviter).await?;
    let role = present.filter(|own| active && own.status == MembershipStatus::Active).map(|own| own.role);
    let role = role.ok_or(ChangeError::OfferLapsed)?;
    Ok(allow(role, None, Some(invitation.role)).map_err(|_| ChangeError::OfferLapsed)?)
}

/// Refuses to let the last active holder of an active company go.
pub(super) async fn keep_a_holder(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    leaving: &Membership,
) -> Result<(), Refused<ChangeError>> {
    let holds = leaving.role == Role::Holder && leaving.status == MembershipStatus::Active;
    if !holds || unit.people().holders(leaving.account).await? > 1 {
        return Ok(());
    }
    // From here on no other unit counts holders: one that reactivates the company does.
    let company = unit.accounts().find(call.scope, leaving.account).await?;
    match company.map(|company| company.status) {
        Some(AccountStatus::Active) => Err(ChangeError::LastHolder.into()),
        Some(AccountStatus::Deactivated { .. } | AccountStatus::Merged { .. }) | None => Ok(()),
    }
}

/// Judges that a person whom a member of an input names is an active member of a company.
pub(crate) async fn judge_member(
    validator: &mut Validator,
    people: &dyn PeopleStore,
    (company, user): (AccountId, UserId),
    field: &str,
) -> Result<(), StoreError> {
    let found = people.membership(company, user).await?;
    let is_active = found.is_some_and(|member| member.status == MembershipStatus::Active);
    let message = "no active member of the company has this id";
    validator.require(is_active, field, "unknown_reference", message);
    Ok(())
}
