//! What an account of the ledger is after a client's input.

use svc_core::error::Validator;
use svc_core::patch::Patch;

use super::{LedgerAccount, LedgerAccountInput};
use crate::books::account::{AccountCodeError, AccountType, CodeLength};
use crate::party::{ExtensionInput, extension, line};

/// `base` with the input applied; findings go to `validator`.
pub(super) fn apply(
    validator: &mut Validator,
    base: &LedgerAccount,
    input: LedgerAccountInput,
    length: CodeLength,
    creating: bool,
) -> LedgerAccount {
    let mut after = base.clone();
    match input.code {
        Patch::Absent if !creating => {}
        Patch::Absent | Patch::Null => validator.fail("code", "required", "must be present"),
        Patch::Value(code) => {
            after.code = code;
            let most = length.digits();
            let fits = code.len() <= usize::from(most);
            validator.require(fits, "code", "too_long", AccountCodeError::TooLong { most }.to_string());
        }
    }
    after.postable = after.code.is_postable(length);
    match &input.name {
        Patch::Absent if !creating => {}
        Patch::Absent | Patch::Null => validator.fail("name", "required", "must be present"),
        Patch::Value(text) => after.name = line(validator, "name", text, 200).unwrap_or_default(),
    }
    // A type that was kept by an override stays only where the new code lets it.
    let moved = after.code != base.code || creating;
    let wanted = match input.account_type {
        Patch::Absent if moved => None,
        Patch::Absent => Some(after.account_type),
        Patch::Null => {
            validator.fail("type", "required", "cannot be null");
            None
        }
        Patch::Value(wanted) => Some(wanted),
    };
    let overridden = AccountType::overridden(after.code, wanted);
    after.account_type = validator.take("type", "not_allowed", overridden).unwrap_or(after.account_type);
    match input.reconcilable {
        Patch::Absent => {}
        Patch::Null => validator.fail("reconcilable", "required", "cannot be null"),
        Patch::Value(reconcilable) => after.reconcilable = reconcilable,
    }
    after.tax_role = input.tax_role.over(after.tax_role);
    match input.status {
        Patch::Absent => {}
        Patch::Null => validator.fail("status", "required", "cannot be null"),
        Patch::Value(status) => after.status = status,
    }
    let attached = ExtensionInput { external_id: input.external_id, metadata: input.metadata };
    extension(validator, attached, &mut after.extension);
    after
}
