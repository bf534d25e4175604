//! Opening a bank account.

use svc_core::error::{ValidationErrors, Validator};
use svc_core::id::{BankAccountId, TypedId as _};
use svc_core::refused::Refused;
use svc_core::resource::Version;

use super::peers::Peers;
use super::rules::{Setting, apply};
use super::{BankAccount, BankAccountInput, BankAccountStatus, BankAccountType, MOST};
use crate::party::Extension;
use crate::ports::DynBankUnit;
use crate::record::Home;

/// Adds a bank account, with a new account of the ledger unless the input names one. Emits `bank_account.create`, and
/// `bank_account.update` for the account that was the default until then.
///
/// # Errors
/// [`Refused`]; `too_many` on `name` when the company has 200 bank accounts; [`Refused::Taken`] names `iban` where another
/// active account has it. Nothing was added.
pub async fn create(home: &Home<'_, DynBankUnit>, input: &BankAccountInput) -> Result<BankAccount, Refused> {
    let peers = Peers::locked(home).await?;
    if peers.all.len() >= MOST {
        let message = format!("a company has at most {MOST} bank accounts");
        return Err(ValidationErrors::one("name", "too_many", message).into());
    }
    let mut validator = Validator::new();
    let today = home.company.local_date(home.call.now);
    let setting = Setting { access: home.call.access, today, creating: true };
    let mut account = apply(&mut validator, &blank(home), input, setting);
    validator.finish()?;
    account.is_default |= !peers.all.iter().any(|other| other.is_default);
    let account = peers.settle(account, input.account_code.value()).await?;
    home.add(account).await
}

/// A bank account as it is before the input of its creation.
fn blank(home: &Home<'_, DynBankUnit>) -> BankAccount {
    let (now, random) = (home.call.now, home.call.random);
    BankAccount {
        id: BankAccountId::generate(now, random),
        company: home.company.id,
        name: String::new(),
        kind: BankAccountType::Other,
        iban: None,
        shares_iban: false,
        bic: None,
        bank_name: None,
        currency: home.company.base_currency,
        account: None,
        opening: None,
        status: BankAccountStatus::Active,
        is_default: false,
        extension: Extension::default(),
        version: Version::FIRST,
        created_at: now,
        updated_at: now,
    }
}
