//! The account of the ledger that counts a bank account.

use svc_core::error::{StoreError, ValidationErrors, Validator};
use svc_core::refused::Refused;

use super::{BankAccount, BankAccountType};
use crate::books::account::{AccountCode, CodeLength};
use crate::books::book::Book;
use crate::books::ledger::{LedgerAccount, LedgerStatus};
use crate::ports::DynBankUnit;
use crate::record::Home;

/// Codes that are looked at in one read.
const AT_A_TIME: u32 = 100;

/// The account that the input asks for; `base` where it asks for the one that is there or for none.
///
/// Findings on `accountCode` are `unknown_reference`, `invalid_account_code` (it is no account of money), `not_postable`,
/// `account_archived`, `already_used` (it counts another bank account) and `account_in_use` (entries name the one that
/// would be left).
pub(super) async fn asked(
    home: &Home<'_, DynBankUnit>,
    base: &BankAccount,
    asked: Option<AccountCode>,
    others: &[BankAccount],
) -> Result<Option<AccountCode>, Refused> {
    let Some(code) = asked.filter(|code| Some(*code) != base.account) else { return Ok(base.account) };
    let mut validator = Validator::new();
    let company = home.company.id;
    let message = "must be an account of 57, or of 52 for a card or another account";
    validator.require(is_money(base.kind, code), "accountCode", "invalid_account_code", message);
    match home.unit.ledger().with_codes(company, &[code]).await?.first() {
        None => {
            let message = "the ledger has no account with this code";
            validator.fail("accountCode", "unknown_reference", message);
        }
        Some(account) => {
            let message = "this is a heading: name an account with as many digits as those that take entries";
            validator.require(account.postable, "accountCode", "not_postable", message);
            let active = account.status == LedgerStatus::Active;
            validator.require(active, "accountCode", "account_archived", "the account is archived");
        }
    }
    let other = others.iter().find(|other| other.id != base.id && other.account == Some(code));
    if let Some(other) = other {
        validator.fail("accountCode", "already_used", format!("it counts the bank account {}", other.id));
    }
    if let Some(left) = base.account
        && home.unit.ledger().has_lines(company, left).await?
    {
        let message = format!("entries name account {left}, so that it stays that of this bank account");
        validator.fail("accountCode", "account_in_use", message);
    }
    validator.finish()?;
    Ok(Some(code))
}

/// A new account of the ledger with the next free code, for a bank account of this kind and name.
pub(super) async fn open(
    home: &Home<'_, DynBankUnit>,
    book: &Book,
    kind: BankAccountType,
    name: &str,
) -> Result<AccountCode, Refused> {
    let code = next_free(home, kind, book.code_length).await?;
    let account = LedgerAccount {
        name: name.to_owned(),
        reconcilable: true,
        ..LedgerAccount::blank(home.company.id, code, book.code_length, home.call)
    };
    home.unit.ledger().insert(home.call.scope, &account).await?;
    Ok(code)
}

/// The first code under the heading of this kind that no account has: 5720001, 5720002, …
async fn next_free(
    home: &Home<'_, DynBankUnit>,
    kind: BankAccountType,
    length: CodeLength,
) -> Result<AccountCode, Refused> {
    let heading = heading(kind);
    let width = usize::from(length.digits()).saturating_sub(heading.len());
    let most = 10_u32.saturating_pow(u32::try_from(width).unwrap_or(u32::MAX)).saturating_sub(1);
    let mut from = 1;
    while from <= most {
        let last = from.saturating_add(AT_A_TIME - 1).min(most);
        let codes = (from..=last).map(|number| format!("{heading}{number:0width$}").parse());
        let codes: Vec<AccountCode> = codes.collect::<Result<_, _>>().map_err(StoreError::backend)?;
        let taken = home.unit.ledger().with_codes(home.company.id, &codes).await?;
        let free = codes.into_iter().find(|code| taken.iter().all(|account| account.code != *code));
        if let Some(code) = free {
            return Ok(code);
        }
        from = last.saturating_add(1);
    }
    let message = format!("every code under {heading} is taken: name an account of the ledger");
    Err(ValidationErrors::one("accountCode", "required", message).into())
}

/// The heading of the accounts of this kind (Plan General de Contabilidad, group 57).
const fn heading(kind: BankAccountType) -> &'static str {
    match kind {
        BankAccountType::Cash => "570",
        BankAccountType::Bank | BankAccountType::Card | BankAccountType::Other => "572",
    }
}

/// Whether an account counts money of this kind; what a card owes is a debt (52).
fn is_money(kind: BankAccountType, code: AccountCode) -> bool {
    let debt = match kind {
        BankAccountType::Card | BankAccountType::Other => code.starts_with("52"),
        BankAccountType::Bank | BankAccountType::Cash => false,
    };
    code.starts_with("57") || debt
}
