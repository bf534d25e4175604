//! Changing, archiving and bringing back a bank account.

use svc_core::error::Validator;
use svc_core::patch::Patch;
use svc_core::refused::Refused;

use super::peers::Peers;
use super::rules::{Setting, apply};
use super::{BankAccount, BankAccountInput, BankAccountStatus};
use crate::record::Opened;

/// Applies a merge patch. One that changes nothing keeps the version and emits nothing; any other emits
/// `bank_account.update`, and so it does for the account that was the default until then. So does one that writes the
/// number masked to the caller, whether or not it was so already. An account without one of the ledger gets one.
///
/// # Errors
/// [`Refused`]; [`Refused::Taken`] names `iban` where another active account has it. Nothing was changed.
pub async fn update(
    opened: Opened<'_, BankAccount>,
    input: &BankAccountInput,
) -> Result<BankAccount, Refused> {
    let (home, before) = (&opened.home, &opened.before);
    let unseen = input.writes_unseen(home.call.access);
    let peers = Peers::locked(home).await?;
    let mut validator = Validator::new();
    let today = home.company.local_date(home.call.now);
    let setting = Setting { access: home.call.access, today, creating: false };
    let after = apply(&mut validator, before, input, setting);
    if matches!(input.account_code, Patch::Null) {
        validator.fail("accountCode", "required", "cannot be null");
    }
    if after.status == BankAccountStatus::Archived && before.status == BankAccountStatus::Active {
        let pending = home.unit.bank_movements().pending(home.call.scope, &[before.id]).await?;
        let message = "movements of the account are pending: reconcile or ignore them first";
        validator.require(pending.is_empty(), "status", "movements_pending", message);
    }
    validator.finish()?;
    let after = peers.settle(after, input.account_code.value()).await?;
    if unseen { opened.save_unseen(after).await } else { opened.save(after).await }
}
