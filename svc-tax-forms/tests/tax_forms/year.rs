//! A year of VAT with figures computed by hand.

use svc_tax_forms::{
    Computed, FactKind, Facts, Form, Manual, Model, OutsideReason, Previous, PreviousReturn, Rectifies,
    ResultKind, TaxFact, TaxResult, Treatment, Warning,
};

use crate::facts::{fact, purchase, sale, self_charged};
use crate::{assert_boxes, compute, compute_after, day, eur, period};

fn first_quarter() -> Vec<TaxFact> {
    let mut facts = vec![
        sale(day(2025, 1, 20), "10000.00", "2100.00"),
        TaxFact { rate: 10.into(), ..sale(day(2025, 2, 3), "2000.00", "200.00") },
        TaxFact { treatment: Treatment::Export, rate: 0.into(), ..sale(day(2025, 2, 28), "1500.00", "0.00") },
        purchase(day(2025, 1, 9), "4000.00", "840.00"),
        TaxFact { investment: true, ..purchase(day(2025, 3, 31), "3000.00", "630.00") },
    ];
    facts.extend(self_charged(Treatment::IntraCommunityGoods, day(2025, 3, 1), "1000.00", "210.00"));
    facts
}

fn second_quarter() -> Vec<TaxFact> {
    vec![
        sale(day(2025, 4, 1), "5000.00", "1050.00"),
        TaxFact { rectifies: Rectifies::Document, ..sale(day(2025, 5, 2), "-500.00", "-105.00") },
        purchase(day(2025, 6, 30), "8000.00", "1680.00"),
    ]
}

fn third_quarter() -> Vec<TaxFact> {
    let surcharge = fact(FactKind::SurchargeOutput, day(2025, 8, 5), "1000.00", "52.00");
    let mut facts = vec![
        sale(day(2025, 7, 1), "6000.00", "1260.00"),
        sale(day(2025, 8, 5), "1000.00", "210.00"),
        TaxFact { rate: "5.2".parse().expect("a rate"), ..surcharge },
        TaxFact { deductible: eur("105.00"), ..purchase(day(2025, 9, 30), "1000.00", "210.00") },
    ];
    facts.extend(self_charged(Treatment::ReverseCharge, day(2025, 9, 1), "2000.00", "420.00"));
    facts
}

fn fourth_quarter() -> Vec<TaxFact> {
    vec![sale(day(2025, 10, 1), "3000.00", "630.00"), purchase(day(2025, 12, 31), "5000.00", "1050.00")]
}

/// The four returns, each computed after those before it.
fn returns() -> Vec<Computed> {
    let quarters = [first_quarter(), second_quarter(), third_quarter(), fourth_quarter()];
    let mut made: Vec<Computed> = Vec::new();
    for (facts, code) in quarters.iter().zip(["1T", "2T", "3T", "4T"]) {
        let previous = Previous::new(made.iter().map(PreviousReturn::of));
        made.push(compute_after(Model::M303, &period(2025, code), facts, &previous));
    }
    made
}

fn result(kind: ResultKind, amount: &str) -> TaxResult {
    TaxResult { kind, amount: eur(amount) }
}

#[test]
fn the_first_quarter_pays() {
    let made = &returns()[0];
    assert_boxes(made, &[("07", "10000.00"), ("09", "2100.00"), ("04", "2000.00"), ("06", "200.00")]);
    assert_boxes(made, &[("10", "1000.00"), ("11", "210.00"), ("27", "2510.00"), ("60", "1500.00")]);
    assert_boxes(made, &[("28", "4000.00"), ("29", "840.00"), ("30", "3000.00"), ("31", "630.00")]);
    assert_boxes(made, &[("36", "1000.00"), ("37", "210.00"), ("45", "1680.00"), ("46", "830.00")]);
    assert_boxes(made, &[("65", "100.00"), ("66", "830.00"), ("110", "0.00"), ("71", "830.00")]);
    assert_eq!(made.result, result(ResultKind::Payable, "830.00"));
    assert!(made.warnings.is_empty() && made.outside.is_empty());
}

#[test]
fn a_credit_note_is_a_correction_and_what_is_too_much_is_offset_later() {
    let made = &returns()[1];
    assert_boxes(made, &[("07", "5000.00"), ("14", "-500.00"), ("15", "-105.00"), ("27", "945.00")]);
    assert_boxes(made, &[("45", "1680.00"), ("46", "-735.00"), ("78", "0.00"), ("71", "-735.00")]);
    assert_eq!(made.result, result(ResultKind::ToOffset, "735.00"));
}

#[test]
fn the_third_quarter_offsets_the_second() {
    let made = &returns()[2];
    assert_boxes(made, &[("12", "2000.00"), ("13", "420.00"), ("22", "1000.00"), ("24", "52.00")]);
    assert_boxes(made, &[("27", "1942.00"), ("28", "3000.00"), ("29", "525.00"), ("46", "1417.00")]);
    assert_boxes(made, &[("110", "735.00"), ("78", "735.00"), ("87", "0.00"), ("71", "682.00")]);
    assert_eq!(made.result, result(ResultKind::Payable, "682.00"));
}

