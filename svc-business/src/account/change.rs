//! Deactivating and reactivating a company, and its access to the API.

use serde::Serialize;
use svc_core::audit::{Action, Entry};
use svc_core::id::AccountId;
use svc_core::refused::Refused;
use svc_core::resource::Expected;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::account::tree::{group_of, touch};
use crate::account::{Account, AccountStatus, alone};
use crate::catalogue::event;
use crate::ports::DynAccountUnit;
use crate::record::Opened;

/// Why a company is not deactivated.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum DeactivateError {
    /// It is the caller's primary account.
    #[error("the primary account of the caller cannot be deactivated")]
    Primary,
    /// A subsidiary is active.
    #[error("a subsidiary of the account is active")]
    ActiveSubsidiary,
    /// An envelope is with its signers.
    #[error("an envelope of the account is with its signers")]
    OpenEnvelope,
}

/// Why a company is not reactivated.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum ReactivateError {
    /// It is active.
    #[error("the account is active")]
    Active,
    /// Its last holder left meanwhile.
    #[error("the account has no holder: the operator names one first")]
    NoHolder,
}

/// Deactivates a company that was opened [`alone`]: it becomes read-only and is never erased. A person has no primary
/// company, a token always has. Emits account.delete.
///
/// # Errors
/// [`Refused::CompanyClosed`], [`DeactivateError`]; nothing was changed.
pub async fn deactivate(
    opened: Opened<'_, Account>,
    callers_primary: Option<AccountId>,
) -> Result<Account, Refused<DeactivateError>> {
    let (unit, call, before) = (opened.home.unit, opened.home.call, &opened.before);
    if let Some(closed) = before.status.closed() {
        return Err(Refused::CompanyClosed(closed));
    }
    if Some(before.id) == callers_primary {
        return Err(Refused::Own(DeactivateError::Primary));
    }
    if unit.accounts().active_subsidiaries(before.id).await? > 0 {
        return Err(Refused::Own(DeactivateError::ActiveSubsidiary));
    }
    if unit.accounts().awaits_signers(before.id).await? {
        return Err(Refused::Own(DeactivateError::OpenEnvelope));
    }
    if let Some(group) = group_of(unit, before).await? {
        touch(unit, call, group).await?;
    }
    let after = Account { status: AccountStatus::Deactivated { at: call.now }, ..before.clone() };
    let after = opened.replace(after).await?;
    opened.home.publish(const { event("account.delete") }, &after, None).await?;
    Ok(after)
}

/// Makes a deactivated company that was opened [`alone`] work again. Emits account.update.
///
/// # Errors
/// [`Refused::CompanyClosed`] for a merged one, [`ReactivateError`]; nothing was changed.
pub async fn reactivate(opened: Opened<'_, Account>) -> Result<Account, Refused<ReactivateError>> {
    match opened.before.status {
        AccountStatus::Deactivated { .. } => {
            if opened.home.unit.people().holders(opened.before.id).await? == 0 {
                return Err(Refused::Own(ReactivateError::NoHolder));
            }
            opened.save(Account { status: AccountStatus::Active, ..opened.before.clone() }).await
        }
        AccountStatus::Active => Err(Refused::Own(ReactivateError::Active)),
        AccountStatus::Merged { .. } => Err(Refused::CompanyClosed(svc_core::tenant::ClosedCompany::Merged)),
    }
}

/// Switches API access on or off: the operator's work. Emits account.update when it changed,
/// and writes the change into the company's audit log.
///
/// # Errors
/// [`Refused::NotFound`], [`Refused::Store`].
pub async fn set_api_access(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    id: AccountId,
    on: bool,
) -> Result<Account, Refused> {
    let opened = alone(unit, call, id, &Expected::Any).await?;
    if opened.before.api_access == on {
        return Ok(opened.before);
    }
    let after = opened.save(Account { api_access: on, ..opened.before.clone() }).await?;
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
