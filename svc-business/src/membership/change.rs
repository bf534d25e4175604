//! Inviting a person, changing their role, ending it: the work of the company's
//! holders and administrators. Adding one without asking: that of the operator.
//!
//! `by` is what the caller is in the company. The operator stands above the
//! rules about roles and passes [`Role::Holder`].

use std::time::Duration;

use svc_core::audit::Action;
use svc_core::id::{AccountId, MembershipId, UserId};
use svc_core::refused::Refused;
use svc_core::role::Role;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::membership::link;
use crate::membership::opening::{OpenedMembership, home, save};
use crate::membership::rules::{allow, keep_a_holder};
use crate::membership::{IllegalStep, Member, Membership, MembershipStatus, Offer, log};
use crate::party::Email;
use crate::ports::DynAccountUnit;
use crate::user::{self, UserStatus};

/// How many invitations of one company can be open at a time: too few to try out addresses.
pub const MOST_OPEN_INVITATIONS: u64 = 20;

/// How many people one company can invite within a day who do not become members: it is no way to send mail to strangers.
pub const MOST_INVITATIONS_A_DAY: u64 = 60;

const DAY: Duration = Duration::from_hours(24);

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
    /// There is no such person, or they are disabled.
    #[error("no such user")]
    UnknownUser,
    /// Too many invitations of the company are open.
    #[error("the company has {MOST_OPEN_INVITATIONS} open invitations")]
    TooManyInvitations,
    /// The company has invited too many people today who are no members.
    #[error("the company has invited {MOST_INVITATIONS_A_DAY} people within a day who are no members")]
    TooManyToday,
    /// The inviter may no longer offer that role.
    #[error("the inviter may no longer offer that role")]
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
    /// The caller neither holds nor administers the company.
    #[error("only holders and administrators change memberships")]
    AdministratorsOnly,
    /// An administrator may neither remove or demote a holder nor make a person one.
    #[error("only a holder may remove or demote a holder, or make a person a holder")]
    HoldersOnly,
    /// An active company keeps at least one holder.
    #[error("the account would be left without a holder")]
    LastHolder,
}

impl From<ChangeError> for Refused<ChangeError> {
    fn from(own: ChangeError) -> Self {
        Self::Own(own)
    }
}

/// Invites a person, who may have been a member before, to become one with `role`. A mail takes a link to them.
///
/// An e-mail address is invited whether or not a person has it: the answer is the same. One that no person has gets a
/// person, who cannot sign in before they came by the link. To one who is disabled no mail goes out.
///
/// # Errors
/// [`ChangeError`]; [`Refused::UnknownCompany`], also when it was merged; [`Refused::Store`]. Nothing was changed.
pub async fn invite(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    by: Role,
    account: AccountId,
    guest: Guest,
    role: Role,
) -> Result<Membership, Refused<ChangeError>> {
    let company = home(unit, call, account).await.map_err(Refused::widen)?;
    // Who left holds nothing any more: the role that is offered decides.
    allow(by, None, Some(role))?;
    // Before any person is looked up: at the limit known and unknown addresses have one answer.
    let since = call.now.minus(Membership::OPEN_FOR);
    if unit.people().open_invitations(account, since).await? >= MOST_OPEN_INVITATIONS {
        return Err(ChangeError::TooManyInvitations.into());
    }
    if unit.people().invited_in_vain(account, call.now.minus(DAY)).await? >= MOST_INVITATIONS_A_DAY {
        return Err(ChangeError::TooManyToday.into());
    }
    let (user, email) = match guest {
        Guest::Id(user) => {
            active_person(unit, user).await?;
            (user, None)
        }
        Guest::Email(email) => {
            let found = unit.people().user_by_email(email.as_str()).await?;
            let person = match found {
                Some(person) => person,
                None => user::awaited(unit, call, email.clone(), company.language).await?,
            };
            (person.id, Some(email))
        }
    };
    let offer = Offer { role, by: call.actor.user(), email };
    let before = unit.people().membership(account, user).await?;
    let over = |known: &Membership| known.status == MembershipStatus::Ended || known.is_expired(call.now);
    if let Some(known) = before.as_ref().filter(|known| !over(known)) {
        return Err(ChangeError::Present { id: known.id, status: known.status }.into());
    }
    let invited = match before {
        Some(before) => {
            let after = before.clone().invite(offer, call.now).map_err(ChangeError::from)?;
            save(unit, call, Action::MemberInvite, &before, after).await?
        }
        None => {
            insert(unit, call, Action::MemberInvite, Membership::invited(account, user, offer, call)).await?
        }
    };
    link::put(unit, call, &invited).await?;
    Ok(invited)
}

