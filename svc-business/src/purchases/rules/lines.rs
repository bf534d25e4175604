//! Lines from a client's input.

use std::collections::BTreeSet;

use svc_core::error::Validator;
use svc_core::id::SupplierLineId;
use time::Date;

use crate::books::account::AccountCode;
use crate::invoicing::input::{description, identity, member, tags};
use crate::purchases::document::{DocType, Ids, Line};
use crate::purchases::input::SupplierLineInput;
use crate::purchases::supplier::Supplier;
use crate::trade::calculation::MOST_LINES;
use crate::trade::{Quantity, Rate, Side, TaxCode, UnitCode};

/// The tax of imports.
const IMPORT: &str = "es_in_import_21";

/// What a line is that does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineDefaults {
    /// The tax of the supplier.
    pub tax_code: Option<String>,
    /// The account of the supplier; one by the item of the line when there is none.
    pub account: Option<AccountCode>,
    /// What is withheld; zero for nothing.
    pub withholding: Rate,
}

impl LineDefaults {
    /// Those of a supplier; without one, a tax has to be named.
    #[must_use]
    pub fn of(supplier: Option<&Supplier>) -> Self {
        supplier.map_or_else(Self::default, |supplier| Self {
            tax_code: Some(supplier.default_tax_code().to_owned()),
            account: supplier.expense_account,
            withholding: supplier.withholding_rate,
        })
    }

    /// Those of a document of this type: customs charge a tax of their own, and nothing is withheld from them.
    #[must_use]
    pub(super) fn for_type(&self, doc_type: DocType) -> Self {
        match doc_type {
            DocType::ImportVat => {
                Self { tax_code: Some(IMPORT.to_owned()), withholding: Rate::ZERO, ..self.clone() }
            }
            DocType::Invoice | DocType::SimplifiedInvoice | DocType::CreditNote | DocType::Expense => {
                self.clone()
            }
        }
    }
}

/// Whether documents that a company receives have this tax.
pub(crate) fn is_purchase_tax(tax: &TaxCode) -> bool {
    match tax.side {
        Side::Purchases | Side::Both => true,
        Side::Sales => false,
    }
}

/// Whether what is bought can be posted to this account: an expense, or a fixed asset.
pub(crate) fn is_cost(account: AccountCode) -> bool {
    matches!(account.group(), 2 | 6)
}

/// Reads lines, taxed as on `tax_date`; those that name the id of a line in `present` keep it.
///
/// Findings are below `lines[0]`: `required`, `too_long`, `out_of_range`, `unknown_reference` and `duplicate` of ids,
/// `invalid_tax_code`, `invalid_account_code` and others. `None` after a finding.
pub fn read_lines(
    validator: &mut Validator,
    input: &[SupplierLineInput],
    present: &[Line],
    defaults: &LineDefaults,
    tax_date: Date,
    ids: &Ids<'_>,
) -> Option<Vec<Line>> {
    let message = format!("must have at most {MOST_LINES} lines");
    if !validator.require(input.len() <= MOST_LINES, "lines", "too_many", message) {
        return None;
    }
    let known: BTreeSet<_> = present.iter().map(|line| line.id).collect();
    let reading = Reading { defaults, tax_date };
    let mut seen = BTreeSet::new();
    let mut lines = Vec::with_capacity(input.len());
    for (at, line) in input.iter().enumerate() {
        let field = format!("lines[{at}]");
        let id = identity(validator, &field, line.id, (&known, &mut seen), ids);
        lines.extend(reading.line(validator, &field, line, id));
    }
    (lines.len() == input.len()).then_some(lines)
}

struct Reading<'a> {
    defaults: &'a LineDefaults,
    tax_date: Date,
}

