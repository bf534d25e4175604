//! Deactivating and reactivating a company, and its access to the API.

use serde::Serialize;
use svc_core::audit::{Action, Entry};
use svc_core::error::StoreError;
use svc_core::event::EventType;
use svc_core::id::AccountId;
use svc_core::resource::Version;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::account::rules::{closed, save};
use crate::account::tree::{group_of, touch};
use crate::account::{Account, AccountStatus};
use crate::ports::BusinessUnit;

/// Why a company is not deactivated.
#[derive(Debug, Error)]
pub enum DeactivateError {
    /// Unknown or out of reach.
    #[error("no such account")]
    NotFound,
    /// It is not at the version that the client expects.
    #[error("the account is at version {current}")]
    VersionConflict {
        /// The present version.
        current: Version,
    },
    /// It is deactivated or merged already.
    #[error("the account is {status}")]
    NotActive {
        /// `deactivated` or `merged`.
        status: &'static str,
    },
    /// It is the caller's primary account.
    #[error("the primary account of the caller cannot be deactivated")]
    Primary,
    /// A subsidiary is active.
    #[error("a subsidiary of the account is active")]
    ActiveSubsidiary,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a company is not reactivated.
#[derive(Debug, Error)]
pub enum ReactivateError {
    /// Unknown or out of reach.
    #[error("no such account")]
    NotFound,
    /// It is not at the version that the client expects.
    #[error("the account is at version {current}")]
    VersionConflict {
        /// The present version.
        current: Version,
    },
    /// It is active or merged.
    #[error("the account is {status}")]
    NotDeactivated {
        /// `active` or `merged`.
        status: &'static str,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Deactivates a company: it becomes read-only and is never erased. Emits account.delete.
///
/// # Errors
/// [`DeactivateError`]; nothing was changed.
pub async fn deactivate(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    id: AccountId,
    expected: Option<Version>,
    callers_primary: AccountId,
) -> Result<Account, DeactivateError> {
    let Some(before) = unit.accounts().find(call.scope, id).await? else {
        return Err(DeactivateError::NotFound);
    };
    if expected.is_some_and(|expected| expected != before.version) {
        return Err(DeactivateError::VersionConflict { current: before.version });
    }
    if let Some(status) = closed(&before) {
        return Err(DeactivateError::NotActive { status });
    }
    if id == callers_primary {
        return Err(DeactivateError::Primary);
    }
    if unit.accounts().active_subsidiaries(id).await? > 0 {
        return Err(DeactivateError::ActiveSubsidiary);
    }
    if let Some(group) = group_of(unit, &before).await? {
        touch(unit, call, group).await?;
    }
    let after = Account { status: AccountStatus::Deactivated { at: call.now }, ..before.clone() };
    Ok(save(unit, call.scope, call, &before, after, Some(EventType::of("account.delete"))).await?)
}

/// Makes a deactivated company work again. Emits account.update.
///
/// # Errors
/// [`ReactivateError`]; nothing was changed.
pub async fn reactivate(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    id: AccountId,
    expected: Option<Version>,
) -> Result<Account, ReactivateError> {
    let Some(before) = unit.accounts().find(call.scope, id).await? else {
        return Err(ReactivateError::NotFound);
    };
    if expected.is_some_and(|expected| expected != before.version) {
        return Err(ReactivateError::VersionConflict { current: before.version });
    }
    match before.status {
        AccountStatus::Deactivated { .. } => {}
        AccountStatus::Active | AccountStatus::Merged { .. } => {
            return Err(ReactivateError::NotDeactivated { status: before.status.name() });
        }
    }
    let after = Account { status: AccountStatus::Active, ..before.clone() };
    Ok(save(unit, call.scope, call, &before, after, Some(EventType::of("account.update"))).await?)
}

/// Switches API access on or off: the operator's work. Emits account.update when it changed,
/// and writes the change into the company's audit log.
///
/// # Errors
/// [`ReactivateError::NotFound`], [`ReactivateError::Store`].
pub async fn set_api_access(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    id: AccountId,
    on: bool,
) -> Result<Account, ReactivateError> {
    let Some(before) = unit.accounts().find(call.scope, id).await? else {
        return Err(ReactivateError::NotFound);
    };
    if before.api_access == on {
        return Ok(before);
    }
    let after = Account { api_access: on, ..before.clone() };
    let after = save(unit, call.scope, call, &before, after, Some(EventType::of("account.update"))).await?;
    let states = (ApiAccess { api_access_enabled: !on }, ApiAccess { api_access_enabled: on });
    let entry = Entry::new(call, id, Action::ApiAccess, id, (Some(&states.0), Some(&states.1)));
    unit.audit().append(&[entry]).await?;
    Ok(after)
}

/// What the audit log says of a company whose API access was switched.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ApiAccess {
    api_access_enabled: bool,
}
