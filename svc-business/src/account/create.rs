//! Founding a company, and adding a subsidiary.

use svc_core::audit::Action;
use svc_core::error::{StoreError, Validator};
use svc_core::event::Event;
use svc_core::id::{AccountId, GroupId, TypedId, UserId};
use svc_core::patch::Patch;
use svc_core::refused::Refused;
use svc_core::resource::{Lock, Version};
use svc_core::role::Role;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::account::opening::change;
use crate::account::rules::{apply, blank, newborn, whole_group};
use crate::account::tree::group_of;
use crate::account::{Account, AccountInput};
use crate::catalogue::event;
use crate::group::{self, Group, GroupMember, joined};
use crate::membership::{self, Membership};
use crate::ports::DynAccountUnit;
use crate::user::{User, UserStatus};

/// Why a company is not created.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum CreateError {
    /// The parent is unknown or out of reach.
    #[error("the parent account is unknown")]
    UnknownParent,
    /// The parent is deactivated or merged.
    #[error("the parent account is not active")]
    ParentNotActive,
    /// The holder is unknown or disabled.
    #[error("the holder is unknown")]
    UnknownHolder,
}

/// A stand-alone company with its first holder: the operator's work, or the client area's.
#[derive(Clone, Debug)]
pub struct FoundRequest {
    /// The company.
    pub input: AccountInput,
    /// Who holds it.
    pub holder: UserId,
}

/// Founds a stand-alone company with its holder. Emits account.create on the company itself.
///
/// # Errors
/// [`Refused`] with [`CreateError`]; nothing was added.
pub(crate) async fn found(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    request: FoundRequest,
) -> Result<Account, Refused<CreateError>> {
    let mut validator = Validator::new();
    let alone = !matches!(request.input.parent, Patch::Value(_));
    validator.require(alone, "parentAccountId", "not_allowed", "a company that is founded stands alone");
    let account = apply(&mut validator, &blank(call), request.input, call, true);
    validator.finish()?;
    let holder = holder(unit, request.holder).await?;
    insert(unit, call, &account, holder).await?;
    publish(unit, call, account.id, &account).await?;
    Ok(account)
}

/// Adds a subsidiary of `input.parent` (required), held by `creator`, in the parent's group.
///
/// Reaching the parent is enough, wherever in its group that is: the new company is in the reach of the
/// group's tokens, and its maker gets no reach of the group by it. The log of the company at the top of
/// the group tells of it.
///
/// A parent without a group becomes the parent company of a new one, which
/// emits account.update for it. Emits account.create with the parent as the
/// event's company.
///
/// # Errors
/// [`Refused`] with [`CreateError`]; nothing was added.
pub(crate) async fn create_subsidiary(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    input: AccountInput,
    creator: UserId,
) -> Result<Account, Refused<CreateError>> {
    let mut validator = Validator::new();
    let named = input.parent.value();
    validator.require(named.is_some(), "parentAccountId", "required", "a subsidiary has a parent");
    let account = apply(&mut validator, &blank(call), input, call, true);
    validator.finish()?;
    let parent = match named {
        Some(id) => unit.accounts().find_locked(call.scope, id, Lock::Shared, &[]).await?,
        None => None,
    };
    let parent = parent.ok_or(Refused::Own(CreateError::UnknownParent))?;
    if parent.status.closed().is_some() {
        return Err(Refused::Own(CreateError::ParentNotActive));
    }
    let holder = holder(unit, creator).await?;
    let mut group = match group_of(unit, &parent).await? {
        Some(group) => group,
        None => found_group(unit, call, &parent).await?,
    };
    let account = Account { group: Some(group.id), parent: Some(parent.id), ..account };
    insert(unit, call, &account, holder).await?;
    let member = GroupMember { account: account.id, ownership_percent: None, since: call.now };
    let before = group.clone();
    group.members.push(member.clone());
    let group = group::save(unit, call, &before, group).await?;
    joined(unit, call, &group, &member).await?;
    publish(unit, call, parent.id, &account).await?;
    Ok(account)
}

/// Makes a group with `parent` at the top, and puts `parent` into it.
async fn found_group(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    parent: &Account,
) -> Result<Group, StoreError> {
    let top = GroupMember { account: parent.id, ownership_percent: None, since: call.now };
    let group = Group {
        id: GroupId::generate(call.now, call.random),
        name: parent.legal_name.clone(),
        parent: parent.id,
        members: vec![top.clone()],
        version: Version::FIRST,
        created_at: call.now,
        updated_at: call.now,
    };
    unit.groups().insert(&whole_group(), &group).await?;
    let after = Account { group: Some(group.id), ..parent.clone() };
    change(unit, call, parent, after).await?;
    joined(unit, call, &group, &top).await?;
    Ok(group)
}

async fn holder(unit: &DynAccountUnit, id: UserId) -> Result<User, Refused<CreateError>> {
    let user = unit.people().user(id).await?;
    user.filter(|user| user.status == UserStatus::Active).ok_or(Refused::Own(CreateError::UnknownHolder))
}

async fn insert(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    account: &Account,
    holder: User,
) -> Result<(), Refused<CreateError>> {
    unit.accounts().insert(&newborn(account.id), account).await?;
    let membership = Membership::granted(account.id, holder.id, Role::Holder, call);
    unit.people().insert_membership(&membership).await?;
    Ok(membership::log(unit, call, Action::MemberAdd, None, &membership).await?)
}

async fn publish(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    owner: AccountId,
    account: &Account,
) -> Result<(), StoreError> {
    let event = Event::new(const { event("account.create") }, owner, account.id, call.now, call.random);
    unit.outbox().publish(&[event]).await
}
