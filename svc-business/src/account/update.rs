//! Changing a company.

use svc_core::error::{StoreError, ValidationErrors, Validator};
use svc_core::event::EventType;
use svc_core::id::{AccountId, GroupId};
use svc_core::resource::Version;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::account::rules::{apply, closed, save};
use crate::account::tree::{below, group_of, touch};
use crate::account::{Account, AccountInput};
use crate::ports::BusinessUnit;

/// Why a company is not changed.
#[derive(Debug, Error)]
pub enum UpdateError {
    /// Unknown or out of reach.
    #[error("no such account")]
    NotFound,
    /// It is not at the version that the client expects.
    #[error("the account is at version {current}")]
    VersionConflict {
        /// The present version.
        current: Version,
    },
    /// It is deactivated or merged.
    #[error("the account is {status}")]
    NotActive {
        /// `deactivated` or `merged`.
        status: &'static str,
    },
    /// Broken rules of the input.
    #[error(transparent)]
    Invalid(#[from] ValidationErrors),
    /// The new parent is unknown, in another group, or below the company itself.
    #[error("the parent account must be in the same group and not below the account itself")]
    BadParent,
    /// It is in this group, and another company is at its top: it stays below one of the group.
    #[error("in a group only the company at its top has no parent account")]
    Parentless(GroupId),
    /// `externalId` is taken.
    #[error("a company with this externalId exists already")]
    ExternalIdTaken,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Applies a merge patch. One that changes nothing keeps the version and emits nothing.
///
/// # Errors
/// [`UpdateError`]; nothing was changed.
pub async fn update(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    id: AccountId,
    expected: Option<Version>,
    input: AccountInput,
) -> Result<Account, UpdateError> {
    let Some(before) = unit.accounts().find(call.scope, id).await? else {
        return Err(UpdateError::NotFound);
    };
    if expected.is_some_and(|expected| expected != before.version) {
        return Err(UpdateError::VersionConflict { current: before.version });
    }
    let mut validator = Validator::new();
    let parent = input.parent.over(before.parent);
    let after = apply(&mut validator, &before, input, call, false);
    validator.finish()?;
    if let Some(status) = closed(&before) {
        return Err(UpdateError::NotActive { status });
    }
    let after = Account { parent, ..after };
    if after == before {
        return Ok(before);
    }
    if after.parent != before.parent {
        check_parent(unit, call, &after).await?;
    }
    match save(unit, call.scope, call, &before, after, Some(EventType::of("account.update"))).await {
        Err(StoreError::Taken { field: "externalId" }) => Err(UpdateError::ExternalIdTaken),
        outcome => Ok(outcome?),
    }
}

/// The parent is an active company of the same group that is not below the company itself; only the
/// company at the top of the group has none.
async fn check_parent(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    account: &Account,
) -> Result<(), UpdateError> {
    let Some(group) = group_of(unit, account).await? else {
        return if account.parent.is_none() { Ok(()) } else { Err(UpdateError::BadParent) };
    };
    match account.parent {
        None if group.parent == account.id => {}
        None => return Err(UpdateError::Parentless(group.id)),
        Some(parent) => {
            let found = unit.accounts().find(call.scope, parent).await?;
            let fits = found.is_some_and(|found| found.group == Some(group.id) && closed(&found).is_none());
            if !fits || below(unit, account.id, parent).await? {
                return Err(UpdateError::BadParent);
            }
        }
    }
    Ok(touch(unit, call, group).await?)
}
