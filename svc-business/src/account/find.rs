//! Finding a company, also one that was merged into another.

use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::tenant::Scope;

use crate::account::{Account, AccountReader, AccountStatus};

/// The company with this id, if the scope reaches it, or the company that it was merged into: its tombstone
/// tells them where its records are (specification, domain part 2.1).
///
/// # Errors
/// When the store failed.
pub async fn find<R: AccountReader + ?Sized>(
    accounts: &R,
    scope: &Scope,
    id: AccountId,
) -> Result<Option<Account>, StoreError> {
    match accounts.find(scope, id).await? {
        Some(found) => Ok(Some(found)),
        None => tombstone(accounts, scope, id).await,
    }
}

/// The merged company with this id, when the scope reaches a company that it ended up in. Its survivor may have
/// been merged into another one since; no company can come back to itself by that, as only an active one absorbs.
pub(super) async fn tombstone<R: AccountReader + ?Sized>(
    accounts: &R,
    scope: &Scope,
    id: AccountId,
) -> Result<Option<Account>, StoreError> {
    let merged = merged();
    let Some(found) = accounts.find(&merged, id).await? else { return Ok(None) };
    let mut status = found.status;
    while let AccountStatus::Merged { into, .. } = status {
        if scope.contains(into) {
            return Ok(Some(found));
        }
        let Some(survivor) = accounts.find(&merged, into).await? else { return Ok(None) };
        status = survivor.status;
    }
    Ok(None)
}

/// Every company: no credential reaches a merged one, and only a tombstone whose survivor is within the
/// caller's reach is shown.
#[expect(
    clippy::disallowed_methods,
    reason = "no scope has a merged company; the caller's is compared with its survivor"
)]
fn merged() -> Scope {
    Scope::system("a merged company is shown to who reaches the one that it was merged into")
}