#[test]
fn the_last_quarter_is_refunded_unless_the_person_offsets_it() {
    let made = &returns()[3];
    assert_boxes(made, &[("46", "-420.00"), ("71", "-420.00")]);
    assert_eq!(made.result, result(ResultKind::Refundable, "420.00"));
    let of = period(2025, "4T");
    let facts = fourth_quarter();
    let facts = Facts { tax: &facts, ledger: &[] };
    let form = Form::find(Model::M303, &of).expect("a form");
    let offset =
        form.compute(&of, &facts, &Manual::new().refund(false), &Previous::default()).expect("computed");
    assert_eq!(offset.result, result(ResultKind::ToOffset, "420.00"));
}

#[test]
fn the_year_sums_up_and_equals_what_was_paid() {
    let made = returns();
    let facts: Vec<TaxFact> = [first_quarter(), second_quarter(), third_quarter(), fourth_quarter()].concat();
    let previous = Previous::new(made.iter().map(PreviousReturn::of));
    let year = compute_after(Model::M390, &period(2025, "0A"), &facts, &previous);
    assert_boxes(&year, &[("05", "25000.00"), ("06", "5250.00"), ("03", "2000.00"), ("29", "-500.00")]);
    assert_boxes(&year, &[("601", "1000.00"), ("602", "52.00"), ("47", "6027.00"), ("64", "4935.00")]);
    assert_boxes(&year, &[("65", "1092.00"), ("85", "0.00"), ("86", "1092.00"), ("95", "1512.00")]);
    assert_boxes(&year, &[("97", "0.00"), ("98", "420.00"), ("662", "0.00")]);
    assert_boxes(&year, &[("99", "26500.00"), ("104", "1500.00"), ("108", "28000.00")]);
    assert_eq!(year.result, result(ResultKind::Informative, "0.00"));
}

#[test]
fn a_box_goes_back_to_its_facts() {
    let made = &returns()[0];
    let sources =
        |code| made.sources(code).into_iter().map(|reference| reference.0.as_str()).collect::<Vec<_>>();
    assert_eq!(sources("09"), ["vat_output 2025-01-20 10000.00"]);
    assert_eq!(sources("27").len(), 3);
    assert_eq!(sources("46").len(), 6);
    assert_eq!(sources("71"), sources("46"));
    assert!(sources("no such box").is_empty());
}

#[test]
fn what_is_offset_is_not_more_than_there_is_to_pay() {
    let second = compute(Model::M303, &period(2025, "2T"), &second_quarter());
    let previous = Previous::new([PreviousReturn::of(&second)]);
    let facts = [sale(day(2025, 7, 1), "1000.00", "210.00")];
    let third = compute_after(Model::M303, &period(2025, "3T"), &facts, &previous);
    assert_boxes(&third, &[("110", "735.00"), ("78", "210.00"), ("87", "525.00"), ("71", "0.00")]);
    assert_eq!(third.result.kind, ResultKind::Zero);
    let previous = Previous::new([PreviousReturn::of(&second), PreviousReturn::of(&third)]);
    let fourth = compute_after(Model::M303, &period(2025, "4T"), &[], &previous);
    assert_boxes(&fourth, &[("110", "525.00"), ("78", "0.00"), ("87", "525.00")]);
}

#[test]
fn a_gap_between_returns_is_told() {
    let first = compute(Model::M303, &period(2025, "1T"), &first_quarter());
    let previous = Previous::new([PreviousReturn::of(&first)]);
    let third = compute_after(Model::M303, &period(2025, "3T"), &[], &previous);
    assert_eq!(third.warnings, [Warning::NoPreceding { model: Model::M303 }]);
}

#[test]
fn facts_that_no_box_counts_are_told_with_the_reason() {
    let facts = [
        TaxFact { rate: 3.into(), ..sale(day(2025, 1, 1), "1.00", "0.03") },
        TaxFact { treatment: Treatment::ExemptE1, ..sale(day(2025, 1, 1), "2.00", "0.00") },
        sale(day(2025, 4, 1), "3.00", "0.63"),
    ];
    let made = compute(Model::M303, &period(2025, "1T"), &facts);
    let reasons: Vec<OutsideReason> = made.outside.iter().map(|one| one.reason).collect();
    assert_eq!(reasons, [OutsideReason::NoBox, OutsideReason::OtherPeriod, OutsideReason::NotDeclared]);
    assert_eq!(made.warnings.len(), 3);
    assert_boxes(&made, &[("27", "0.00")]);
}

#[test]
fn import_tax_that_the_return_pays_is_added_after_the_general_scheme() {
    let facts = self_charged(Treatment::Import, day(2025, 2, 1), "1000.00", "210.00");
    let made = compute(Model::M303, &period(2025, "02"), &facts);
    assert_boxes(
        &made,
        &[("32", "1000.00"), ("33", "210.00"), ("46", "-210.00"), ("77", "210.00"), ("71", "0.00")],
    );
}
