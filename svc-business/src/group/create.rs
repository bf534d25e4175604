//! Making a group and adding companies to it.

use svc_core::error::ValidationErrors;
use svc_core::event::EventType;
use svc_core::id::{AccountId, GroupId, TypedId};
use svc_core::resource::Version;
use svc_core::unit::CallContext;

use crate::account::{Account, AccountStatus, save};
use crate::group::rules::{decides, load, name};
use crate::group::{ChangeError, Group, GroupMember, joined};
use crate::party::percent;
use crate::ports::BusinessUnit;

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
/// [`ChangeError::Invalid`], [`ChangeError::UnknownAccount`], [`ChangeError::InGroup`],
/// [`ChangeError::Store`]; nothing was changed.
pub async fn create(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    request: CreateRequest,
) -> Result<Group, ChangeError> {
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
    unit.groups().insert(&group).await?;
    let after = Account { group: Some(group.id), ..parent.clone() };
    save(unit, call.scope, call, &parent, after, Some(EventType::of("account.update"))).await?;
    joined(unit, call, &group, &top).await?;
    Ok(group)
}

/// The active company that is in no group yet.
async fn ungrouped(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    id: AccountId,
) -> Result<Account, ChangeError> {
    let found = unit.accounts().find(call.scope, id).await?;
    let account = found
        .filter(|account| account.status == AccountStatus::Active)
        .ok_or(ChangeError::UnknownAccount(id))?;
    match account.group {
        Some(_) => Err(ChangeError::InGroup(id)),
        None => Ok(account),
    }
}

/// Adds a company to a group; its parent becomes the group's one.
/// Emits account.update for the company.
///
/// # Errors
/// [`ChangeError`] but for [`ChangeError::VersionConflict`] and the errors of who leaves;
/// nothing was changed.
pub async fn add(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    request: AddRequest,
) -> Result<Group, ChangeError> {
    let share = request.ownership_percent.as_deref().map(|text| percent(text, 2));
    if share == Some(None) {
        let message = "expected a percentage from \"0\" to \"100\" with at most 2 decimals";
        return Err(ValidationErrors::one("ownershipPercent", "out_of_range", message).into());
    }
    let mut group = load(unit, call, request.group, None).await?;
    decides(call, &group)?;
    let account = ungrouped(unit, call, request.account).await?;
    let member = GroupMember { account: account.id, ownership_percent: share.flatten(), since: call.now };
    let before = group.version;
    group.members.push(member.clone());
    group.version = before.next();
    group.updated_at = call.now;
    let after = Account { group: Some(group.id), parent: Some(group.parent), ..account.clone() };
    unit.groups().replace(before, &group).await?;
    save(unit, call.scope, call, &account, after, Some(EventType::of("account.update"))).await?;
    joined(unit, call, &group, &member).await?;
    Ok(group)
}
