//! The account of the ledger that a payment through a bank account moves.

use svc_core::error::ValidationErrors;
use svc_core::id::BankAccountId;
use svc_core::refused::Refused;

use super::{BankAccount, BankAccountStatus};
use crate::books::account::AccountCode;
use crate::ports::DynBankUnit;
use crate::record::Home;

/// The account of the ledger that counts the bank account which a payment names; none where it names none.
///
/// # Errors
/// Findings on `bankAccountId`: `unknown_reference`, `bank_account_archived`, and `account_code_missing` for one that moved
/// here with a company that was absorbed and has no account of the ledger yet.
pub(crate) async fn paid_by<E>(
    home: &Home<'_, DynBankUnit>,
    named: Option<BankAccountId>,
) -> Result<Option<AccountCode>, Refused<E>> {
    let Some(id) = named else { return Ok(None) };
    let found = home.referred::<BankAccount>(home.unit.bank_accounts(), &[id]).await?;
    let refused = |code, message: &'static str| ValidationErrors::one("bankAccountId", code, message).into();
    let Some(account) = found.into_iter().next() else {
        return Err(refused("unknown_reference", "the company has no bank account with this id"));
    };
    if account.status == BankAccountStatus::Archived {
        return Err(refused("bank_account_archived", "the bank account is archived: bring it back first"));
    }
    let message = "the bank account has no account of the ledger: change it, and it gets one";
    account.account.map(Some).ok_or_else(|| refused("account_code_missing", message))
}
