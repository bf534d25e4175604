//! Companies leave a group: one of them, or all when it is dissolved.
//!
//! Tokens that name the group stop reaching a company that left it.

use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::refused::Refused;
use svc_core::unit::CallContext;

use crate::account::{self, Account, whole_group};
use crate::group::rules::{OpenedGroup, save};
use crate::group::{ChangeError, Group, left};
use crate::ports::DynAccountUnit;

/// Takes a company out of a group; companies below it go below the group's parent.
/// The last one to leave dissolves the group.
///
/// A company may also go by itself: the caller reaches it or the group's parent.
/// Emits account.update for it and for each company that was below it.
///
/// # Errors
/// [`ChangeError::ParentOnly`], [`ChangeError::NotInGroup`], [`ChangeError::ParentStays`], [`Refused::Store`];
/// nothing was changed.
pub async fn remove(opened: OpenedGroup<'_>, account: AccountId) -> Result<(), Refused<ChangeError>> {
    if !opened.call.scope.contains(account) {
        opened.decides()?;
    }
    let OpenedGroup { unit, call, before } = opened;
    let Some(leaving) = before.members.iter().find(|member| member.account == account) else {
        return Err(Refused::Own(ChangeError::NotInGroup(account)));
    };
    if before.members.len() == 1 {
        return Ok(end(unit, call, &before).await?);
    }
    if before.parent == account {
        return Err(Refused::Own(ChangeError::ParentStays));
    }
    let staying: Vec<_> = before.members.iter().filter(|member| *member != leaving).cloned().collect();
    for member in &staying {
        let company = company(unit, member.account).await?;
        if company.parent == Some(account) {
            let after = Account { parent: Some(before.parent), ..company.clone() };
            change(unit, call, &company, after).await?;
        }
    }
    save(unit, call, &before, Group { members: staying, ..before.clone() }).await?;
    let company = company(unit, account).await?;
    change(unit, call, &company, Account { group: None, parent: None, ..company.clone() }).await?;
    Ok(left(unit, call, &before, leaving).await?)
}

/// Dissolves a group: every company leaves it. Emits account.update for each.
///
/// # Errors
/// [`ChangeError::ParentOnly`], [`Refused::Store`]; nothing was changed.
pub async fn dissolve(opened: OpenedGroup<'_>) -> Result<(), Refused<ChangeError>> {
    opened.decides()?;
    Ok(end(opened.unit, opened.call, &opened.before).await?)
}

async fn end(unit: &DynAccountUnit, call: CallContext<'_>, group: &Group) -> Result<(), StoreError> {
    for member in &group.members {
        let company = company(unit, member.account).await?;
        change(unit, call, &company, Account { group: None, parent: None, ..company.clone() }).await?;
        left(unit, call, group, member).await?;
    }
    // After its companies: no row may name a group that is gone.
    unit.groups().erase(&whole_group(), group).await
}

async fn change(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    before: &Account,
    after: Account,
) -> Result<(), StoreError> {
    let everything = whole_group();
    account::change(unit, CallContext { scope: &everything, ..call }, before, after).await.map(drop)
}

async fn company(unit: &DynAccountUnit, id: AccountId) -> Result<Account, StoreError> {
    let found = unit.accounts().find(&whole_group(), id).await?;
    found.ok_or_else(|| StoreError::backend("a company of a group is missing"))
}
