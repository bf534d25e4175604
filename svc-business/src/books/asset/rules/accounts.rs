//! The accounts of an asset after a client's input.

use svc_core::error::Validator;
use svc_core::patch::Patch;

use crate::books::account::{AccountCode, CodeLength};
use crate::books::asset::FixedAssetInput;
use crate::books::asset::class::{AssetAccounts, AssetClass, DepreciationAccounts};

/// The accounts that the input names, and else those that the asset has, or those of its class when it is new to it.
pub(super) fn accounts(
    validator: &mut Validator,
    class: AssetClass,
    present: Option<AssetAccounts>,
    input: &FixedAssetInput,
    length: CodeLength,
) -> AssetAccounts {
    let usual = class.accounts(length);
    let present = present.unwrap_or(usual);
    let mut pick = |field: &str, patch: &Patch<AccountCode>, present, usual| match *patch {
        Patch::Absent => present,
        Patch::Null => usual,
        Patch::Value(code) => {
            postable(validator, field, code, length);
            code
        }
    };
    let asset = pick("assetAccountCode", &input.asset_account_code, present.asset, usual.asset);
    let (of_accumulated, of_expense) = (&input.accumulated_account_code, &input.expense_account_code);
    let fields = ["accumulatedAccountCode", "expenseAccountCode"];
    // A class that loses value has accounts for it, so that an asset of it has them too.
    if let Some((present, usual)) = present.depreciation.zip(usual.depreciation) {
        let [accumulated, expense] = fields;
        let depreciation = DepreciationAccounts {
            accumulated: pick(accumulated, of_accumulated, present.accumulated, usual.accumulated),
            expense: pick(expense, of_expense, present.expense, usual.expense),
        };
        return AssetAccounts { asset, depreciation: Some(depreciation) };
    }
    for (field, patch) in fields.into_iter().zip([of_accumulated, of_expense]) {
        let message = format!("an asset of the class {class} loses no value");
        validator.require(!matches!(patch, Patch::Value(_)), field, "not_allowed", message);
    }
    AssetAccounts { asset, depreciation: None }
}

/// Judges that a code is as long as those of accounts that take entries.
pub(super) fn postable(validator: &mut Validator, field: &str, code: AccountCode, length: CodeLength) {
    let message = format!("must have {} digits, as accounts that take entries do", length.digits());
    validator.require(code.is_postable(length), field, "account_not_postable", message);
}
