//! Inviting somebody, changing their role, ending it: the work of the company's
//! holders and administrators. Adding them without asking: that of the operator.
//!
//! `by` is what the caller is in the company. The operator stands above the
//! rules about roles and passes [`Role::Holder`].

use svc_core::audit::{Action, Who};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, MembershipId, UserId};
use svc_core::resource::{Expected, Version};
use svc_core::role::Role;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::account::{Account, AccountStatus};
use crate::membership::rules::{allow, keep_a_holder};
use crate::membership::{IllegalStep, Membership, MembershipStatus, Offer, log};
use crate::party::Email;
use crate::ports::DynAccountUnit;
use crate::user::UserStatus;

/// How many invitations of one company can be open at a time: nobody tries out addresses by the thousand.
pub const MOST_OPEN_INVITATIONS: u64 = 20;

/// Whom a company invites, as they were named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guest {
    /// By their id.
    Id(UserId),
    /// By their e-mail address, without regard to case.
    Email(Email),
}

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
    /// Too many invitations of the company are open.
    #[error("the company has {MOST_OPEN_INVITATIONS} open invitations")]
    TooManyInvitations,
    /// Whoever invited the person may no longer offer that role.
    #[error("whoever invited you may no longer offer that role")]
    OfferLapsed,
    /// The person is a member, or invited, already.
    #[error("the person is {} already", .status.name())]
    Present {
        /// The membership.
        id: MembershipId,
        /// Where it is in its life.
        status: MembershipStatus,
    },
    /// The membership's state does not allow the step.
    #[error(transparent)]
    Illegal(#[from] IllegalStep),
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

/// Invites somebody, who may have been a member before, to become one with `role`.
///
/// # Errors
/// [`ChangeError`], [`ChangeError::Present`] among them; nothing was changed.
pub async fn invite(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    by: Role,
    account: AccountId,
    guest: Guest,
    role: Role,
) -> Result<Membership, ChangeError> {
    company(unit, call, account).await?;
    // Who left holds nothing any more: the role that is offered decides.
    allow(by, None, Some(role))?;
    // Before anybody is looked up: at the limit known and unknown addresses have one answer.
    let since = call.now.minus(Membership::OPEN_FOR);
    if unit.people().open_invitations(account, since).await? >= MOST_OPEN_INVITATIONS {
        return Err(ChangeError::TooManyInvitations);
    }
    let (user, email) = match guest {
        Guest::Id(user) => (user, None),
        Guest::Email(email) => {
            let found = unit.people().user_by_email(email.as_str()).await?;
            (found.ok_or(ChangeError::UnknownUser)?.id, Some(email))
        }
    };
    let offer = Offer { role, by: inviter(call), email };
    let before = unit.people().membership(account, user).await?;
    let over = |known: &Membership| known.status == MembershipStatus::Ended || known.is_expired(call.now);
    if let Some(known) = before.as_ref().filter(|known| !over(known)) {
        return Err(ChangeError::Present { id: known.id, status: known.status });
    }
    active_person(unit, user).await?;
    match before {
        Some(before) => {
            let after = before.clone().invite(offer, call.now)?;
            save(unit, call, Action::MemberInvite, &before, after).await
        }
        None => {
            insert(unit, call, Action::MemberInvite, Membership::invited(account, user, offer, call)).await
        }
    }
}

/// The person who acts, as the one who invites.
fn inviter(call: CallContext<'_>) -> Option<UserId> {
    match call.actor.who {
        Who::Person { user, .. } => Some(user),
        Who::Token(_) | Who::Operator | Who::Service(_) => None,
    }
}

/// Makes `user` an active member with `role` without asking them, or gives a member that role.
///
/// # Errors
/// [`ChangeError`] but for [`ChangeError::NotMember`], [`ChangeError::Present`] and
/// [`ChangeError::VersionConflict`]; nothing was changed.
pub async fn add(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    by: Role,
    account: AccountId,
    user: UserId,
    role: Role,
) -> Result<Membership, ChangeError> {
    let company = company(unit, call, account).await?;
    let before = unit.people().membership(account, user).await?;
    allow(by, before.as_ref(), Some(role))?;
    active_person(unit, user).await?;
    match before {
        None => insert(unit, call, Action::MemberAdd, Membership::granted(account, user, role, call)).await,
        Some(before) if before.status == MembershipStatus::Active => {
            give(unit, call, &company, before, role).await
        }
        Some(before) => {
            let after = before.clone().grant(role, call.now)?;
            save(unit, call, Action::MemberAdd, &before, after).await
        }
    }
}

/// Gives a member another role; the one that they have changes nothing.
///
/// # Errors
/// [`ChangeError`] but for [`ChangeError::UnknownUser`]; nothing was changed.
pub async fn change_role(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    by: Role,
    account: AccountId,
    user: UserId,
    expected: &Expected,
    role: Role,
) -> Result<Membership, ChangeError> {
    let company = company(unit, call, account).await?;
    let before = member(unit, account, user, expected).await?;
    allow(by, Some(&before), Some(role))?;
    give(unit, call, &company, before, role).await
}

/// Ends a membership, or withdraws an invitation.
///
/// # Errors
/// [`ChangeError`] but for [`ChangeError::UnknownUser`]; nothing was changed.
pub async fn end(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    by: Role,
    account: AccountId,
    user: UserId,
    expected: &Expected,
) -> Result<Membership, ChangeError> {
    let company = company(unit, call, account).await?;
    let before = member(unit, account, user, expected).await?;
    allow(by, Some(&before), None)?;
    keep_a_holder(unit, &company, &before).await?;
    let after = before.clone().end(call.now)?;
    save(unit, call, Action::MemberRemove, &before, after).await
}

async fn company(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    id: AccountId,
) -> Result<Account, ChangeError> {
    let found = unit.accounts().find(call.scope, id).await?;
    found
        .filter(|account| !matches!(account.status, AccountStatus::Merged { .. }))
        .ok_or(ChangeError::UnknownAccount)
}

async fn active_person(unit: &DynAccountUnit, user: UserId) -> Result<(), ChangeError> {
    let found = unit.people().user(user).await?.filter(|person| person.status == UserStatus::Active);
    found.map(|_| ()).ok_or(ChangeError::UnknownUser)
}

/// The membership of somebody who has not left, at the version that the client expects.
async fn member(
    unit: &DynAccountUnit,
    account: AccountId,
    user: UserId,
    expected: &Expected,
) -> Result<Membership, ChangeError> {
    let found = unit.people().membership(account, user).await?;
    let present = found.filter(|membership| membership.status != MembershipStatus::Ended);
    at(present.ok_or(ChangeError::NotMember)?, expected)
}

/// The membership, if it is at the version that the client expects.
pub(super) fn at(membership: Membership, expected: &Expected) -> Result<Membership, ChangeError> {
    match expected.check(membership.version) {
        Err(_) => Err(ChangeError::VersionConflict { current: membership.version }),
        Ok(()) => Ok(membership),
    }
}

async fn give(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    company: &Account,
    before: Membership,
    role: Role,
) -> Result<Membership, ChangeError> {
    if before.role == role {
        return Ok(before);
    }
    keep_a_holder(unit, company, &before).await?;
    let after = before.clone().give_role(role, inviter(call), call.now)?;
    save(unit, call, Action::MemberUpdate, &before, after).await
}

async fn insert(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    action: Action,
    membership: Membership,
) -> Result<Membership, ChangeError> {
    unit.people().insert_membership(&membership).await?;
    log(unit, call, action, None, &membership).await?;
    Ok(membership)
}

/// Saves `after` in the place of `before` and writes the change down.
pub(super) async fn save(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    action: Action,
    before: &Membership,
    after: Membership,
) -> Result<Membership, ChangeError> {
    unit.people().replace_membership(before.version, &after).await?;
    log(unit, call, action, Some(before), &after).await?;
    Ok(after)
}
