//! Adding an account to the ledger.

use svc_core::error::Validator;
use svc_core::id::{LedgerAccountId, TypedId as _};
use svc_core::refused::Refused;
use svc_core::resource::{Lock, Version};

use super::rules::apply;
use super::{LedgerAccount, LedgerAccountInput, LedgerStatus};
use crate::books::account::AccountType;
use crate::books::book;
use crate::party::Extension;
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
    let call = home.call;
    // Whatever the code is, the rules judge it.
    let code = input.code.value().unwrap_or_else(|| "1".parse().expect("a code"));
    let blank = LedgerAccount {
        id: LedgerAccountId::generate(call.now, call.random),
        company: home.company.id,
        code,
        name: String::new(),
        account_type: AccountType::of(code),
        postable: false,
        reconcilable: false,
        tax_role: None,
        status: LedgerStatus::Active,
        extension: Extension::default(),
        version: Version::FIRST,
        created_at: call.now,
        updated_at: call.now,
    };
    let mut validator = Validator::new();
    let account = apply(&mut validator, &blank, input, book.code_length, true);
    validator.finish()?;
    home.add(account).await
}
