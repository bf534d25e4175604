//! Quotas of suppliers that round otherwise.

use svc_business::trade::calculation::{Calculation, TaxAdjustment};
use svc_core::error::{FieldError, ValidationErrors};
use svc_core::money::{Amount, Currency};

use super::documents::{document, figures, line, taxes, totals};

fn adjust(figures: &Calculation, quotas: &[(&str, &str)]) -> Result<Calculation, ValidationErrors> {
    let adjustments: Vec<_> = quotas
        .iter()
        .map(|(code, quota)| TaxAdjustment {
            tax_code: (*code).to_owned(),
            quota: Amount::parse(quota, figures.currency).expect("an amount"),
        })
        .collect();
    figures.clone().adjusted(&adjustments)
}

fn refused(figures: &Calculation, quotas: &[(&str, &str)]) -> Vec<(String, &'static str)> {
    let findings = adjust(figures, quotas).expect_err("a rule is broken").0;
    findings.into_iter().map(|FieldError { field, code, .. }| (field, code)).collect()
}

fn purchase() -> Calculation {
    figures(&document(&[
        ("1", "100.00", "0", "es_in_21", "15"),
        ("1", "10.00", "0", "es_in_10", "0"),
        ("1", "10.00", "0", "es_in_exempt", "0"),
        ("1", "10.00", "0", "es_in_reverse_21", "0"),
    ]))
}

#[test]
fn the_totals_follow_the_quotas_of_the_document() {
    let adjusted = adjust(&purchase(), &[("es_in_10", "1.05"), ("es_in_21", "20.98")]).expect("near enough");
    assert_eq!(taxes(&adjusted)[0], ["es_in_21", "100.00", "20.98", "0.00"]);
    assert_eq!(taxes(&adjusted)[1], ["es_in_10", "10.00", "1.05", "0.00"]);
    assert_eq!(totals(&adjusted), ["130.00", "0.00", "130.00", "22.03", "152.03", "15.00", "137.03"]);
    assert_eq!(adjust(&purchase(), &[]), Ok(purchase()));
}

#[test]
fn a_quota_is_at_most_5_minor_units_away_or_one_for_each_line() {
    for (quota, passes) in [("21.05", true), ("20.95", true), ("21.06", false), ("20.94", false)] {
        assert_eq!(adjust(&purchase(), &[("es_in_21", quota)]).is_ok(), passes, "{quota}");
    }
    let mut long = document(&[]);
    long.lines = vec![line(("1", "1.00", "0", "es_in_21", "0")); 200];
    for (quota, passes) in [("44.00", true), ("44.01", false), ("40.00", true), ("39.99", false)] {
        assert_eq!(adjust(&figures(&long), &[("es_in_21", quota)]).is_ok(), passes, "{quota}");
    }
}

#[test]
fn what_is_paid_stays_where_prices_include_tax() {
    let mut paid = document(&[("1", "10.00", "0", "es_in_21", "15"), ("1", "10.00", "0", "es_in_21", "0")]);
    paid.prices_include_tax = true;
    let computed = figures(&paid);
    assert_eq!(taxes(&computed), [["es_in_21", "16.53", "3.47", "0.00"]]);
    let adjusted = adjust(&computed, &[("es_in_21", "3.42")]).expect("near enough");
    assert_eq!(taxes(&adjusted), [["es_in_21", "16.58", "3.42", "0.00"]]);
    let bases: Vec<_> = adjusted.lines.iter().map(|line| line.tax_base.minor()).collect();
    assert_eq!(bases, [829, 829]);
    assert_eq!(totals(&adjusted), ["20.00", "0.00", "16.58", "3.42", "20.00", "1.24", "18.76"]);
}

#[test]
fn every_adjustment_that_breaks_a_rule_is_named() {
    let quotas = [
        ("es_in_21", "22.00"),
        ("es_in_4", "0.40"),
        ("es_in_21", "21.00"),
        ("es_in_exempt", "0.01"),
        ("es_in_reverse_21", "2.10"),
    ];
    let expected = [
        ("taxAdjustments[0].quota", "out_of_range"),
        ("taxAdjustments[1].taxCode", "unknown_reference"),
        ("taxAdjustments[2].taxCode", "duplicate"),
        ("taxAdjustments[3].taxCode", "not_allowed"),
        ("taxAdjustments[4].taxCode", "not_allowed"),
    ];
    assert_eq!(refused(&purchase(), &quotas), expected.map(|(field, code)| (field.to_owned(), code)));
}

#[test]
fn a_quota_is_in_the_currency_of_the_document() {
    let yen = Amount::from_minor(2_100, "JPY".parse().expect("a currency")).expect("in range");
    let adjustment = TaxAdjustment { tax_code: "es_in_21".to_owned(), quota: yen };
    let findings = purchase().adjusted(&[adjustment]).expect_err("another currency").0;
    assert_eq!(findings[0].field, "taxAdjustments[0].quota");
    assert_eq!((findings[0].code, purchase().currency), ("invalid_currency", Currency::EUR));
}
