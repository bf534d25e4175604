//! Companies leave a group: one of them, or all when it is dissolved.
//!
//! Tokens that name the group stop reaching who left it.

use svc_core::error::StoreError;
use svc_core::event::EventType;
use svc_core::id::{AccountId, GroupId};
use svc_core::resource::Version;
use svc_core::unit::CallContext;

use crate::account::{Account, save, whole_group};
use crate::group::rules::{decides, load};
use crate::group::{ChangeError, Group, left};
use crate::ports::BusinessUnit;

/// Takes a company out of a group; companies below it go below the group's parent.
/// The last one to leave dissolves the group.
///
/// A company may also go by itself: the caller reaches it or the group's parent.
/// Emits account.update for it and for each company that was below it.
///
/// # Errors
/// [`ChangeError::NotFound`], [`ChangeError::VersionConflict`], [`ChangeError::ParentOnly`],
/// [`ChangeError::NotInGroup`], [`ChangeError::ParentStays`], [`ChangeError::Store`]; nothing was changed.
pub async fn remove(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    id: GroupId,
    expected: Option<Version>,
    account: AccountId,
) -> Result<(), ChangeError> {
    let before = load(unit, call, id, expected).await?;
    if !call.scope.contains(account) {
        decides(call, &before)?;
    }
    let Some(leaving) = before.members.iter().find(|member| member.account == account) else {
        return Err(ChangeError::NotInGroup(account));
    };
    if before.members.len() == 1 {
        return end(unit, call, &before).await;
    }
    if before.parent == account {
        return Err(ChangeError::ParentStays);
    }
    let staying: Vec<_> = before.members.iter().filter(|member| *member != leaving).cloned().collect();
    for member in &staying {
        let company = company(unit, member.account).await?;
        if company.parent == Some(account) {
            let after = Account { parent: Some(before.parent), ..company.clone() };
            change(unit, call, &company, after).await?;
        }
    }
    let after =
        Group { members: staying, version: before.version.next(), updated_at: call.now, ..before.clone() };
    unit.groups().replace(before.version, &after).await?;
    let company = company(unit, account).await?;
    change(unit, call, &company, Account { group: None, parent: None, ..company.clone() }).await?;
    Ok(left(unit, call, &before, leaving).await?)
}

/// Dissolves a group: every company leaves it. Emits account.update for each.
///
/// # Errors
/// [`ChangeError::NotFound`], [`ChangeError::VersionConflict`], [`ChangeError::ParentOnly`],
/// [`ChangeError::Store`]; nothing was changed.
pub async fn dissolve(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    id: GroupId,
    expected: Option<Version>,
) -> Result<(), ChangeError> {
    let before = load(unit, call, id, expected).await?;
    decides(call, &before)?;
    end(unit, call, &before).await
}

async fn end(unit: &dyn BusinessUnit, call: CallContext<'_>, group: &Group) -> Result<(), ChangeError> {
    for member in &group.members {
        let company = company(unit, member.account).await?;
        change(unit, call, &company, Account { group: None, parent: None, ..company.clone() }).await?;
        left(unit, call, group, member).await?;
    }
    // After its companies: no row may name a group that is gone.
    Ok(unit.groups().remove(group).await?)
}

async fn change(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    before: &Account,
    after: Account,
) -> Result<(), StoreError> {
    let event = EventType::of("account.update");
    save(unit, &whole_group(), call, before, after, Some(event)).await.map(|_| ())
}

async fn company(unit: &dyn BusinessUnit, id: AccountId) -> Result<Account, StoreError> {
    let found = unit.accounts().find(&whole_group(), id).await?;
    found.ok_or_else(|| StoreError::backend("a company of a group is missing"))
}
