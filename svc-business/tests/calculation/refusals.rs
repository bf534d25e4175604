//! Each rule that a document can break, and the member that is named for it.

use svc_business::trade::calculation::{Document, calculate};
use svc_business::trade::{Discount, UnitPrice};
use svc_core::error::FieldError;
use svc_core::money::{Amount, Currency};

use super::documents::{amount, document, line};

const GOOD: (&str, &str, &str, &str, &str) = ("1", "100.00", "0", "es_vat_21", "0");

fn refused(document: &Document) -> Vec<(String, &'static str)> {
    let findings = calculate(document).expect_err("a rule is broken").0;
    findings.into_iter().map(|FieldError { field, code, .. }| (field, code)).collect()
}

fn one(field: &str, code: &'static str) -> Vec<(String, &'static str)> {
    vec![(field.to_owned(), code)]
}

#[test]
fn a_document_has_1_to_500_lines() {
    assert_eq!(refused(&document(&[])), one("lines", "required"));
    let mut many = document(&[]);
    many.lines = vec![line(GOOD); 501];
    assert_eq!(refused(&many), one("lines", "too_many"));
    many.lines.pop();
    assert!(calculate(&many).is_ok());
}

#[test]
fn every_line_that_breaks_a_rule_is_named() {
    let lines = document(&[
        GOOD,
        ("0", "1.00", "0", "es_vat_21", "0"),
        GOOD,
        ("1", "1.00", "0", "es_vat_21", "47.0001"),
        ("999999999999", "9000000000000", "0", "es_vat_21", "0"),
        ("1", "1.00", "0", "es_vat_21", "47"),
    ]);
    let expected = [
        ("lines[1].quantity", "out_of_range"),
        ("lines[3].withholdingRate", "out_of_range"),
        ("lines[4]", "out_of_range"),
    ];
    assert_eq!(refused(&lines), expected.map(|(field, code)| (field.to_owned(), code)));
}

#[test]
fn a_product_at_the_bounds_is_refused_without_a_panic() {
    for currency in ["EUR", "JPY", "KWD", "CLF", "XAU"] {
        let mut widest = document(&[("999999999999.999999", "1", "0", "es_vat_21", "0")]);
        widest.currency = currency.parse().expect("a currency");
        for price in [UnitPrice::MIN, UnitPrice::MAX] {
            widest.lines[0].unit_price = price;
            assert_eq!(refused(&widest), one("lines[0]", "out_of_range"), "{currency}");
        }
    }
}

#[test]
fn sums_beyond_an_amount_are_refused() {
    let large = ("1", "9000000000000", "0", "es_export", "0");
    assert_eq!(refused(&document(&[large, large])), one("lines", "out_of_range"));
    let taxed = ("1", "9000000000000", "0", "es_vat_21", "0");
    assert_eq!(refused(&document(&[taxed])), one("lines", "out_of_range"), "with its tax");
    // Only the sums must be in range, not what is on the way to them.
    let credit = ("-1", "9000000000000", "0", "es_export", "0");
    assert!(calculate(&document(&[large, large, credit])).is_ok());
}

#[test]
fn a_discount_is_between_nothing_and_the_sum_of_the_lines() {
    let mut sale = document(&[GOOD]);
    let mut credit = document(&[("-1", "100.00", "0", "es_vat_21", "0")]);
    for (value, of_sale, of_credit) in
        [("100.00", true, false), ("100.01", false, false), ("-0.01", false, true), ("-100.00", false, true)]
    {
        for (document, passes) in [(&mut sale, of_sale), (&mut credit, of_credit)] {
            document.discount = Some(amount(value));
            let expected = if passes { vec![] } else { one("discount.value", "out_of_range") };
            assert_eq!(
                calculate(document).map_or_else(|_| refused(document), |_| vec![]),
                expected,
                "{value}"
            );
        }
    }
    let mut nothing = document(&[GOOD, ("-1", "100.00", "0", "es_vat_21", "0")]);
    nothing.discount = Some(amount("0.01"));
    assert_eq!(refused(&nothing), one("discount.value", "out_of_range"));
}

#[test]
fn a_discount_is_in_the_currency_of_the_document() {
    let mut sale = document(&[GOOD]);
    sale.currency = "USD".parse().expect("a currency");
    sale.discount = Some(Discount::Amount(Amount::zero(Currency::EUR)));
    assert_eq!(refused(&sale), one("discount.value", "invalid_currency"));
}
