//! Changing and deleting an account of the ledger.

use svc_core::error::{StoreError, Validator};
use svc_core::refused::Refused;
use svc_core::resource::Lock;
use thiserror::Error;

use super::rules::apply;
use super::{LedgerAccount, LedgerAccountInput};
use crate::books::book::{self, Book};
use crate::record::Opened;

/// Entries, a bank account or the books' default accounts use the account.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("entries, a bank account or default accounts use the account: archive it instead")]
pub struct AccountInUse;

/// Applies a merge patch to an account that was opened [alone](crate::record::alone). One that changes nothing keeps
/// the version; no change emits an event.
///
/// # Errors
/// [`Refused`] with [`AccountInUse`] when its code was to change; nothing was changed.
pub async fn update(
    opened: Opened<'_, LedgerAccount>,
    input: LedgerAccountInput,
) -> Result<LedgerAccount, Refused<AccountInUse>> {
    let book = held(&opened).await?;
    let mut validator = Validator::new();
    let after = apply(&mut validator, &opened.before, input, book.code_length, false);
    validator.finish()?;
    if after.code != opened.before.code && is_used(&opened, &book).await? {
        return Err(Refused::Own(AccountInUse));
    }
    opened.save(after).await
}

/// Erases an account that was opened [alone](crate::record::alone). Emits nothing.
///
/// # Errors
/// [`Refused`] with [`AccountInUse`]; nothing was changed.
pub async fn delete(opened: Opened<'_, LedgerAccount>) -> Result<(), Refused<AccountInUse>> {
    let book = held(&opened).await?;
    if is_used(&opened, &book).await? {
        return Err(Refused::Own(AccountInUse));
    }
    Ok(opened.home.unit.ledger().erase(opened.home.call.scope, &opened.before).await?)
}

/// The books, which no other unit of work changes meanwhile, nor tells a bank account by which account it is counted.
async fn held(opened: &Opened<'_, LedgerAccount>) -> Result<Book, Refused<AccountInUse>> {
    book::locked(&opened.home, Lock::Shared, &[]).await
}

async fn is_used(opened: &Opened<'_, LedgerAccount>, book: &Book) -> Result<bool, StoreError> {
    let (ledger, account) = (opened.home.unit.ledger(), &opened.before);
    let by_default = book.default_accounts.iter().any(|(_, code)| code == account.code);
    Ok(by_default
        || ledger.has_lines(account.company, account.code).await?
        || ledger.counts_money(account.company, account.code).await?)
}
