//! The lines of an electronic invoice.

use std::collections::BTreeMap;
use std::str::FromStr;

use rust_decimal::Decimal;
use svc_core::error::Validator;
use svc_core::money::{Amount, Currency};
use time::Date;

use super::{ImportedAdjustment, ImportedInvoice, ImportedLine, ImportedRate, taxes};
use crate::purchases::document::{Ids, Line};
use crate::purchases::rules::LineDefaults;
use crate::trade::calculation::{self, Document, calculate};
use crate::trade::{ItemType, Quantity, Rate, TaxCategory, TaxCode, UnitPrice};

/// Most characters of a description.
const MOST_TEXT: usize = 1_000;

/// The lines with those of discounts and charges after them; `None` after findings.
///
/// Findings are `invalid_tax_code` on `lines[0].tax`, `discounts[0].tax` and `charges[0].tax`, `out_of_range` on
/// `lines[0].net` and on `lines[0].withholdingRate`.
pub(super) fn read(
    validator: &mut Validator,
    invoice: &ImportedInvoice,
    defaults: &LineDefaults,
    on: Date,
    ids: &Ids<'_>,
) -> Option<Vec<Line>> {
    let reading = Reading {
        currency: invoice.currency,
        prices_include_tax: invoice.prices_include_tax,
        from_member_state: invoice.seller.is_of_another_member_state(),
        defaults,
        on,
        ids,
    };
    let mut lines = Vec::new();
    let mut wanted = 0_usize;
    for (at, line) in invoice.lines.iter().enumerate() {
        wanted = wanted.saturating_add(1);
        lines.extend(reading.line(validator, &format!("lines[{at}]"), line));
    }
    let discounts = invoice.discounts.iter().map(|one| (one, "discounts", "Discount", true)).enumerate();
    let charges = invoice.charges.iter().map(|one| (one, "charges", "Charge", false)).enumerate();
    for (at, (one, list, name, taken_off)) in discounts.chain(charges) {
        if one.amount.minor() == 0 {
            continue;
        }
        wanted = wanted.saturating_add(1);
        let withheld = withheld_of(invoice, one.tax);
        let line = reading.adjustment(validator, &format!("{list}[{at}]"), one, name, taken_off);
        lines.extend(line.map(|line| Line { withholding_rate: withheld, ..line }));
    }
    (lines.len() == wanted).then_some(lines)
}

/// What is withheld of all lines with a tax, where they agree: a part of the whole takes its share of that.
fn withheld_of(invoice: &ImportedInvoice, tax: ImportedRate) -> Rate {
    let mut rates = invoice.lines.iter().filter(|line| line.tax == tax).map(|line| line.withholding_rate);
    let first = rates.next();
    let agreed = first.filter(|first| rates.all(|rate| rate == *first));
    agreed.and_then(decimal).unwrap_or(Rate::ZERO)
}

struct Reading<'a> {
    currency: Currency,
    prices_include_tax: bool,
    from_member_state: bool,
    defaults: &'a LineDefaults,
    on: Date,
    ids: &'a Ids<'a>,
}

impl Reading<'_> {
    fn line(&self, validator: &mut Validator, field: &str, line: &ImportedLine) -> Option<Line> {
        let tax = self.tax(validator, field, line.tax);
        let withheld = decimal::<Rate>(line.withholding_rate);
        if withheld.is_none() {
            let message = "expected a percentage from 0 to 100 with at most 4 decimals";
            validator.fail(format!("{field}.withholdingRate"), "out_of_range", message);
        }
        let (tax, withheld) = (tax?, withheld?);
        let whole = self.whole(validator, field, line.net, tax)?;
        // The category of supplies within the Union is that of goods: services are under reverse charge there.
        let of_goods = line.tax.category == TaxCategory::IntraCommunity;
        let item_type = if of_goods { ItemType::Good } else { whole.item_type };
        let line_of = |line: Line| Line { withholding_rate: withheld, item_type, ..line };
        let whole = line_of(Line { description: text(&line.description, "Item"), ..whole });
        Some(self.in_parts(line, &whole).unwrap_or(whole))
    }

    fn adjustment(
        &self,
        validator: &mut Validator,
        field: &str,
        one: &ImportedAdjustment,
        name: &str,
        taken_off: bool,
    ) -> Option<Line> {
        let tax = self.tax(validator, field, one.tax)?;
        let amount = if taken_off { one.amount.negated() } else { one.amount };
        let line = self.whole(validator, field, amount, tax)?;
        Some(Line { description: text(&one.reason, name), ..line })
    }

    fn tax(&self, validator: &mut Validator, field: &str, named: ImportedRate) -> Option<&'static TaxCode> {
        let found = taxes::find(named, self.from_member_state, self.on);
        if found.is_none() {
            let message = format!(
                "no tax of purchases has the category {} and the rate {} on {}",
                named.category, named.rate, self.on
            );
            validator.fail(format!("{field}.tax"), "invalid_tax_code", message);
        }
        found
    }

    /// One piece of this amount.
    fn whole(
        &self,
        validator: &mut Validator,
        field: &str,
        net: Amount,
        tax: &'static TaxCode,
    ) -> Option<Line> {
        // An amount that is negative is a negative quantity, as in what takes something back.
        let (quantity, price) = match net.minor() {
            ..0 => (Quantity::ONE.negated(), net.negated()),
            0.. => (Quantity::ONE, net),
        };
        let unit_price =
            validator.take(&format!("{field}.net"), "out_of_range", price.to_string().parse())?;
        Some(Line {
            id: self.ids.make(),
            description: String::new(),
            quantity,
            unit: crate::trade::UnitCode::default(),
            unit_price,
            discount_percent: Rate::ZERO,
            tax,
            deductible_percent: None,
            withholding_rate: Rate::ZERO,
            account: self.defaults.account,
            item_type: ItemType::Service,
            asset_class: None,
            tags: BTreeMap::new(),
        })
    }

    /// The line with quantity, price and discount, where these come to what it states.
    fn in_parts(&self, line: &ImportedLine, whole: &Line) -> Option<Line> {
        let parts = Line {
            quantity: decimal(line.quantity)?,
            unit: line.unit.parse().unwrap_or_default(),
            unit_price: decimal::<UnitPrice>(line.unit_price)?,
            discount_percent: line.discount_percent.map_or(Some(Rate::ZERO), decimal)?,
            ..whole.clone()
        };
        let computed = calculation::Line {
            quantity: parts.quantity,
            unit_price: parts.unit_price,
            discount_percent: parts.discount_percent,
            tax: parts.tax,
            withholding_rate: Rate::ZERO,
        };
        let document = Document {
            currency: self.currency,
            prices_include_tax: self.prices_include_tax,
            lines: vec![computed],
            discount: None,
        };
        let figures = calculate(&document).ok()?;
        (figures.totals.lines == line.net).then_some(parts)
    }
}

/// A decimal as a value with a text of its own; `None` for one that has too many digits or is out of range.
fn decimal<T: FromStr>(number: Decimal) -> Option<T> {
    number.normalize().to_string().parse().ok()
}

/// A text of at most 1,000 characters, or this one where nothing is left of it.
fn text(given: &str, missing: &str) -> String {
    let plain: String = given.chars().filter(|letter| !letter.is_control() || *letter == '\n').collect();
    let text: String = plain.trim().chars().take(MOST_TEXT).collect();
    if text.is_empty() { missing.to_owned() } else { text }
}
