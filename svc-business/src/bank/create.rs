//! Opening a bank account.

use svc_core::error::{ValidationErrors, Validator};
use svc_core::id::{BankAccountId, TypedId as _};
use svc_core::refused::Refused;
use svc_core::resource::{Lock, Version};

use super::rules::{Setting, apply};
use super::update::{judge_iban, take_default};
use super::{BankAccount, BankAccountInput, BankAccountStatus, BankAccountType, MOST, ledger};
use crate::books::book;
use crate::party::Extension;
use crate::ports::{DynBankUnit, DynBooksUnit};
use crate::record::Home;

/// Adds a bank account, with a new account of the ledger unless the input names one. Emits `bank_account.create`, and
/// `bank_account.update` for the account that was the default until then.
///
/// # Errors
/// [`Refused`]; `too_many` on `name` when the company has 200 bank accounts; [`Refused::Taken`] names `iban` where another
/// active account has it. Nothing was added.
pub async fn create(home: &Home<'_, DynBankUnit>, input: &BankAccountInput) -> Result<BankAccount, Refused> {
    // One at a time in a company: codes of the ledger, and which account is the default.
    let book = book::locked(&books(home), Lock::Exclusive, &[]).await?;
    let others = home.unit.bank_accounts().of_company(home.company.id).await?;
    if others.len() >= MOST {
        let message = format!("a company has at most {MOST} bank accounts");
        return Err(ValidationErrors::one("name", "too_many", message).into());
    }
    let mut validator = Validator::new();
    let today = home.company.local_date(home.call.now);
    let setting = Setting { access: home.call.access, today, creating: true };
    let mut account = apply(&mut validator, &blank(home), input, setting);
    validator.finish()?;
    judge_iban(&account, &others)?;
    account.account = ledger::asked(home, &account, input.account_code.value(), &others).await?;
    if account.account.is_none() {
        account.account = Some(ledger::open(home, &book, account.kind, &account.name).await?);
    }
    account.is_default |= !others.iter().any(|other| other.is_default);
    take_default(home, &account, &others).await?;
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

pub(super) fn books<'u>(home: &Home<'u, DynBankUnit>) -> Home<'u, DynBooksUnit> {
    Home { unit: home.unit as &DynBooksUnit, call: home.call, company: home.company.clone() }
}
