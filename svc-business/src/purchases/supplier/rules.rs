//! What a supplier is after a client's input, and the rules that it must pass.

use svc_core::error::Validator;
use svc_core::id::ContactId;
use svc_core::patch::Patch;
use time::Date;

use super::{Supplier, SupplierInput, SupplierStatus};
use crate::books::account::AccountCode;
use crate::contact::ContactInput;
use crate::party::{ExtensionInput, extension, optional_line};
use crate::purchases::rules::{is_cost, is_purchase_tax};
use crate::trade::{Rate, TaxCode};

/// The highest rate of a withholding, as for lines of documents.
const MOST_WITHHELD: Rate = Rate::tenths(470);

/// Where the input meets the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SupplierSetting {
    /// Today by the company's calendar: its taxes can be named.
    pub today: Date,
    /// Whether the supplier is new.
    pub creating: bool,
}

/// What an input says of the contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GivenContact<'a> {
    /// This one, which must be there.
    Named(ContactId),
    /// What is written of it: of an active contact with this tax id or else of a new one for a new supplier, of its own
    /// contact for one that is there.
    Described(&'a ContactInput),
}

/// What the input says of the contact. A new supplier has exactly one of `contactId` and `contact`; of one that is there
/// `contactId` does not change.
///
/// Findings are `required` and `not_allowed` on `contactId`, and `required` on `contact`.
pub fn given_contact<'a>(
    validator: &mut Validator,
    input: &'a SupplierInput,
    creating: bool,
) -> Option<GivenContact<'a>> {
    if !creating {
        let message = "the contact of a supplier does not change: create another supplier";
        validator.require(input.contact.is_absent(), "contactId", "not_allowed", message);
    }
    match (&input.contact, &input.party) {
        (Patch::Value(_), Patch::Value(_)) if creating => {
            let message = "either contactId or contact, not both";
            validator.fail("contactId", "not_allowed", message);
            None
        }
        (Patch::Value(id), Patch::Absent | Patch::Null) if creating => Some(GivenContact::Named(*id)),
        (_, Patch::Value(contact)) => Some(GivenContact::Described(contact)),
        (_, Patch::Null) => {
            validator.fail("contact", "required", "a supplier has a contact");
            None
        }
        (_, Patch::Absent) => {
            let message = "name a contact by contactId, or describe one by contact";
            validator.require(!creating, "contactId", "required", message);
            None
        }
    }
}

/// `base` with the input applied; findings go to `validator`, each with the field as the client wrote it. The contact is
/// judged by [`given_contact`].
#[must_use]
pub fn apply_supplier(
    validator: &mut Validator,
    base: &Supplier,
    input: &SupplierInput,
    setting: &SupplierSetting,
) -> Supplier {
    let mut after = base.clone();
    optional_line(validator, "code", input.code.clone(), &mut after.code, 50);
    after.supplier_type = over(&input.supplier_type, after.supplier_type);
    term(validator, &input.payment_term_days, &mut after.payment_term_days);
    after.payment_method = input.payment_method.over(after.payment_method);
    account(validator, input.expense_account, &mut after.expense_account);
    tax(validator, &input.default_tax_code, &mut after.tax_code, setting.today);
    withholding(validator, &input.withholding_rate, &mut after.withholding_rate);
    after.withholding_key = over(&input.withholding_key, after.withholding_key);
    after.vat_regime = over(&input.vat_regime, after.vat_regime);
    status(validator, input.status, &mut after.status, setting.creating);
    let own = ExtensionInput { external_id: input.external_id.clone(), metadata: input.metadata.clone() };
    extension(validator, own, &mut after.extension);
    after
}

/// The present value, the written one, or the usual one for null.
fn over<T: Copy + Default>(patch: &Patch<T>, present: T) -> T {
    match patch {
        Patch::Absent => present,
        Patch::Null => T::default(),
        Patch::Value(value) => *value,
    }
}

fn term(validator: &mut Validator, patch: &Patch<i64>, days: &mut Option<u16>) {
    match patch {
        Patch::Absent => {}
        Patch::Null => *days = None,
        Patch::Value(given) => match u16::try_from(*given).ok().filter(|given| *given <= 365) {
            Some(given) => *days = Some(given),
            None => validator.fail("paymentTermDays", "out_of_range", "must be from 0 to 365"),
        },
    }
}

fn account(validator: &mut Validator, patch: Patch<AccountCode>, account: &mut Option<AccountCode>) {
    let given = patch.over(*account);
    let message = "must be an account of group 6 or 2";
    let fits = given.is_none_or(is_cost);
    if validator.require(fits, "defaultExpenseAccountCode", "invalid_account_code", message) {
        *account = given;
    }
}

fn tax(validator: &mut Validator, patch: &Patch<String>, code: &mut Option<String>, today: Date) {
    match patch {
        Patch::Absent => {}
        Patch::Null => *code = None,
        Patch::Value(given) => {
            let known = TaxCode::find(given, today).is_some_and(is_purchase_tax);
            let message = format!("no tax of purchases has this code on {today}");
            if validator.require(known, "defaultTaxCode", "invalid_tax_code", message) {
                *code = Some(given.clone());
            }
        }
    }
}

fn withholding(validator: &mut Validator, patch: &Patch<String>, rate: &mut Rate) {
    let field = "defaultWithholdingRate";
    match patch {
        Patch::Absent => {}
        Patch::Null => *rate = Rate::ZERO,
        Patch::Value(text) => {
            let Some(given) = validator.take(field, "out_of_range", text.parse()) else { return };
            let message = format!("must be at most {MOST_WITHHELD}");
            if validator.require(given <= MOST_WITHHELD, field, "out_of_range", message) {
                *rate = given;
            }
        }
    }
}

fn status(
    validator: &mut Validator,
    patch: Patch<SupplierStatus>,
    status: &mut SupplierStatus,
    creating: bool,
) {
    match patch {
        Patch::Absent => {}
        Patch::Null => validator.fail("status", "required", "expected active or archived"),
        Patch::Value(_) if creating => validator.fail("status", "not_allowed", "a new supplier is active"),
        Patch::Value(given) => *status = given,
    }
}
