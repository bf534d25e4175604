//! What a movement is to stand for, as a request says.

use std::str::FromStr;

use svc_core::error::{ValidationErrors, Validator};
use svc_core::id::{
    BankAccountId, ContactId, JournalLineId, PaymentId, SalesDocumentId, SupplierDocumentId, TaxReturnId,
};
use svc_core::money::{Amount, Currency};

use super::chosen::Chosen;
use super::input::{AllocationRequest, MOST_ALLOCATIONS};
use crate::bank::movement::{BankMovement, TargetKind};
use crate::books::account::AccountCode;
use crate::books::entry::FxRate;
use crate::party::line;

/// What a movement is to stand for.
pub(super) struct Wish {
    /// They add up to the movement.
    pub(super) parts: Vec<Part>,
    /// How many units of the base currency one of the movement's was.
    pub(super) fx_rate: FxRate,
}

/// A part of a movement, with its sign.
pub(super) struct Part {
    pub(super) amount: Amount,
    pub(super) target: Wished,
}

/// What a part is to stand for.
pub(super) enum Wished {
    Invoice(SalesDocumentId),
    SupplierDocument(SupplierDocumentId),
    Payment(PaymentId),
    JournalLine(JournalLineId),
    Account { account: AccountCode, contact: Option<ContactId>, description: Option<String> },
    Transfer(BankAccountId),
    TaxReturn(TaxReturnId),
}

/// Reads what the movement is to stand for.
///
/// # Errors
/// Findings on `allocations`: `too_many`, `not_balanced` (they do not add up to the movement), and on the members of each:
/// `invalid_amount`, `out_of_range` (zero, or the other sign), `required`, `not_allowed`, `unknown_reference`; on `fxRate`:
/// `invalid_rate`, `required`, `out_of_range`.
pub(super) fn read(
    movement: &BankMovement,
    base: Currency,
    chosen: &Chosen,
) -> Result<Wish, ValidationErrors> {
    let mut validator = Validator::new();
    let moved = movement.moved.amount;
    let fx_rate = rate(&mut validator, moved.currency() == base, chosen.fx_rate.as_deref());
    if !(1..=MOST_ALLOCATIONS).contains(&chosen.allocations.len()) {
        validator.fail("allocations", "too_many", "expected 1 to 50 allocations");
    }
    validator.finish()?;
    let (mut parts, mut found) = (Vec::new(), Vec::new());
    for (at, allocation) in chosen.allocations.iter().enumerate() {
        let read = part(moved, allocation).map_err(|invalid| invalid.within(&format!("allocations[{at}]")));
        match read {
            Ok(part) => parts.push(part),
            Err(invalid) => found.extend(invalid.0),
        }
    }
    if !found.is_empty() {
        return Err(ValidationErrors(found));
    }
    let sum = Amount::sum(parts.iter().map(|part| part.amount), moved.currency());
    let missing = sum.and_then(|sum| moved.minus(sum)).map(Amount::minor);
    if missing != Ok(0) {
        let message = format!("must add up to {moved}, all of the movement");
        return Err(ValidationErrors::one("allocations", "not_balanced", message));
    }
    Ok(Wish { parts, fx_rate: fx_rate.unwrap_or(FxRate::ONE) })
}

fn rate(validator: &mut Validator, same: bool, given: Option<&str>) -> Option<FxRate> {
    let rate = given.map(|text| validator.take("fxRate", "invalid_rate", text.parse::<FxRate>()));
    match rate {
        None if same => Some(FxRate::ONE),
        None => {
            let message = "must be present: the account is held in another currency than the books";
            validator.fail("fxRate", "required", message);
            None
        }
        Some(rate) => {
            let one = !same || rate.is_none_or(|rate| rate == FxRate::ONE);
            validator.require(one, "fxRate", "out_of_range", "is 1 between a currency and itself");
            rate
        }
    }
}

fn part(moved: Amount, request: &AllocationRequest) -> Result<Part, ValidationErrors> {
    let mut validator = Validator::new();
    let amount = Amount::parse(&request.amount, moved.currency());
    let amount = validator.take("amount", "invalid_amount", amount);
    if let Some(amount) = amount {
        let is_account = request.kind == TargetKind::Account;
        let fits = amount.minor() != 0 && (is_account || amount.minor().signum() == moved.minor().signum());
        let message = "must have the sign of the movement, and must not be zero";
        validator.require(fits, "amount", "out_of_range", message);
    }
    let target = target(&mut validator, request);
    validator.finish()?;
    // What is missing has a finding.
    let missing = || ValidationErrors::one("amount", "required", "must be present");
    let (amount, target) = amount.zip(target).ok_or_else(missing)?;
    Ok(Part { amount, target })
}

fn target(validator: &mut Validator, request: &AllocationRequest) -> Option<Wished> {
    if request.kind == TargetKind::Account {
        validator.require(request.id.is_none(), "id", "not_allowed", "name the account by `accountCode`");
        let description = request.description.as_deref();
        let description = description.and_then(|text| line(validator, "description", text, 500));
        let Some(account) = request.account_code else {
            validator.fail("accountCode", "required", "must be present");
            return None;
        };
        return Some(Wished::Account { account, contact: request.contact_id, description });
    }
    for (field, given) in [
        ("accountCode", request.account_code.is_some()),
        ("contactId", request.contact_id.is_some()),
        ("description", request.description.is_some()),
    ] {
        validator.require(!given, field, "not_allowed", "is for the type `account` alone");
    }
    match request.kind {
        TargetKind::Invoice => id(validator, request).map(Wished::Invoice),
        TargetKind::SupplierDocument => id(validator, request).map(Wished::SupplierDocument),
        TargetKind::Payment => id(validator, request).map(Wished::Payment),
        TargetKind::JournalLine => id(validator, request).map(Wished::JournalLine),
        TargetKind::Transfer => id(validator, request).map(Wished::Transfer),
        TargetKind::TaxReturn => id(validator, request).map(Wished::TaxReturn),
        TargetKind::Account => None,
    }
}

fn id<I: FromStr>(validator: &mut Validator, request: &AllocationRequest) -> Option<I> {
    let Some(text) = &request.id else {
        validator.fail("id", "required", "must be present");
        return None;
    };
    let id = text.parse().ok();
    validator.require(id.is_some(), "id", "unknown_reference", super::known::UNKNOWN);
    id
}
