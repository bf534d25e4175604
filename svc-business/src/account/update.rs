//! Changing a company.

use svc_core::error::Validator;
use svc_core::id::{GroupId, TypedId as _};
use svc_core::refused::Refused;
use svc_core::resource::Lock;
use thiserror::Error;

use crate::account::rules::apply;
use crate::account::tree::{below, group_of, touch};
use crate::account::{Account, AccountInput};
use crate::record::Opened;

/// Why a company is not changed.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum UpdateError {
    /// The new parent is unknown, in another group, or below the company itself.
    #[error("the parent account must be in the same group and not below the account itself")]
    BadParent,
    /// It is in this group, and another company is at its top: it stays below one of the group.
    #[error("in a group only the company at its top has no parent account")]
    Parentless(GroupId),
    /// Something was posted in its books, issued or approved.
    #[error("baseCurrency stays as it is once something is posted, issued or approved in it")]
    CurrencyFrozen,
}

/// Applies a merge patch. One that changes nothing keeps the version and emits nothing, unless it writes what
/// the caller sees masked.
///
/// # Errors
/// [`Refused`] with [`UpdateError`]; nothing was changed.
pub async fn update(
    opened: Opened<'_, Account>,
    input: AccountInput,
) -> Result<Account, Refused<UpdateError>> {
    let mut validator = Validator::new();
    let before = &opened.before;
    let unseen = input.writes_unseen(opened.home.call.access);
    let parent = input.parent.over(before.parent);
    let after = apply(&mut validator, before, input, opened.home.call, false);
    validator.finish()?;
    let after = Account { parent, ..after };
    if after.parent != before.parent {
        check_parent(&opened, &after).await?;
    }
    if after.base_currency != before.base_currency {
        check_currency(&opened).await?;
    }
    if unseen { opened.save_unseen(after).await } else { opened.save(after).await }
}

/// Nothing is posted, issued or approved, and nothing will be until this unit ends: what does that has the books locked.
async fn check_currency(opened: &Opened<'_, Account>) -> Result<(), Refused<UpdateError>> {
    let (accounts, id) = (opened.home.unit.accounts(), opened.before.id);
    accounts.find_locked(opened.home.call.scope, id, Lock::Shared, &[(id.uuid(), Lock::Exclusive)]).await?;
    if accounts.uses_base_currency(id).await? {
        Err(Refused::Own(UpdateError::CurrencyFrozen))
    } else {
        Ok(())
    }
}

/// The parent is an active company of the same group that is not below the company itself; only the
/// company at the top of the group has none.
async fn check_parent(opened: &Opened<'_, Account>, account: &Account) -> Result<(), Refused<UpdateError>> {
    let (unit, call) = (opened.home.unit, opened.home.call);
    let Some(group) = group_of(unit, account).await? else {
        return if account.parent.is_none() { Ok(()) } else { Err(Refused::Own(UpdateError::BadParent)) };
    };
    match account.parent {
        None if group.parent == account.id => {}
        None => return Err(Refused::Own(UpdateError::Parentless(group.id))),
        Some(parent) => {
            let found = unit.accounts().find(call.scope, parent).await?;
            let fits =
                found.is_some_and(|found| found.group == Some(group.id) && found.status.closed().is_none());
            if !fits || below(unit, account.id, parent).await? {
                return Err(Refused::Own(UpdateError::BadParent));
            }
        }
    }
    Ok(touch(unit, call, group).await?)
}
