//! Documents for tests: written out, or at random.

use proptest::prelude::*;
use svc_business::trade::calculation::{Calculation, Document, Line, calculate};
use svc_business::trade::{Discount, DiscountType, Quantity, Rate, TaxCode};
use svc_core::money::{Amount, Currency};
use time::Date;
use time::macros::date;

/// The day on which all of them are taxed.
pub(crate) const DAY: Date = date!(2025 - 03 - 14);

/// A line: quantity, unit price, discount in percent, tax code, rate of withholding.
pub(crate) fn line(texts: (&str, &str, &str, &str, &str)) -> Line {
    let (quantity, unit_price, discount, code, withholding) = texts;
    Line {
        quantity: quantity.parse().expect("a quantity"),
        unit_price: unit_price.parse().expect("a price"),
        discount_percent: discount.parse().expect("a rate"),
        tax: TaxCode::find(code, DAY).expect("a tax code"),
        withholding_rate: withholding.parse().expect("a rate"),
    }
}

/// A document in euros, without tax in its prices and without a discount.
pub(crate) fn document(lines: &[(&str, &str, &str, &str, &str)]) -> Document {
    Document {
        currency: Currency::EUR,
        prices_include_tax: false,
        lines: lines.iter().copied().map(line).collect(),
        discount: None,
    }
}

pub(crate) fn percent(value: &str) -> Discount {
    Discount::parse(DiscountType::Percent, value, Currency::EUR).expect("a discount")
}

pub(crate) fn amount(value: &str) -> Discount {
    Discount::parse(DiscountType::Amount, value, Currency::EUR).expect("a discount")
}

pub(crate) fn figures(document: &Document) -> Calculation {
    calculate(document).expect("a valid document")
}

/// The totals as texts: lines, discount, taxable, tax, total, withholding, payable.
pub(crate) fn totals(calculation: &Calculation) -> [String; 7] {
    let totals = calculation.totals;
    [
        totals.lines,
        totals.discount,
        totals.taxable,
        totals.tax,
        totals.total,
        totals.withholding,
        totals.payable,
    ]
    .map(|amount| amount.to_string())
}

/// Each tax as texts: code, base, quota, surcharge.
pub(crate) fn taxes(calculation: &Calculation) -> Vec<[String; 4]> {
    let texts = |tax: &svc_business::trade::calculation::TaxFigures| {
        [
            tax.tax.code.to_owned(),
            tax.base.to_string(),
            tax.quota.to_string(),
            tax.surcharge_quota.to_string(),
        ]
    };
    calculation.taxes.iter().map(texts).collect()
}

/// The document that takes this one back.
pub(crate) fn credit(document: &Document) -> Document {
    let negated = |line: &Line| Line { quantity: line.quantity.negated(), ..*line };
    Document {
        lines: document.lines.iter().map(negated).collect(),
        discount: document.discount.map(Discount::negated),
        ..document.clone()
    }
}

/// Any document that passes every rule: all currencies' digits, signs, taxes and kinds of discount. Prices are
/// often small and round, so that sums cancel out and remainders tie.
pub(crate) fn any_document() -> impl Strategy<Value = Document> {
    let currency = prop::sample::select(vec!["EUR", "EUR", "JPY", "KWD", "CLF"]);
    let count = prop_oneof![40 => 1_usize..=8, 8 => 9_usize..=40, 1 => 400_usize..=500];
    let signs = prop_oneof![Just((true, false)), Just((false, true)), Just((true, true))];
    (currency, any::<bool>(), count, signs)
        .prop_flat_map(|(currency, prices_include_tax, count, signs)| {
            let lines = prop::collection::vec(any_line(signs), count);
            (Just(currency), Just(prices_include_tax), lines, any_discount())
        })
        .prop_map(|(currency, prices_include_tax, lines, (kind, part))| {
            let currency = currency.parse().expect("a currency");
            let mut document = Document { currency, prices_include_tax, lines, discount: None };
            document.discount = match kind {
                0 => None,
                1 => Some(Discount::Percent(rate(part))),
                _ => Some(Discount::Amount(part_of_lines(&document, part))),
            };
            document
        })
}

fn any_discount() -> impl Strategy<Value = (u8, i64)> {
    let part = prop_oneof![Just(0), Just(1), Just(1_000_000), Just(500_000), Just(50_000), 0_i64..=1_000_000];
    (0_u8..3, part)
}

/// So many millionths of the sum of the lines.
fn part_of_lines(document: &Document, part: i64) -> Amount {
    let sum = i128::from(figures(document).totals.lines.minor());
    Amount::from_ratio(sum * i128::from(part), 1_000_000, document.currency).expect("part of an amount")
}

fn any_line((plus, minus): (bool, bool)) -> impl Strategy<Value = Line> {
    let sign = match (plus, minus) {
        (true, true) => prop_oneof![Just(1_i64), Just(-1)].boxed(),
        (true, false) => Just(1).boxed(),
        (false, _) => Just(-1).boxed(),
    };
    let quantity = prop_oneof![
        4 => (1_i64..=5).prop_map(|units| units * 1_000_000),
        1 => 1_i64..=99_999_999,
        1 => Just(500_000),
    ];
    let price = prop_oneof![
        3 => (0_i64..=20).prop_map(|tenths| tenths * 100_000),
        3 => (0_i64..=50_000).prop_map(|cents| cents * 10_000),
        2 => 0_i64..=5_000_000_000,
        1 => 0_i64..=9_000_000_000_000,
    ];
    let discount =
        prop_oneof![4 => Just(0_i64), 1 => Just(100_000), 1 => Just(1_000_000), 1 => 0_i64..=1_000_000];
    let withholding =
        prop_oneof![3 => Just(0_i64), 2 => Just(150_000), 1 => Just(70_000), 1 => 0_i64..=470_000];
    let tax: Vec<_> = TaxCode::all().iter().filter(|row| row.holds(DAY)).collect();
    // Few taxes in most documents, so that lines meet in groups.
    let few: Vec<_> = tax.iter().copied().filter(|row| row.code.starts_with("es_vat_")).take(3).collect();
    let tax = prop_oneof![3 => prop::sample::select(few), 1 => prop::sample::select(tax)];
    (sign, quantity, price, discount, tax, withholding).prop_map(
        |(sign, quantity, price, discount, tax, withholding)| Line {
            quantity: millionths(sign * quantity).parse::<Quantity>().expect("a quantity"),
            unit_price: millionths(price).parse().expect("a price"),
            discount_percent: rate(discount),
            tax,
            withholding_rate: rate(withholding),
        },
    )
}

fn rate(ten_thousandths: i64) -> Rate {
    format!("{}.{:04}", ten_thousandths / 10_000, ten_thousandths % 10_000).parse().expect("a rate")
}

fn millionths(units: i64) -> String {
    let sign = if units < 0 { "-" } else { "" };
    format!("{sign}{}.{:06}", units.unsigned_abs() / 1_000_000, units.unsigned_abs() % 1_000_000)
}
