//! Changing a company.

use svc_core::error::{Checks, Invalid, StoreError};
use svc_core::event::EventType;
use svc_core::id::AccountId;
use svc_core::resource::Version;
use svc_core::unit::Call;
use thiserror::Error;

use crate::account::rules::{apply, closed, save, touch_group, whole_group};
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
    Invalid(#[from] Invalid),
    /// The new parent is unknown, in another group, or below the company itself.
    #[error("the parent account must be in the same group and not below the account itself")]
    BadParent,
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
    call: Call<'_>,
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
    let mut checks = Checks::new();
    let parent = input.parent.over(before.parent);
    let after = apply(&mut checks, &before, input, call, false);
    checks.finish()?;
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

/// No tree of companies is deeper than this.
const DEEPEST: usize = 100;

/// The new parent is an active company of the same group that is not below the company itself.
async fn check_parent(unit: &dyn BusinessUnit, call: Call<'_>, account: &Account) -> Result<(), UpdateError> {
    let Some(parent) = account.parent else {
        return Ok(());
    };
    let Some(group) = account.group else {
        return Err(UpdateError::BadParent);
    };
    let found = unit.accounts().find(call.scope, parent).await?;
    let fits = found.is_some_and(|parent| parent.group == Some(group) && closed(&parent).is_none());
    if !fits || below(unit, account, parent).await? {
        return Err(UpdateError::BadParent);
    }
    touch_group(unit, call, group).await?;
    Ok(())
}

/// Whether `from` is `account` or below it, walking up; a tree too deep to tell counts as below.
async fn below(unit: &dyn BusinessUnit, account: &Account, from: AccountId) -> Result<bool, StoreError> {
    let everything = whole_group();
    let mut at = Some(from);
    for _ in 0..DEEPEST {
        match at {
            None => return Ok(false),
            Some(id) if id == account.id => return Ok(true),
            Some(id) => at = unit.accounts().find(&everything, id).await?.and_then(|found| found.parent),
        }
    }
    Ok(true)
}