impl Reading<'_> {
    fn line(
        &self,
        validator: &mut Validator,
        field: &str,
        input: &SupplierLineInput,
        id: Option<SupplierLineId>,
    ) -> Option<Line> {
        let at = |name: &str| format!("{field}.{name}");
        let description = description(validator, &at("description"), &input.description);
        let quantity = input.quantity.as_deref();
        let quantity = member(validator, &at("quantity"), "invalid_quantity", quantity, Quantity::ONE);
        let some = quantity.is_none_or(|quantity| quantity != Quantity::ZERO);
        validator.require(some, &at("quantity"), "out_of_range", "must not be zero");
        let unit = input.unit.as_deref();
        let unit = member(validator, &at("unit"), "invalid_unit", unit, UnitCode::default());
        let unit_price = validator.take(&at("unitPrice"), "invalid_price", input.unit_price.parse());
        let mut percent = |name: &str, text: Option<&str>, missing: Rate| {
            member(validator, &at(name), "out_of_range", text, missing)
        };
        let discount_percent = percent("discountPercent", input.discount_percent.as_deref(), Rate::ZERO);
        let withheld = input.withholding_rate.as_deref();
        let withholding_rate = percent("withholdingRate", withheld, self.defaults.withholding);
        let deductible = input.deductible_percent.as_deref();
        let deductible =
            percent("deductiblePercent", deductible, Rate::MAX).map(|rate| deductible.map(|_| rate));
        let account = self.account(validator, &at("accountCode"), input);
        let tax = self.tax(validator, &at("taxCode"), input.tax_code.as_deref());
        tags(validator, &at("tags"), &input.tags);
        Some(Line {
            id: id?,
            description: description?,
            quantity: quantity?,
            unit: unit?,
            unit_price: unit_price?,
            discount_percent: discount_percent?,
            tax: tax?,
            deductible_percent: deductible?,
            withholding_rate: withholding_rate?,
            account: account?,
            item_type: input.item_type.unwrap_or_default(),
            asset_class: input.asset_class,
            tags: input.tags.clone(),
        })
    }

    /// The account of the line. What becomes a fixed asset has the account of its class, not that of the supplier.
    #[expect(clippy::option_option, reason = "the outer one is missing after a finding")]
    fn account(
        &self,
        validator: &mut Validator,
        field: &str,
        input: &SupplierLineInput,
    ) -> Option<Option<AccountCode>> {
        let Some(text) = input.account_code.as_deref() else {
            return Some(self.defaults.account.filter(|_| input.asset_class.is_none()));
        };
        let code: AccountCode = validator.take(field, "invalid_account_code", text.parse())?;
        let (fits, message) = match input.asset_class {
            Some(_) => (code.group() == 2, "a fixed asset has an account of group 2"),
            None => (is_cost(code), "must be an account of group 6 or 2"),
        };
        validator.require(fits, field, "invalid_account_code", message).then_some(Some(code))
    }

    fn tax(&self, validator: &mut Validator, field: &str, code: Option<&str>) -> Option<&'static TaxCode> {
        let Some(code) = code.or(self.defaults.tax_code.as_deref()) else {
            validator.fail(field, "required", "there is no supplier to take it from: name the tax");
            return None;
        };
        let found = TaxCode::find(code, self.tax_date).filter(|tax| is_purchase_tax(tax));
        if found.is_none() {
            let message = format!("no tax of purchases has this code on {}", self.tax_date);
            validator.fail(field, "invalid_tax_code", message);
        }
        found
    }
}

/// Judges lines against the type of their document: customs charge the tax of imports and no other, and no other
/// document charges it; an expense leaves no tax to the company; what gives no right to deduct says no share of it.
///
/// Findings are `invalid_tax_code` on `lines[0].taxCode`, and `not_allowed` on `lines[0].deductiblePercent`,
/// `lines[0].withholdingRate` and `lines[0].assetClass`.
pub(super) fn judge_type(validator: &mut Validator, doc_type: DocType, lines: &[Line]) {
    for (at, line) in lines.iter().enumerate() {
        let at = |name: &str| format!("lines[{at}].{name}");
        let imported = line.tax.code == IMPORT;
        let (fits, message) = match doc_type {
            DocType::ImportVat => (imported, "customs charge the tax of imports alone"),
            DocType::Expense => {
                (!imported && !line.tax.self_assessed, "an expense has no tax that is due to the tax office")
            }
            DocType::Invoice | DocType::SimplifiedInvoice | DocType::CreditNote => {
                (!imported, "the tax of imports is charged by a document of the type import_vat")
            }
        };
        validator.require(fits, &at("taxCode"), "invalid_tax_code", message);
        let told = line.deductible_percent.is_none_or(|percent| percent == Rate::ZERO);
        let message = "an expense gives no right to deduct tax";
        let right = doc_type.is_registered() || told;
        validator.require(right, &at("deductiblePercent"), "not_allowed", message);
        if doc_type.charges_tax_alone() {
            let message = "nothing is withheld from customs";
            let none = line.withholding_rate == Rate::ZERO;
            validator.require(none, &at("withholdingRate"), "not_allowed", message);
            let message = "the asset is on the document of its supplier";
            validator.require(line.asset_class.is_none(), &at("assetClass"), "not_allowed", message);
        }
    }
}
