//! What of the tax of a received document can be deducted.

use proptest::prelude::*;
use svc_business::trade::calculation::{
    Calculation, Document, Line, LineDeduction, TaxAdjustment, calculate,
};
use svc_business::trade::{Rate, TaxCode};
use svc_core::money::{Amount, Currency};
use svc_testkit::property::cases;
use time::macros::date;

/// The figures of lines of this quantity, price and tax.
fn figures(lines: &[(&str, &str, &str)]) -> Calculation {
    let line = |(quantity, price, code): &(&str, &str, &str)| Line {
        quantity: quantity.parse().expect("a quantity"),
        unit_price: price.parse().expect("a price"),
        discount_percent: Rate::ZERO,
        tax: TaxCode::find(code, date!(2025 - 03 - 14)).expect("a tax code"),
        withholding_rate: Rate::ZERO,
    };
    let lines = lines.iter().map(line).collect();
    let document = Document { currency: Currency::EUR, prices_include_tax: false, lines, discount: None };
    calculate(&document).expect("valid lines")
}

fn rate(text: &str) -> Rate {
    text.parse().expect("a rate")
}

/// So many percent, of a line that returns do not tell apart.
fn share(percent: &str) -> LineDeduction {
    LineDeduction { percent: rate(percent), supply: None }
}

/// `code percent base quota deductible` of each share, and the costs of the lines.
fn told(figures: &Calculation, percents: &[&str]) -> (Vec<String>, Vec<String>) {
    let alike: Vec<_> = percents.iter().map(|text| share(text)).collect();
    let deduction = figures.deduction(&alike).expect("in range");
    let told = deduction
        .taxes
        .iter()
        .map(|tax| format!("{} {} {} {} {}", tax.tax.code, tax.percent, tax.base, tax.quota, tax.deductible));
    (told.collect(), deduction.costs.iter().map(ToString::to_string).collect())
}

#[test]
fn a_share_is_taken_of_the_tax_of_its_lines() {
    let figures =
        figures(&[("1", "100.00", "es_in_21"), ("1", "50.00", "es_in_21"), ("2", "9.99", "es_in_10")]);
    let (taxes, costs) = told(&figures, &["100", "50", "0"]);
    let expected =
        ["es_in_21 100 100.00 21.00 21.00", "es_in_21 50 50.00 10.50 5.25", "es_in_10 0 19.98 2.00 0.00"];
    assert_eq!(taxes, expected);
    assert_eq!(costs, ["0.00", "5.25", "2.00"]);
}

#[test]
fn a_tax_that_the_customer_owes_itself_is_deducted_too() {
    let figures = figures(&[("1", "100.00", "es_in_intra_21"), ("1", "10.00", "es_in_exempt")]);
    let (taxes, costs) = told(&figures, &["60"]);
    assert_eq!(taxes, ["es_in_exempt 100 10.00 0.00 0.00", "es_in_intra_21 60 100.00 21.00 12.60"]);
    assert_eq!(costs, ["8.40", "0.00"]);
}

#[test]
fn a_stated_quota_is_shared_to_the_cent() {
    let figures = figures(&[("1", "0.10", "es_in_21"), ("1", "0.10", "es_in_21"), ("1", "0.10", "es_in_21")]);
    let quota = Amount::parse("0.07", Currency::EUR).expect("an amount");
    let adjusted =
        figures.adjusted(&[TaxAdjustment { tax_code: "es_in_21".to_owned(), quota }]).expect("near");
    let (taxes, costs) = told(&adjusted, &["0", "0", "100"]);
    assert_eq!(taxes, ["es_in_21 100 0.10 0.02 0.02", "es_in_21 0 0.20 0.05 0.00"]);
    assert_eq!(costs, ["0.03", "0.02", "0.00"]);
}

#[test]
fn lines_that_cancel_out_keep_their_own_shares() {
    let figures = figures(&[("1", "100.00", "es_in_21"), ("-1", "100.00", "es_in_21")]);
    let (taxes, costs) = told(&figures, &["100", "0"]);
    assert_eq!(taxes, ["es_in_21 100 100.00 21.00 21.00", "es_in_21 0 -100.00 -21.00 0.00"]);
    assert_eq!(costs, ["0.00", "-21.00"]);
}

proptest! {
    #![proptest_config(cases(300))]

    /// What is deducted and what is cost are the tax of the document, and each share is within its quota.
    #[test]
    fn deduction_and_cost_are_the_tax(
        lines in prop::collection::vec((-20_i64..20, 0_i64..99_999, 0_usize..4, 0_i64..=100), 1..12),
    ) {
        const CODES: [&str; 4] = ["es_in_21", "es_in_10", "es_in_reverse_21", "es_in_exempt"];
        let texts: Vec<_> = lines
            .iter()
            .map(|(count, cents, code, percent)| {
                let count = if *count == 0 { 1 } else { *count };
                let price = format!("{}.{:02}", cents / 100, cents % 100);
                (count.to_string(), price, CODES[*code], percent.to_string())
            })
            .collect();
        let parts: Vec<_> = texts.iter().map(|(count, price, code, _)| (count.as_str(), price.as_str(), *code)).collect();
        let alike: Vec<_> = texts.iter().map(|(.., percent)| share(percent)).collect();
        let figures = figures(&parts);
        let deduction = figures.deduction(&alike).expect("in range");
        let minor = |amounts: Vec<Amount>| amounts.into_iter().map(Amount::minor).sum::<i64>();
        let tax = minor(figures.taxes.iter().flat_map(|tax| [tax.quota, tax.self_assessed_quota]).collect());
        let deducted = deduction.deductible(Currency::EUR).expect("in range").minor();
        prop_assert_eq!(deducted + minor(deduction.costs.clone()), tax);
        for share in &deduction.taxes {
            let (part, whole) = (share.deductible.minor(), share.quota.minor());
            prop_assert!((whole.min(0)..=whole.max(0)).contains(&part));
        }
        for figures in &figures.taxes {
            let of_tax = deduction.taxes.iter().filter(|share| share.tax == figures.tax);
            let (bases, quotas) = of_tax.map(|share| (share.base.minor(), share.quota.minor())).fold(
                (0, 0),
                |(bases, quotas), (base, quota)| (bases + base, quotas + quota),
            );
            prop_assert_eq!(bases, figures.base.minor());
            prop_assert_eq!(quotas, figures.quota.minor() + figures.self_assessed_quota.minor());
        }
    }
}
