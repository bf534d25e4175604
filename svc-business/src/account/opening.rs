//! The opening of every verb on a company: the company is its own home.

use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::refused::Refused;
use svc_core::resource::{Expected, Lock};
use svc_core::unit::CallContext;

use crate::account::Account;
use crate::account::find::tombstone;
use crate::catalogue::event;
use crate::ports::DynAccountUnit;
use crate::record::{Home, Opened, replace};

/// Opens an active company to change it.
///
/// # Errors
/// [`Refused::NotFound`], [`Refused::VersionConflict`], [`Refused::CompanyClosed`], [`Refused::Store`].
pub async fn open<'u>(
    unit: &'u DynAccountUnit,
    call: CallContext<'u>,
    id: AccountId,
    expected: &Expected,
) -> Result<Opened<'u, Account>, Refused> {
    let opened = whatever_its_status(unit, call, id, expected, Lock::Shared).await?;
    match opened.before.status.closed() {
        Some(closed) => Err(Refused::CompanyClosed(closed)),
        None => Ok(opened),
    }
}

/// Opens a company, active or not, while no other unit of work changes a record of it.
///
/// # Errors
/// [`Refused::NotFound`], [`Refused::VersionConflict`], [`Refused::Store`].
pub async fn alone<'u>(
    unit: &'u DynAccountUnit,
    call: CallContext<'u>,
    id: AccountId,
    expected: &Expected,
) -> Result<Opened<'u, Account>, Refused> {
    whatever_its_status(unit, call, id, expected, Lock::Exclusive).await
}

async fn whatever_its_status<'u>(
    unit: &'u DynAccountUnit,
    call: CallContext<'u>,
    id: AccountId,
    expected: &Expected,
    lock: Lock,
) -> Result<Opened<'u, Account>, Refused> {
    let before = match unit.accounts().find_locked(call.scope, id, lock, &[]).await? {
        Some(found) => found,
        // Every verb refuses it by its status, which never changes again.
        None => tombstone(unit.accounts(), call.scope, id).await?.ok_or(Refused::NotFound)?,
    };
    expected.check(before.version)?;
    Ok(Opened { home: Home { unit, call, company: before.clone() }, before })
}

/// Keeps a change of a company that follows from a change of another one; it publishes that it was changed.
pub(crate) async fn change(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    before: &Account,
    after: Account,
) -> Result<Account, StoreError> {
    let after = replace(unit, call, before, after).await?;
    let home = Home { unit, call, company: after.clone() };
    home.publish(const { event("account.update") }, &after, None).await?;
    Ok(after)
}
