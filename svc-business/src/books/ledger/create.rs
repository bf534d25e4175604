//! Adding an account to the ledger.

use svc_core::error::Validator;
use svc_core::refused::Refused;
use svc_core::resource::Lock;

use super::rules::apply;
use super::{LedgerAccount, LedgerAccountInput};
use crate::books::book;
use crate::ports::DynBooksUnit;
use crate::record::Home;

/// Adds an account or a heading. Emits nothing.
///
/// # Errors
/// [`Refused`]; [`Refused::Taken`] names `code` where another account has it. Nothing was added.
pub async fn create(
    home: Home<'_, DynBooksUnit>,
    input: LedgerAccountInput,
) -> Result<LedgerAccount, Refused> {
    // The length of codes stays as it is.
    let book = book::locked(&home, Lock::Shared, &[]).await?;
    // Whatever the code is, the rules judge it.
    let code = input.code.value().unwrap_or_else(|| "1".parse().expect("a code"));
    let blank = LedgerAccount::blank(home.company.id, code, book.code_length, home.call);
    let mut validator = Validator::new();
    let account = apply(&mut validator, &blank, input, book.code_length, true);
    validator.finish()?;
    home.add(account).await
}
