//! What a fixed asset is after a client's input, and the rules that it must pass.

mod accounts;
mod frozen;
mod schedule;

use svc_core::clock::Timestamp;
use svc_core::error::{ValidationErrors, Validator};
use svc_core::id::{AccountId, FixedAssetId};
use svc_core::money::{Amount, Currency};
use svc_core::patch::Patch;
use svc_core::resource::Version;
use time::{Date, Month};

use self::accounts::{accounts, postable};
use self::schedule::schedule;
use super::class::AssetClass;
use super::plan::{Plan, PlanError, Terms};
use super::{AssetStatus, DisposalTerms, DisposeRequest, FixedAsset, FixedAssetInput};
use crate::books::account::CodeLength;
use crate::party::{Extension, ExtensionInput, calendar_date, date, extension, line, optional_line};

/// What the books say that an asset depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssetBooks {
    /// Their base currency.
    pub currency: Currency,
    /// Digits of accounts that take entries.
    pub length: CodeLength,
    /// The month with which fiscal years begin.
    pub year_start: Month,
}

/// What a new asset is told by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewAsset {
    /// Its id.
    pub id: FixedAssetId,
    /// The company that has it.
    pub company: AccountId,
    /// When it is created.
    pub now: Timestamp,
}

impl FixedAsset {
    /// A draft by the input of its creation.
    ///
    /// # Errors
    /// Every broken rule, named by its field.
    pub fn create(
        new: NewAsset,
        input: &FixedAssetInput,
        books: AssetBooks,
    ) -> Result<Self, ValidationErrors> {
        apply(&blank(new, books), input, books, true)
    }

    /// The asset after a merge patch. Once it is active, only its name, its code, its residual value and its life
    /// change, and what is not posted is planned anew; once it has left, only its name and its code do.
    ///
    /// # Errors
    /// Every broken rule, named by its field.
    pub fn patch(&self, input: &FixedAssetInput, books: AssetBooks) -> Result<Self, ValidationErrors> {
        apply(self, input, books, false)
    }
}

impl DisposeRequest {
    /// The terms of the request, read.
    ///
    /// # Errors
    /// Every broken rule, named by its field.
    pub fn read(&self, books: AssetBooks) -> Result<DisposalTerms, ValidationErrors> {
        let mut validator = Validator::new();
        let date = calendar_date(&mut validator, "date", &self.date);
        let proceeds = match &self.proceeds {
            None => Some(Amount::zero(books.currency)),
            Some(text) => amount(&mut validator, "proceeds", text, books.currency),
        };
        if let Some(code) = self.account_code {
            postable(&mut validator, "accountCode", code, books.length);
        }
        validator.finish()?;
        // Both are there when nothing was found.
        let missing = || ValidationErrors::one("date", "required", "must be present");
        let (date, proceeds) = date.zip(proceeds).ok_or_else(missing)?;
        Ok(DisposalTerms { date, proceeds, reason: self.reason })
    }
}

/// An asset as it is before the input of its creation.
fn blank(new: NewAsset, books: AssetBooks) -> FixedAsset {
    let (NewAsset { id, company, now }, zero) = (new, Amount::zero(books.currency));
    let class = AssetClass::ItEquipment;
    let terms = Terms {
        cost: zero,
        residual: zero,
        opening_accumulated: zero,
        in_service: now.date(),
        schedule: None,
    };
    FixedAsset {
        id,
        company,
        name: String::new(),
        code: None,
        class,
        acquired_on: now.date(),
        terms,
        accounts: class.accounts(books.length),
        posted: Vec::new(),
        status: AssetStatus::Draft,
        extension: Extension::default(),
        version: Version::FIRST,
        created_at: now,
        updated_at: now,
    }
}

