//! A company's place in the tree of its group.
//!
//! The company at the top, the group's parent, decides about the whole group:
//! tokens that name the group reach every company of it while their creator
//! administers that one. So the top is always the same company, for as long as
//! the group lasts: it is not merged away while others are in the group, and
//! every other company of the group is below some company of it.

use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::unit::CallContext;

use crate::account::Account;
use crate::account::rules::whole_group;
use crate::group::{Group, left, save};
use crate::ports::DynAccountUnit;
use crate::record::replace;

/// The company's group with all of its companies; `None` for one that stands alone.
pub(super) async fn group_of(unit: &DynAccountUnit, account: &Account) -> Result<Option<Group>, StoreError> {
    let Some(id) = account.group else {
        return Ok(None);
    };
    // The store lets no company name a group that is not there: another unit has just dissolved it.
    let group = unit.groups().find(&whole_group(), id).await?;
    group.map(Some).ok_or(StoreError::Conflict)
}

/// Gives the group its next version, so that of two changes to its tree that do
/// not know of each other only one commits.
pub(super) async fn touch(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    group: Group,
) -> Result<(), StoreError> {
    save(unit, call, &group, group.clone()).await.map(drop)
}

/// Takes a company that `survivor` absorbed out of its group. What was below it there goes below the
/// survivor when that is in the group too and not below it itself, else below the group's parent.
/// A group without members ends.
///
/// The company is not the group's parent unless it is alone in the group.
pub(super) async fn leave_by_merge(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    before: Group,
    absorbed: AccountId,
    survivor: AccountId,
) -> Result<(), StoreError> {
    if let Some(leaving) = before.members.iter().find(|member| member.account == absorbed) {
        left(unit, call, &before, leaving).await?;
    }
    let staying: Vec<_> =
        before.members.iter().filter(|member| member.account != absorbed).cloned().collect();
    if staying.is_empty() {
        return unit.groups().erase(&whole_group(), &before).await;
    }
    let stays = staying.iter().any(|member| member.account == survivor);
    let everything = whole_group();
    for member in &staying {
        let company = unit.accounts().find(&everything, member.account).await?;
        let Some(company) = company.filter(|company| company.parent == Some(absorbed)) else {
            continue;
        };
        let heir = if stays && !below(unit, company.id, survivor).await? { survivor } else { before.parent };
        let after = Account { parent: Some(heir), ..company.clone() };
        replace(unit, CallContext { scope: &everything, ..call }, &company, after).await?;
    }
    let after = Group { members: staying, ..before.clone() };
    save(unit, call, &before, after).await.map(drop)
}

/// Whether `from` is `account` or below it, walking up; a tree too deep to tell counts as below.
pub(super) async fn below(
    unit: &DynAccountUnit,
    account: AccountId,
    from: AccountId,
) -> Result<bool, StoreError> {
    let everything = whole_group();
    let mut at = Some(from);
    for _ in 0..DEEPEST {
        match at {
            None => return Ok(false),
            Some(id) if id == account => return Ok(true),
            Some(id) => at = unit.accounts().find(&everything, id).await?.and_then(|found| found.parent),
        }
    }
    Ok(true)
}

/// No tree of companies is deeper than this.
const DEEPEST: usize = 100;
