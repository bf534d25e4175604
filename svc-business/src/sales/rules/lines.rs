//! Lines from a client's input.

use std::collections::BTreeSet;

use svc_core::error::Validator;
use svc_core::id::SalesLineId;
use time::Date;

use crate::invoicing::input::{description, identity, member, tags};
use crate::sales::document::{Ids, Line, UnitCode};
use crate::sales::input::SalesLineInput;
use crate::trade::calculation::MOST_LINES;
use crate::trade::{ExemptionCode, Quantity, Rate, Side, TaxCode};

/// What a line is that does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineDefaults {
    /// The tax of the customer, or else of the company.
    pub tax_code: Option<String>,
    /// The customer is under the equivalence surcharge: a default tax has it, where there is one with it.
    pub surcharge: bool,
    /// What the customer keeps back; zero for nothing.
    pub withholding: Rate,
}

/// Reads lines, taxed as on `tax_date`; those that name the id of a line in `present` keep it.
///
/// Findings are below `lines[0]`: `required`, `too_long`, `out_of_range`, `unknown_reference` and `duplicate` of ids,
/// `invalid_tax_code`, `invalid_account_code` and others. `None` after a finding.
pub fn read_lines(
    validator: &mut Validator,
    input: &[SalesLineInput],
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
        input: &SalesLineInput,
        id: Option<SalesLineId>,
    ) -> Option<Line> {
        let at = |name: &str| format!("{field}.{name}");
        let description = description(validator, &at("description"), &input.description);
        let quantity =
            member(validator, &at("quantity"), "invalid_quantity", input.quantity.as_deref(), Quantity::ONE);
        let some = quantity.is_none_or(|quantity| quantity != Quantity::ZERO);
        validator.require(some, &at("quantity"), "out_of_range", "must not be zero");
        let unit = member(validator, &at("unit"), "invalid_unit", input.unit.as_deref(), UnitCode::default());
        let unit_price = validator.take(&at("unitPrice"), "invalid_price", input.unit_price.parse());
        let discount_percent = member(
            validator,
            &at("discountPercent"),
            "out_of_range",
            input.discount_percent.as_deref(),
            Rate::ZERO,
        );
        let withholding_rate = member(
            validator,
            &at("withholdingRate"),
            "out_of_range",
            input.withholding_rate.as_deref(),
            self.defaults.withholding,
        );
        let account = match input.account_code.as_deref() {
            None => Some(None),
            Some(text) => validator.take(&at("accountCode"), "invalid_account_code", text.parse()).map(Some),
        };
        let tax = self.tax(validator, &at("taxCode"), input.tax_code.as_deref());
        let exemption =
            tax.and_then(|tax| exemption(validator, &at("exemptionCode"), tax, input.exemption_code));
        tags(validator, &at("tags"), &input.tags);
        Some(Line {
            id: id?,
            description: description?,
            quantity: quantity?,
            unit: unit?,
            unit_price: unit_price?,
            discount_percent: discount_percent?,
            tax: tax?,
            exemption: exemption?,
            withholding_rate: withholding_rate?,
            account: account?,
            item_type: input.item_type.unwrap_or_default(),
            tags: input.tags.clone(),
        })
    }

    fn tax(&self, validator: &mut Validator, field: &str, code: Option<&str>) -> Option<&'static TaxCode> {
        let found = match (code, &self.defaults.tax_code) {
            (Some(code), _) => TaxCode::find(code, self.tax_date),
            (None, Some(code)) => {
                let with = self.defaults.surcharge.then(|| format!("{code}_re"));
                with.and_then(|code| TaxCode::find(&code, self.tax_date))
                    .or_else(|| TaxCode::find(code, self.tax_date))
            }
            (None, None) => {
                validator.fail(field, "required", "there is no default: name the tax");
                return None;
            }
        };
        let found = found.filter(|tax| match tax.side {
            Side::Sales | Side::Both => true,
            Side::Purchases => false,
        });
        if found.is_none() {
            let message = format!("no tax of sales has this code on {}", self.tax_date);
            validator.fail(field, "invalid_tax_code", message);
        }
        found
    }
}

/// The reason of a line, where its tax wants one; the only one that there is when it says none.
#[expect(clippy::option_option, reason = "the outer one is missing after a finding")]
fn exemption(
    validator: &mut Validator,
    field: &str,
    tax: &TaxCode,
    code: Option<ExemptionCode>,
) -> Option<Option<ExemptionCode>> {
    match (code, tax.exemptions) {
        (None, [only]) => Some(Some(*only)),
        (None, _) => Some(None),
        (Some(code), reasons) => {
            let message = format!("is no reason of the tax {}", tax.code);
            validator.require(reasons.contains(&code), field, "not_allowed", message).then_some(Some(code))
        }
    }
}
