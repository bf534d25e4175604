//! Tax withheld from others: 111 and 190, 115 and 180.

use svc_core::money::Amount;
use svc_tax_forms::{FactKind, Model, OutsideReason, ResultKind, TaxFact, Warning, WithholdingKey};

use crate::facts::{spanish, with, withheld};
use crate::{assert_boxes, compute, day, eur, period};

fn practised(key: WithholdingKey, month: u8, base: &str, quota: &str) -> TaxFact {
    withheld(key, FactKind::WithholdingPractised, day(2025, month, 15), base, quota)
}

/// Two people who work, a lawyer with two invoices, a landlord.
fn facts() -> Vec<TaxFact> {
    let (ada, leo) = (spanish("12345678Z", "Ruiz Ada"), spanish("X1234567L", "Marín Leo"));
    let (lawyer, landlord) = (spanish("89890001K", "Vega Abogada"), spanish("B12345674", "Locales Duero SL"));
    vec![
        with(&ada, practised(WithholdingKey::Work, 1, "2000.00", "300.00")),
        with(&ada, practised(WithholdingKey::Work, 2, "2000.00", "300.00")),
        with(&leo, practised(WithholdingKey::Work, 3, "1500.00", "150.00")),
        with(&lawyer, practised(WithholdingKey::Activity, 2, "1000.00", "150.00")),
        with(&lawyer, practised(WithholdingKey::Activity, 5, "400.00", "60.00")),
        with(&landlord, practised(WithholdingKey::Rent, 1, "900.00", "171.00")),
        with(&landlord, practised(WithholdingKey::Rent, 12, "900.00", "171.00")),
    ]
}

#[test]
fn a_quarter_counts_each_recipient_once() {
    let made = compute(Model::M111, &period(2025, "1T"), &facts());
    assert_boxes(&made, &[("01", "2"), ("02", "5500.00"), ("03", "750.00")]);
    assert_boxes(
        &made,
        &[("07", "1"), ("08", "1000.00"), ("09", "150.00"), ("28", "900.00"), ("30", "900.00")],
    );
    assert_eq!((made.result.kind, made.result.amount), (ResultKind::Payable, eur("900.00")));
    assert_eq!(made.outside.len(), 1, "the invoice of May");
}

#[test]
fn rents_have_a_return_of_their_own() {
    let made = compute(Model::M115, &period(2025, "1T"), &facts());
    assert_boxes(&made, &[("01", "1"), ("02", "900.00"), ("03", "171.00"), ("05", "171.00")]);
    let none = compute(Model::M115, &period(2025, "2T"), &[]);
    assert_eq!(none.result.kind, ResultKind::Zero);
}

#[test]
fn the_year_lists_recipients_and_equals_the_quarters() {
    let facts = facts();
    let year = compute(Model::M190, &period(2025, "0A"), &facts);
    let rows: Vec<_> = year
        .parties
        .iter()
        .map(|row| (row.key.as_str(), row.party.id.as_str(), row.amounts["base"]))
        .collect();
    let expected = [
        ("A", "con_12345678Z", eur("4000.00")),
        ("G", "con_89890001K", eur("1400.00")),
        ("A", "con_X1234567L", eur("1500.00")),
    ];
    assert_eq!(rows, expected);
    let quarters = ["1T", "2T", "3T", "4T"].map(|code| compute(Model::M111, &period(2025, code), &facts));
    let withheld: i64 = quarters.iter().map(|made| made.amount("28").expect("a box").minor()).sum();
    assert_eq!(year.amount("03").map(Amount::minor), Some(withheld));
    assert_boxes(&year, &[("01", "3"), ("02", "6900.00"), ("03", "960.00")]);
}

#[test]
fn the_year_of_rents_lists_landlords() {
    let year = compute(Model::M180, &period(2025, "0A"), &facts());
    assert_boxes(&year, &[("01", "1"), ("02", "1800.00"), ("03", "342.00")]);
    assert_eq!(year.parties[0].amount("withheld"), Some(eur("342.00")));
    assert_eq!(year.result.kind, ResultKind::Informative);
}

#[test]
fn a_row_needs_a_party_and_tells_what_is_missing_of_it() {
    let mut unknown = spanish("", "Ruiz Ada");
    (unknown.tax_id, unknown.province) = (None, None);
    let facts = [
        practised(WithholdingKey::Work, 1, "1.00", "0.10"),
        with(&unknown, practised(WithholdingKey::Work, 2, "2.00", "0.20")),
    ];
    let year = compute(Model::M190, &period(2025, "0A"), &facts);
    assert_eq!(year.outside[0].reason, OutsideReason::NoParty);
    assert_boxes(&year, &[("01", "1"), ("02", "2.00")]);
    assert!(year.warnings.contains(&Warning::NoTaxId { party: unknown.id.clone() }));
    assert!(year.warnings.contains(&Warning::NoProvince { party: unknown.id }));
}

#[test]
fn a_key_that_the_form_does_not_have_is_told() {
    let made =
        compute(Model::M111, &period(2025, "1T"), &[practised(WithholdingKey::Other, 1, "1.00", "0.19")]);
    assert_eq!(made.outside[0].reason, OutsideReason::NoBox);
}
