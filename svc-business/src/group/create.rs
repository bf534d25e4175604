//! Making a group and adding companies to it.

use svc_core::error::ValidationErrors;
use svc_core::id::{AccountId, GroupId, TypedId};
use svc_core::refused::Refused;
use svc_core::resource::{Expected, Version};
use svc_core::unit::CallContext;

use crate::account::{self, Account, AccountStatus, whole_group};
use crate::group::rules::{OpenedGroup, name, open, save};
use crate::group::{ChangeError, Group, GroupMember, joined};
use crate::party::percent;
use crate::ports::DynAccountUnit;

/// The group to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreateRequest {
    /// 1 to 200 characters.
    pub name: String,
    /// The company at the top; becomes its first member.
    pub parent: AccountId,
}

/// The company to add.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddRequest {
    /// The group.
    pub group: GroupId,
    /// The company.
    pub account: AccountId,
    /// Share in percent, `"51.5"`.
    pub ownership_percent: Option<String>,
}

/// Makes a group. Emits account.update for its parent.
///
/// # Errors
/// [`Refused::Invalid`], [`ChangeError::UnknownAccount`], [`ChangeError::InGroup`],
/// [`Refused::Store`]; nothing was changed.
pub async fn create(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    request: CreateRequest,
) -> Result<Group, Refused<ChangeError>> {
    let name = name(&request.name)?;
    let parent = ungrouped(unit, call, request.parent).await?;
    let top = GroupMember { account: parent.id, ownership_percent: None, since: call.now };
    let group = Group {
        id: GroupId::generate(call.now, call.random),
        name,
        parent: parent.id,
        members: vec![top.clone()],
        version: Version::FIRST,
        created_at: call.now,
        updated_at: call.now,
    };
    unit.groups().insert(&whole_group(), &group).await?;
    let after = Account { group: Some(group.id), ..parent.clone() };
    account::change(unit, call, &parent, after).await?;
    joined(unit, call, &group, &top).await?;
    Ok(group)
}

/// The active company that is in no group yet.
async fn ungrouped(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    id: AccountId,
) -> Result<Account, Refused<ChangeError>> {
    let found = unit.accounts().find(call.scope, id).await?;
    let account = found
        .filter(|account| account.status == AccountStatus::Active)
        .ok_or(Refused::Own(ChangeError::UnknownAccount(id)))?;
    match account.group {
        Some(_) => Err(Refused::Own(ChangeError::InGroup(id))),
        None => Ok(account),
    }
}

/// Adds a company to a group; its parent becomes the group's one.
/// Emits account.update for the company.
///
/// # Errors
/// [`Refused`] with [`ChangeError`]; nothing was changed.
pub async fn add(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    request: AddRequest,
) -> Result<Group, Refused<ChangeError>> {
    let opened = open(unit, call, request.group, &Expected::Any).await.map_err(Refused::widen)?;
    add_to(opened, request.account, request.ownership_percent.as_deref()).await
}

/// Adds a company to the group that was opened, as [`add`] does.
///
/// # Errors
/// [`Refused`] with [`ChangeError`]; nothing was changed.
pub async fn add_to(
    opened: OpenedGroup<'_>,
    account: AccountId,
    ownership_percent: Option<&str>,
) -> Result<Group, Refused<ChangeError>> {
    let share = ownership_percent.map(|text| percent(text, 2));
    if share == Some(None) {
        let message = "expected a percentage from \"0\" to \"100\" with at most 2 decimals";
        return Err(ValidationErrors::one("ownershipPercent", "out_of_range", message).into());
    }
    opened.decides()?;
    let OpenedGroup { unit, call, before } = opened;
    let account = ungrouped(unit, call, account).await?;
    let member = GroupMember { account: account.id, ownership_percent: share.flatten(), since: call.now };
    let mut group = before.clone();
    group.members.push(member.clone());
    let after = Account { group: Some(group.id), parent: Some(group.parent), ..account.clone() };
    let group = save(unit, call, &before, group).await?;
    account::change(unit, call, &account, after).await?;
    joined(unit, call, &group, &member).await?;
    Ok(group)
}