fn apply(
    base: &FixedAsset,
    input: &FixedAssetInput,
    books: AssetBooks,
    creating: bool,
) -> Result<FixedAsset, ValidationErrors> {
    let mut validator = Validator::new();
    let mut after = base.clone();
    match &input.name {
        Patch::Absent if !creating => {}
        Patch::Absent | Patch::Null => validator.fail("name", "required", "must be present"),
        Patch::Value(text) => after.name = line(&mut validator, "name", text, 200).unwrap_or_default(),
    }
    optional_line(&mut validator, "code", input.code.clone(), &mut after.code, 50);
    match input.asset_class {
        Patch::Absent if !creating => {}
        Patch::Absent | Patch::Null => validator.fail("assetClass", "required", "must be present"),
        Patch::Value(class) => after.class = class,
    }
    dates(&mut validator, &mut after, input, creating);
    amounts(&mut validator, &mut after, input, books.currency, creating);
    after.terms.schedule = schedule(&mut validator, &after, input, books, creating);
    let present = Some(base.accounts).filter(|_| !creating && after.class == base.class);
    after.accounts = accounts(&mut validator, after.class, present, input, books.length);
    let attached =
        ExtensionInput { external_id: input.external_id.clone(), metadata: input.metadata.clone() };
    extension(&mut validator, attached, &mut after.extension);
    frozen::judge(&mut validator, base, &after);
    // An amount that could not be read is none to judge, and what was judged once is fixed.
    if validator.passed() && base.status == AssetStatus::Draft {
        after.terms.judge(&mut validator, after.class);
        let nothing = after.accounts.depreciation.is_some() || after.terms.opening_accumulated.minor() == 0;
        let message = format!("an asset of the class {} loses no value", after.class);
        validator.require(nothing, "openingAccumulated", "not_allowed", message);
    }
    if validator.passed() {
        judge_plan(&mut validator, &after);
    }
    validator.finish()?;
    after.settled().map_err(|error| ValidationErrors::one("cost", "out_of_range", error.to_string()))
}

fn dates(validator: &mut Validator, after: &mut FixedAsset, input: &FixedAssetInput, creating: bool) {
    let mut acquired = (!creating).then_some(after.acquired_on);
    date(validator, "acquisitionDate", &input.acquisition_date, &mut acquired);
    match acquired {
        Some(acquired) => after.acquired_on = acquired,
        // A date that could not be read is told already.
        None if matches!(input.acquisition_date, Patch::Value(_)) => {}
        None => validator.fail("acquisitionDate", "required", "must be present"),
    }
    let mut in_service: Option<Date> = (!creating).then_some(after.terms.in_service);
    date(validator, "inServiceDate", &input.in_service_date, &mut in_service);
    after.terms.in_service = in_service.unwrap_or(after.acquired_on);
    let in_order = after.terms.in_service >= after.acquired_on;
    validator.require(in_order, "inServiceDate", "out_of_range", "must not be before acquisitionDate");
}

fn amounts(
    validator: &mut Validator,
    after: &mut FixedAsset,
    input: &FixedAssetInput,
    currency: Currency,
    creating: bool,
) {
    let terms = &mut after.terms;
    match &input.cost {
        Patch::Absent if !creating => {}
        Patch::Absent | Patch::Null => validator.fail("cost", "required", "must be present"),
        Patch::Value(text) => {
            terms.cost = amount(validator, "cost", text, currency).unwrap_or(terms.cost);
        }
    }
    let optional = [
        ("residualValue", &input.residual_value, &mut terms.residual),
        ("openingAccumulated", &input.opening_accumulated, &mut terms.opening_accumulated),
    ];
    for (field, patch, current) in optional {
        match patch {
            Patch::Absent => {}
            Patch::Null => *current = Amount::zero(currency),
            Patch::Value(text) => *current = amount(validator, field, text, currency).unwrap_or(*current),
        }
    }
}

/// An amount that is not below zero.
fn amount(validator: &mut Validator, field: &str, text: &str, currency: Currency) -> Option<Amount> {
    let amount = validator.take(field, "invalid_amount", Amount::parse(text, currency))?;
    let message = "must not be negative";
    validator.require(amount.minor() >= 0, field, "out_of_range", message).then_some(amount)
}

/// Judges that there is a plan, with what is posted of it.
fn judge_plan(validator: &mut Validator, after: &FixedAsset) {
    if let Err(error) = Plan::of(&after.terms, &after.posted) {
        let field = match error {
            PlanError::Exceeded { .. } => "residualValue",
            PlanError::Calendar => "usefulLifeMonths",
            PlanError::Money(_) => "cost",
        };
        validator.fail(field, "out_of_range", error.to_string());
    }
}
