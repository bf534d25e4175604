//! What a bank account is after a client's input, and the rules that it must pass.

use svc_core::error::Validator;
use svc_core::money::{Amount, Currency};
use svc_core::patch::Patch;
use svc_core::pii::{Pii, PiiAccess};
use time::Date;

use super::{BankAccount, BankAccountInput, BankAccountStatus, BankAccountType, OpeningBalance};
use crate::party::{
    ExtensionInput, Iban, calendar_date, extension, line, masked_text, optional_line, parsed,
};

/// Where the input meets the rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    /// What the caller sees of personal data.
    pub(super) access: PiiAccess,
    /// Today by the company's calendar.
    pub(super) today: Date,
    /// Whether the account is new.
    pub(super) creating: bool,
}

/// `base` with the input applied, but for its account of the ledger and what other accounts have a say in; findings go
/// to `validator`, each with the field as the client wrote it.
pub(super) fn apply(
    validator: &mut Validator,
    base: &BankAccount,
    input: &BankAccountInput,
    setting: Setting,
) -> BankAccount {
    let mut after = base.clone();
    let creating = setting.creating;
    match &input.name {
        Patch::Absent if !creating => {}
        Patch::Absent | Patch::Null => validator.fail("name", "required", "must be present"),
        Patch::Value(text) => after.name = line(validator, "name", text, 200).unwrap_or_default(),
    }
    kind(validator, input.kind, &mut after.kind, creating);
    currency(validator, &input.currency, &mut after.currency, creating);
    iban(validator, input, &mut after, setting.access);
    parsed(validator, "bic", "invalid_bic", &input.bic, &mut after.bic, |bic| bic);
    optional_line(validator, "bankName", input.bank_name.clone(), &mut after.bank_name, 100);
    after.opening = opening(validator, input, &after, setting.today);
    match input.status {
        Patch::Absent => {}
        Patch::Null => validator.fail("status", "required", "expected active or archived"),
        Patch::Value(_) if creating => validator.fail("status", "not_allowed", "a new account is active"),
        Patch::Value(status) => after.status = status,
    }
    is_default(validator, input.is_default, &mut after, base.is_default);
    let own = ExtensionInput { external_id: input.external_id.clone(), metadata: input.metadata.clone() };
    extension(validator, own, &mut after.extension);
    after
}

fn kind(
    validator: &mut Validator,
    patch: Patch<BankAccountType>,
    kind: &mut BankAccountType,
    creating: bool,
) {
    match patch {
        Patch::Absent if !creating => {}
        Patch::Absent | Patch::Null => validator.fail("type", "required", "must be present"),
        Patch::Value(given) if creating => *kind = given,
        Patch::Value(given) => {
            let message = "the type of an account does not change: create another account";
            validator.require(given == *kind, "type", "not_allowed", message);
        }
    }
}

fn currency(validator: &mut Validator, patch: &Patch<String>, currency: &mut Currency, creating: bool) {
    match patch {
        Patch::Absent => {}
        Patch::Null => validator.fail("currency", "required", "cannot be null"),
        Patch::Value(text) => {
            let Some(given) = validator.take("currency", "invalid_currency", text.parse::<Currency>()) else {
                return;
            };
            let message = "the currency of an account does not change: create another account";
            if validator.require(creating || given == *currency, "currency", "not_allowed", message) {
                *currency = given;
            }
        }
    }
}

/// The number, and whether it is compared with that of others: a caller who sees it masked could try one after the
/// other.
fn iban(validator: &mut Validator, input: &BankAccountInput, after: &mut BankAccount, access: PiiAccess) {
    if !masked_text(validator, "iban", &input.iban) {
        parsed(validator, "iban", "invalid_iban", &input.iban, &mut after.iban, Pii::<Iban>::new);
    }
    if !input.iban.is_absent() {
        after.shares_iban = after.iban.is_some() && !access.is_full();
    }
    // One that cannot be read has a finding already.
    let given = matches!(&input.iban, Patch::Value(_));
    let missing = after.kind == BankAccountType::Bank && after.iban.is_none() && !given;
    validator.require(!missing, "iban", "required", "an account of the type bank has an IBAN");
}

fn opening(
    validator: &mut Validator,
    input: &BankAccountInput,
    after: &BankAccount,
    today: Date,
) -> Option<OpeningBalance> {
    let present = after.opening;
    let balance = match &input.opening_balance {
        Patch::Absent => present.map(|opening| opening.balance),
        Patch::Null => None,
        Patch::Value(text) => {
            Some(validator.take("openingBalance", "invalid_amount", Amount::parse(text, after.currency))?)
        }
    };
    let date = match &input.opening_date {
        Patch::Absent => present.map(|opening| opening.date),
        Patch::Null => None,
        Patch::Value(text) => Some(calendar_date(validator, "openingDate", text)?),
    };
    match (balance, date) {
        (None, None) => None,
        (Some(balance), Some(date)) => {
            let message = format!("must not be after {today}");
            validator.require(date <= today, "openingDate", "out_of_range", message);
            Some(OpeningBalance { balance, date })
        }
        (Some(_), None) => {
            validator.fail("openingDate", "required", "a balance is that of a day");
            None
        }
        (None, Some(_)) => {
            validator.fail("openingBalance", "required", "say what the account held on that day");
            None
        }
    }
}

/// The default is one of those in use, and is not given up but taken by another one.
fn is_default(validator: &mut Validator, patch: Patch<bool>, after: &mut BankAccount, before: bool) {
    let archived = after.status == BankAccountStatus::Archived;
    after.is_default = before && !archived;
    match patch {
        Patch::Absent => {}
        Patch::Null => validator.fail("isDefault", "required", "expected true or false"),
        Patch::Value(true) => {
            let message = "an archived account is not the default";
            after.is_default = validator.require(!archived, "isDefault", "not_allowed", message);
        }
        Patch::Value(false) => {
            let message = "make another account the default instead";
            validator.require(!before || archived, "isDefault", "not_allowed", message);
        }
    }
}