/// Makes `user` an active member with `role` without asking them, or gives a member that role.
///
/// # Errors
/// [`ChangeError`] but for [`ChangeError::Present`]; [`Refused::UnknownCompany`], also when it was merged;
/// [`Refused::Store`]. Nothing was changed.
pub async fn add(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    by: Role,
    account: AccountId,
    user: UserId,
    role: Role,
) -> Result<Membership, Refused<ChangeError>> {
    home(unit, call, account).await.map_err(Refused::widen)?;
    let before = unit.people().membership(account, user).await?;
    allow(by, before.as_ref(), Some(role))?;
    active_person(unit, user).await?;
    match before {
        None => insert(unit, call, Action::MemberAdd, Membership::granted(account, user, role, call)).await,
        Some(before) if before.status == MembershipStatus::Active => give(unit, call, before, role).await,
        Some(before) => {
            let after = before.clone().grant(role, call.now).map_err(ChangeError::from)?;
            Ok(save(unit, call, Action::MemberAdd, &before, after).await?)
        }
    }
}

/// Gives a member another role; the one that they have changes nothing.
///
/// # Errors
/// [`ChangeError`], [`Refused::Store`]; nothing was changed.
pub async fn change_role(
    opened: OpenedMembership<'_>,
    by: Role,
    role: Role,
) -> Result<Member, Refused<ChangeError>> {
    let OpenedMembership { unit, call, member, .. } = opened;
    allow(by, Some(&member.membership), Some(role))?;
    let membership = give(unit, call, member.membership, role).await?;
    Ok(Member { membership, ..member })
}

/// Ends a membership, or withdraws an invitation.
///
/// # Errors
/// [`ChangeError`], [`Refused::Store`]; nothing was changed.
pub async fn end(opened: OpenedMembership<'_>, by: Role) -> Result<Member, Refused<ChangeError>> {
    let OpenedMembership { unit, call, member, .. } = opened;
    let before = &member.membership;
    allow(by, Some(before), None)?;
    keep_a_holder(unit, call, before).await?;
    let after = before.clone().end(call.now).map_err(ChangeError::from)?;
    let membership = save(unit, call, Action::MemberRemove, before, after).await?;
    Ok(Member { membership, ..member })
}

async fn active_person(unit: &DynAccountUnit, user: UserId) -> Result<(), Refused<ChangeError>> {
    let found = unit.people().user(user).await?.filter(|person| person.status == UserStatus::Active);
    Ok(found.map(|_| ()).ok_or(ChangeError::UnknownUser)?)
}

async fn give(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    before: Membership,
    role: Role,
) -> Result<Membership, Refused<ChangeError>> {
    if before.role == role {
        return Ok(before);
    }
    keep_a_holder(unit, call, &before).await?;
    let after = before.clone().give_role(role, call.actor.user(), call.now).map_err(ChangeError::from)?;
    Ok(save(unit, call, Action::MemberUpdate, &before, after).await?)
}

async fn insert(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    action: Action,
    membership: Membership,
) -> Result<Membership, Refused<ChangeError>> {
    unit.people().insert_membership(&membership).await?;
    log(unit, call, action, None, &membership).await?;
    Ok(membership)
}
