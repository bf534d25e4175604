//! What books are after a client's input.

use std::collections::BTreeMap;

use svc_core::error::Validator;
use svc_core::patch::Patch;

use super::{Automation, AutomationInput, Book, BookInput};
use crate::books::account::{AccountCode, CodeLength};
use crate::books::default_accounts::{DefaultAccounts, Purpose};
use crate::party::{ExtensionInput, date, extension, kept, parsed, required};

/// `base` with the input applied; findings go to `validator`.
pub(super) fn apply(validator: &mut Validator, base: &Book, input: BookInput) -> Book {
    let mut after = base.clone();
    kept(validator, "chart", input.chart, &mut after.chart);
    kept(validator, "subledgerMode", input.subledger, &mut after.subledger);
    let digits = input.account_code_length.map(|digits| u8::try_from(digits).unwrap_or(u8::MAX));
    let mut length = None;
    match digits {
        Patch::Absent => {}
        Patch::Null => validator.fail("accountCodeLength", "required", "cannot be null"),
        Patch::Value(digits) => {
            length = validator.take("accountCodeLength", "out_of_range", CodeLength::new(digits));
        }
    }
    after.code_length = length.unwrap_or(after.code_length);
    if (after.chart, after.code_length) != (base.chart, base.code_length) {
        after.default_accounts = DefaultAccounts::of(after.chart, after.code_length);
    }
    let mut start = Some(after.year_start);
    parsed(validator, "fiscalYearStart", "invalid_value", &input.year_start, &mut start, |start| start);
    required(validator, "fiscalYearStart", start, &mut after.year_start);
    after.default_accounts = default_accounts(validator, after.default_accounts, input.default_accounts);
    locks(validator, &mut after, &input.lock_date, &input.hard_lock_date);
    match input.automation {
        Patch::Absent => {}
        Patch::Null => validator.fail("automation", "required", "cannot be null"),
        Patch::Value(input) => automation(validator, &mut after.automation, &input),
    }
    let attached = ExtensionInput { external_id: input.external_id, metadata: input.metadata };
    extension(validator, attached, &mut after.extension);
    after
}

fn default_accounts(
    validator: &mut Validator,
    mut accounts: DefaultAccounts,
    patch: Patch<BTreeMap<String, Option<String>>>,
) -> DefaultAccounts {
    let named = match patch {
        Patch::Absent => return accounts,
        Patch::Null => return DefaultAccounts::default(),
        Patch::Value(named) => named,
    };
    for (name, code) in named {
        let field = format!("defaultAccounts.{name}");
        let purpose = validator.take(&field, "unknown_name", name.parse::<Purpose>());
        let code = match code {
            None => Some(None),
            Some(text) => {
                validator.take(&field, "invalid_account_code", text.parse::<AccountCode>()).map(Some)
            }
        };
        if let (Some(purpose), Some(code)) = (purpose, code) {
            accounts = accounts.with(purpose, code);
        }
    }
    accounts
}

fn locks(validator: &mut Validator, after: &mut Book, lock: &Patch<String>, hard: &Patch<String>) {
    let mut to = after.locks.lock;
    date(validator, "lockDate", lock, &mut to);
    after.locks = after.locks.locked_to(to);
    let mut to = after.locks.hard;
    date(validator, "hardLockDate", hard, &mut to);
    if let Some(locks) = validator.take("hardLockDate", "hard_lock_date", after.locks.hard_locked_to(to)) {
        after.locks = locks;
    }
}

fn automation(validator: &mut Validator, after: &mut Automation, input: &AutomationInput) {
    let Automation { sales, purchases, payments, depreciation, tax_settlement, auto_reconcile } = after;
    for (name, patch, mode) in [
        ("sales", input.sales, sales),
        ("purchases", input.purchases, purchases),
        ("payments", input.payments, payments),
        ("depreciation", input.depreciation, depreciation),
        ("taxSettlement", input.tax_settlement, tax_settlement),
    ] {
        kept(validator, &format!("automation.{name}"), patch, mode);
    }
    kept(validator, "automation.autoReconcile", input.auto_reconcile, auto_reconcile);
}
