//! Which statements of a file are those of an account.

use svc_core::money::Amount;
use svc_core::pii::PiiAccess;
use svc_core::refused::Refused;
use svc_statement::{Statement, Warning};
use time::Date;

use super::take::finding;
use super::{ImportRefused, ImportWarning, ImportWarningCode};
use crate::bank::BankAccount;
use crate::party::value;

/// The most warnings of an import.
const MOST_WARNINGS: usize = 20;

/// What is taken of a file, and what that says.
pub(super) struct Choice {
    /// Its statements by their places in the file, the oldest first.
    pub(super) taken: Vec<usize>,
    pub(super) from: Option<Date>,
    pub(super) to: Option<Date>,
    pub(super) opening: Option<Amount>,
    pub(super) closing: Option<Amount>,
    pub(super) lines: u32,
    pub(super) warnings: Vec<ImportWarning>,
}

/// The statements of this account among those of a file, of which there may be several, for several days.
pub(super) fn choose(
    account: &BankAccount,
    access: PiiAccess,
    statements: &[Statement],
) -> Result<Choice, Refused<ImportRefused>> {
    let mut taken = of_account(account, access, statements)?;
    let found = |place: &usize| statements.get(*place);
    taken.sort_by_key(|place| found(place).and_then(|statement| statement.from));
    for statement in taken.iter().filter_map(found) {
        if let Some(given) = statement.currency.filter(|given| *given != account.currency) {
            let held = account.currency;
            let message = format!("the statement is in {given}, and the account is held in {held}");
            return Err(finding("invalid_currency", message).into());
        }
    }
    let mut warnings: Vec<ImportWarning> = Vec::new();
    let left_out = statements.len().saturating_sub(taken.len());
    if left_out > 0 {
        let message = format!("{left_out} statements of other accounts were left out");
        warnings.push(ImportWarning::new(ImportWarningCode::OtherAccountsLeftOut, message));
    }
    let own: Vec<&Statement> = taken.iter().filter_map(found).collect();
    warnings.extend(own.iter().flat_map(|statement| &statement.warnings).map(of_reader));
    warnings.extend(own.iter().zip(own.iter().skip(1)).filter_map(|(one, next)| between(one, next)));
    warnings.dedup();
    warnings.truncate(MOST_WARNINGS);
    let lines = own.iter().map(|statement| statement.movements.len()).sum::<usize>();
    let (first, last) = (own.first(), own.last());
    Ok(Choice {
        from: own.iter().filter_map(|statement| statement.from).min(),
        to: own.iter().filter_map(|statement| statement.to).max(),
        opening: first.and_then(|statement| statement.opening),
        closing: last.and_then(|statement| statement.closing),
        lines: u32::try_from(lines).unwrap_or(u32::MAX),
        taken,
        warnings,
    })
}

fn of_account(
    account: &BankAccount,
    access: PiiAccess,
    statements: &[Statement],
) -> Result<Vec<usize>, Refused<ImportRefused>> {
    let places = || statements.iter().enumerate();
    let named = statements.iter().any(|statement| statement.account.iban.is_some());
    let Some(iban) = account.iban.as_ref().filter(|_| named) else {
        let first = statements.first().map(|statement| &statement.account);
        let alone = statements.iter().all(|statement| Some(&statement.account) == first);
        let message = "the file is about several accounts, and no number tells which of them this one is";
        return if alone { Ok(places().map(|(place, _)| place).collect()) } else { Err(wrong(message)) };
    };
    if !access.is_full() {
        return Err(Refused::Own(ImportRefused::NumberMasked));
    }
    let own = |statement: &Statement| {
        statement.account.iban.as_ref().is_some_and(|given| given == value(iban).as_str())
    };
    let own: Vec<usize> = places().filter(|(_, statement)| own(statement)).map(|(place, _)| place).collect();
    if own.is_empty() { Err(wrong("the file is of another account")) } else { Ok(own) }
}

fn wrong(message: &str) -> Refused<ImportRefused> {
    finding("wrong_account", message).into()
}

fn of_reader(warning: &Warning) -> ImportWarning {
    ImportWarning::new(warning.into(), warning.to_string())
}

/// Whether a statement begins with what the one before it in the file ended with.
fn between(one: &Statement, next: &Statement) -> Option<ImportWarning> {
    let (closing, opening) = one.closing.zip(next.opening)?;
    let message =
        || format!("a statement of the file ends with {closing}, and the next one begins with {opening}");
    (closing != opening).then(|| ImportWarning::new(ImportWarningCode::Gap, message()))
}
