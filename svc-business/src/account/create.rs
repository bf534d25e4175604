//! Founding a company, and adding a subsidiary.

use svc_core::audit::Action;
use svc_core::error::{StoreError, ValidationErrors, Validator};
use svc_core::event::{Event, EventType};
use svc_core::id::{AccountId, GroupId, TypedId, UserId};
use svc_core::patch::Patch;
use svc_core::resource::Version;
use svc_core::role::Role;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::account::rules::{apply, blank, closed, newborn, save};
use crate::account::tree::group_of;
use crate::account::{Account, AccountInput};
use crate::group::{Group, GroupMember, joined};
use crate::membership::{self, Membership};
use crate::ports::BusinessUnit;
use crate::user::{User, UserStatus};

/// Why a company is not created.
#[derive(Debug, Error)]
pub enum CreateError {
    /// Broken rules of the input.
    #[error(transparent)]
    Invalid(#[from] ValidationErrors),
    /// The parent is unknown or out of reach.
    #[error("the parent account is unknown")]
    UnknownParent,
    /// The parent is deactivated or merged.
    #[error("the parent account is not active")]
    ParentNotActive,
    /// The holder is unknown or disabled.
    #[error("the holder is unknown")]
    UnknownHolder,
    /// `externalId` is taken.
    #[error("a company with this externalId exists already")]
    ExternalIdTaken,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
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
/// [`CreateError`]; nothing was added.
pub async fn found(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    request: FoundRequest,
) -> Result<Account, CreateError> {
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
/// [`CreateError`]; nothing was added.
pub async fn create_subsidiary(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    input: AccountInput,
    creator: UserId,
) -> Result<Account, CreateError> {
    let mut validator = Validator::new();
    let named = input.parent.value();
    validator.require(named.is_some(), "parentAccountId", "required", "a subsidiary has a parent");
    let account = apply(&mut validator, &blank(call), input, call, true);
    validator.finish()?;
    let parent = match named {
        Some(id) => unit.accounts().find(call.scope, id).await?,
        None => None,
    };
    let parent = parent.ok_or(CreateError::UnknownParent)?;
    if closed(&parent).is_some() {
        return Err(CreateError::ParentNotActive);
    }
    let holder = holder(unit, creator).await?;
    let mut group = match group_of(unit, &parent).await? {
        Some(group) => group,
        None => found_group(unit, call, &parent).await?,
    };
    let account = Account { group: Some(group.id), parent: Some(parent.id), ..account };
    insert(unit, call, &account, holder).await?;
    let before = group.version;
    let member = GroupMember { account: account.id, ownership_percent: None, since: call.now };
    group.members.push(member.clone());
    group.version = before.next();
    group.updated_at = call.now;
    unit.groups().replace(before, &group).await?;
    joined(unit, call, &group, &member).await?;
    publish(unit, call, parent.id, &account).await?;
    Ok(account)
}

/// Makes a group with `parent` at the top, and puts `parent` into it.
async fn found_group(
    unit: &dyn BusinessUnit,
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
    unit.groups().insert(&group).await?;
    let after = Account { group: Some(group.id), ..parent.clone() };
    save(unit, call.scope, call, parent, after, Some(EventType::of("account.update"))).await?;
    joined(unit, call, &group, &top).await?;
    Ok(group)
}

async fn holder(unit: &dyn BusinessUnit, id: UserId) -> Result<User, CreateError> {
    let user = unit.people().user(id).await?;
    user.filter(|user| user.status == UserStatus::Active).ok_or(CreateError::UnknownHolder)
}

async fn insert(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    account: &Account,
    holder: User,
) -> Result<(), CreateError> {
    match unit.accounts().insert(&newborn(account.id), account).await {
        Err(StoreError::Taken { field: "externalId" }) => return Err(CreateError::ExternalIdTaken),
        outcome => outcome?,
    }
    let membership = Membership::granted(account.id, holder.id, Role::Holder, call);
    unit.people().insert_membership(&membership).await?;
    Ok(membership::log(unit, call, Action::MemberAdd, None, &membership).await?)
}

async fn publish(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    owner: AccountId,
    account: &Account,
) -> Result<(), StoreError> {
    let event = Event::new(EventType::of("account.create"), owner, account.id, call.now, call.random);
    unit.outbox().publish(&[event]).await
}
