//! Who may change whose membership, domain part 2.2.

use svc_core::role::Role;

use crate::account::{Account, AccountStatus};
use crate::membership::{ChangeError, Membership, MembershipStatus};
use crate::ports::BusinessUnit;

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

/// Refuses to let the last active holder of an active company go.
pub(super) async fn keep_a_holder(
    unit: &dyn BusinessUnit,
    company: &Account,
    leaving: &Membership,
) -> Result<(), ChangeError> {
    let holds = leaving.role == Role::Holder && leaving.status == MembershipStatus::Active;
    if holds && company.status == AccountStatus::Active && unit.people().holders(company.id).await? <= 1 {
        return Err(ChangeError::LastHolder);
    }
    Ok(())
}
