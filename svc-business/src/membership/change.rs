//! Making somebody a member, changing their role, ending it: the work of the
//! company's holders and administrators, and of the operator.
//!
//! `by` is what the caller is in the company. The operator stands above the
//! rules about roles and passes [`Role::Holder`].

use svc_core::audit::Action;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, UserId};
use svc_core::resource::Version;
use svc_core::role::Role;
use svc_core::unit::Call;
use thiserror::Error;

use crate::account::{Account, AccountStatus};
use crate::membership::rules::{allow, keep_a_holder};
use crate::membership::{Membership, MembershipStatus, log};
use crate::ports::BusinessUnit;
use crate::user::UserStatus;

/// Why a membership is not changed.
#[derive(Debug, Error)]
pub enum ChangeError {
    /// There is no such company, or it was merged.
    #[error("no such account")]
    UnknownAccount,
    /// There is no such person, or they are disabled.
    #[error("no such user")]
    UnknownUser,
    /// The person is no member.
    #[error("the user is not a member of the account")]
    NotMember,
    /// The membership is not at the version that the client expects.
    #[error("the membership is at version {current}")]
    VersionConflict {
        /// The present version.
        current: Version,
    },
    /// The caller neither holds nor administers the company.
    #[error("only holders and administrators change memberships")]
    AdministratorsOnly,
    /// An administrator may neither remove or demote a holder nor make somebody one.
    #[error("only a holder may remove or demote a holder, or make somebody a holder")]
    HoldersOnly,
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
/// [`ChangeError`] but for [`ChangeError::NotMember`] and [`ChangeError::VersionConflict`];
/// nothing was changed.
pub async fn add(
    unit: &dyn BusinessUnit,
    call: Call<'_>,
    by: Role,
    account: AccountId,
    user: UserId,
    role: Role,
) -> Result<Membership, ChangeError> {
    let company = company(unit, call, account).await?;
    let before = unit.people().membership(account, user).await?;
    allow(by, before.as_ref(), Some(role))?;
    let person = unit.people().user(user).await?.filter(|person| person.status == UserStatus::Active);
    if person.is_none() {
        return Err(ChangeError::UnknownUser);
    }
    let Some(before) = before else {
        let membership = Membership::granted(account, user, role, call);
        unit.people().insert_membership(&membership).await?;
        log(unit, call, Action::MemberAdd, None, &membership).await?;
        return Ok(membership);
    };
    if before.status == MembershipStatus::Active {
        return give(unit, call, &company, before, role).await;
    }
    let joins = matches!(before.status, MembershipStatus::Ended);
    let after = Membership {
        role,
        status: MembershipStatus::Active,
        invited_at: if joins { call.now } else { before.invited_at },
        accepted_at: before.accepted_at.filter(|_| !joins).or(Some(call.now)),
        ..before.clone()
    };
    save(unit, call, Action::MemberAdd, &before, after).await
}

/// Gives a member another role; the one that they have changes nothing.
///
/// # Errors
/// [`ChangeError`] but for [`ChangeError::UnknownUser`]; nothing was changed.
pub async fn change_role(
    unit: &dyn BusinessUnit,
    call: Call<'_>,
    by: Role,
    account: AccountId,
    user: UserId,
    expected: Option<Version>,
    role: Role,
) -> Result<Membership, ChangeError> {
    let company = company(unit, call, account).await?;
    let before = member(unit, account, user, expected).await?;
    allow(by, Some(&before), Some(role))?;
    give(unit, call, &company, before, role).await
}

/// Ends a membership.
///
/// # Errors
/// [`ChangeError`] but for [`ChangeError::UnknownUser`]; nothing was changed.
pub async fn end(
    unit: &dyn BusinessUnit,
    call: Call<'_>,
    by: Role,
    account: AccountId,
    user: UserId,
    expected: Option<Version>,
) -> Result<Membership, ChangeError> {
    let company = company(unit, call, account).await?;
    let before = member(unit, account, user, expected).await?;
    allow(by, Some(&before), None)?;
    keep_a_holder(unit, &company, &before).await?;
    let after = Membership { status: MembershipStatus::Ended, ..before.clone() };
    save(unit, call, Action::MemberRemove, &before, after).await
}

async fn company(unit: &dyn BusinessUnit, call: Call<'_>, id: AccountId) -> Result<Account, ChangeError> {
    let found = unit.accounts().find(call.scope, id).await?;
    found
        .filter(|account| !matches!(account.status, AccountStatus::Merged { .. }))
        .ok_or(ChangeError::UnknownAccount)
}

/// The membership of somebody who has not left, at the version that the client expects.
async fn member(
    unit: &dyn BusinessUnit,
    account: AccountId,
    user: UserId,
    expected: Option<Version>,
) -> Result<Membership, ChangeError> {
    let found = unit.people().membership(account, user).await?;
    let member = found
        .filter(|membership| membership.status != MembershipStatus::Ended)
        .ok_or(ChangeError::NotMember)?;
    match expected {
        Some(expected) if expected != member.version => {
            Err(ChangeError::VersionConflict { current: member.version })
        }
        Some(_) | None => Ok(member),
    }
}

async fn give(
    unit: &dyn BusinessUnit,
    call: Call<'_>,
    company: &Account,
    before: Membership,
    role: Role,
) -> Result<Membership, ChangeError> {
    if before.role == role {
        return Ok(before);
    }
    keep_a_holder(unit, company, &before).await?;
    let after = Membership { role, ..before.clone() };
    save(unit, call, Action::MemberUpdate, &before, after).await
}

/// Saves `after` as the next version of `before` and writes the change down.
async fn save(
    unit: &dyn BusinessUnit,
    call: Call<'_>,
    action: Action,
    before: &Membership,
    after: Membership,
) -> Result<Membership, ChangeError> {
    let after = Membership { version: before.version.next(), updated_at: call.now, ..after };
    unit.people().replace_membership(before.version, &after).await?;
    log(unit, call, action, Some(before), &after).await?;
    Ok(after)
}
