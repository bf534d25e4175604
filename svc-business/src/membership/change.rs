//! Making somebody a member, and ending it: the operator's and the client area's work.

use svc_core::error::StoreError;
use svc_core::id::{AccountId, UserId};
use svc_core::role::Role;
use svc_core::unit::Call;
use thiserror::Error;

use crate::account::{Account, AccountStatus};
use crate::membership::{Membership, MembershipStatus};
use crate::ports::BusinessUnit;
use crate::user::UserStatus;

/// Why a membership is not changed.
#[derive(Debug, Error)]
pub enum ChangeError {
    /// There is no such company, or it was merged.
    #[error("no such account")]
    UnknownAccount,
    /// There is no such person.
    #[error("no such user")]
    UnknownUser,
    /// The person is no member.
    #[error("the user is not a member of the account")]
    NotMember,
    /// An active company keeps at least one holder.
    #[error("the account would be left without a holder")]
    LastHolder,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes `user` an active member with `role`, or gives a present or former member that role.
///
/// # Errors
/// [`ChangeError`]; nothing was changed.
pub async fn add(
    unit: &dyn BusinessUnit,
    call: Call<'_>,
    account: AccountId,
    user: UserId,
    role: Role,
) -> Result<Membership, ChangeError> {
    let company = company(unit, call, account).await?;
    let person = unit.people().user(user).await?.filter(|person| person.status == UserStatus::Active);
    if person.is_none() {
        return Err(ChangeError::UnknownUser);
    }
    let Some(before) = unit.people().membership(account, user).await? else {
        let membership = Membership::granted(account, user, role, call);
        unit.people().insert_membership(&membership).await?;
        return Ok(membership);
    };
    if before.role == role && before.status == MembershipStatus::Active {
        return Ok(before);
    }
    if role != Role::Holder {
        keep_a_holder(unit, &company, &before).await?;
    }
    let joins = matches!(before.status, MembershipStatus::Ended);
    let after = Membership {
        role,
        status: MembershipStatus::Active,
        invited_at: if joins { call.now } else { before.invited_at },
        accepted_at: before.accepted_at.filter(|_| !joins).or(Some(call.now)),
        version: before.version.next(),
        updated_at: call.now,
        ..before.clone()
    };
    unit.people().replace_membership(before.version, &after).await?;
    Ok(after)
}

/// Ends a membership.
///
/// # Errors
/// [`ChangeError`]; nothing was changed.
pub async fn end(
    unit: &dyn BusinessUnit,
    call: Call<'_>,
    account: AccountId,
    user: UserId,
) -> Result<Membership, ChangeError> {
    let company = company(unit, call, account).await?;
    let before = unit.people().membership(account, user).await?;
    let before = before
        .filter(|membership| membership.status != MembershipStatus::Ended)
        .ok_or(ChangeError::NotMember)?;
    keep_a_holder(unit, &company, &before).await?;
    let after = Membership {
        status: MembershipStatus::Ended,
        version: before.version.next(),
        updated_at: call.now,
        ..before.clone()
    };
    unit.people().replace_membership(before.version, &after).await?;
    Ok(after)
}

async fn company(unit: &dyn BusinessUnit, call: Call<'_>, id: AccountId) -> Result<Account, ChangeError> {
    let found = unit.accounts().find(call.scope, id).await?;
    found
        .filter(|account| !matches!(account.status, AccountStatus::Merged { .. }))
        .ok_or(ChangeError::UnknownAccount)
}

/// Refuses to let the last active holder of an active company go.
async fn keep_a_holder(
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
