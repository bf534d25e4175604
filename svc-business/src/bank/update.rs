//! Changing, archiving and bringing back a bank account.

use svc_core::error::Validator;
use svc_core::patch::Patch;
use svc_core::refused::Refused;
use svc_core::resource::Lock;

use super::create::books;
use super::rules::{Setting, apply};
use super::{BankAccount, BankAccountInput, BankAccountStatus, ledger};
use crate::books::book;
use crate::catalogue::event;
use crate::party::value;
use crate::ports::DynBankUnit;
use crate::record::{Home, Opened, replace};

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
    let book = book::locked(&books(home), Lock::Exclusive, &[]).await?;
    let others = home.unit.bank_accounts().of_company(home.company.id).await?;
    let mut validator = Validator::new();
    let today = home.company.local_date(home.call.now);
    let setting = Setting { access: home.call.access, today, creating: false };
    let mut after = apply(&mut validator, before, input, setting);
    if matches!(input.account_code, Patch::Null) {
        validator.fail("accountCode", "required", "cannot be null");
    }
    validator.finish()?;
    judge_iban(&after, &others)?;
    after.account = ledger::asked(home, &after, input.account_code.value(), &others).await?;
    if after.account.is_none() {
        after.account = Some(ledger::open(home, &book, after.kind, &after.name).await?);
    }
    take_default(home, &after, &others).await?;
    if unseen { opened.save_unseen(after).await } else { opened.save(after).await }
}

/// Judges that no other active account has the number, unless one that its writer could not see.
pub(super) fn judge_iban(account: &BankAccount, others: &[BankAccount]) -> Result<(), Refused> {
    let Some(iban) = &account.iban else { return Ok(()) };
    let compared = |one: &BankAccount| one.status == BankAccountStatus::Active && !one.shares_iban;
    let same = |other: &&BankAccount| {
        other.id != account.id && other.iban.as_ref().is_some_and(|known| value(known) == value(iban))
    };
    if compared(account) && others.iter().filter(same).any(compared) {
        return Err(Refused::Taken { field: "iban" });
    }
    Ok(())
}

/// Takes being the default from the account that was it, where this one is to be.
pub(super) async fn take_default(
    home: &Home<'_, DynBankUnit>,
    account: &BankAccount,
    others: &[BankAccount],
) -> Result<(), Refused> {
    let former = others.iter().find(|other| other.is_default && other.id != account.id);
    let Some(former) = former.filter(|_| account.is_default) else { return Ok(()) };
    let after = BankAccount { is_default: false, ..former.clone() };
    let after = replace(home.unit, home.call, former, after).await?;
    Ok(home.publish(const { event("bank_account.update") }, &after, None).await?)
}
