//! Operations within the European Union: 349.

use svc_tax_forms::{Model, Previous, PreviousReturn, Rectifies, TaxFact, Treatment, Warning};

use crate::facts::{german, purchase, sale, self_charged, with};
use crate::{assert_boxes, compute, compute_after, day, eur, period};

fn goods(date: time::Date, base: &str) -> TaxFact {
    with(&german(), TaxFact { treatment: Treatment::IntraCommunityGoods, ..sale(date, base, "0.00") })
}

fn credit(date: time::Date, base: &str, of: time::Date) -> TaxFact {
    TaxFact { rectifies: Rectifies::DocumentOf(of), ..goods(date, base) }
}

#[test]
fn operators_have_a_row_for_each_key() {
    let services = Treatment::IntraCommunityServices;
    let mut facts = vec![
        goods(day(2025, 1, 10), "1000.00"),
        goods(day(2025, 3, 10), "500.00"),
        with(&german(), TaxFact { treatment: services, ..sale(day(2025, 2, 1), "70.00", "0.00") }),
    ];
    facts.extend(self_charged(services, day(2025, 2, 2), "30.00", "6.30").map(|fact| with(&german(), fact)));
    let bought =
        TaxFact { treatment: Treatment::IntraCommunityGoods, ..purchase(day(2025, 2, 3), "9.00", "1.89") };
    facts.push(with(&german(), bought));
    let made = compute(Model::M349, &period(2025, "1T"), &facts);
    let rows: Vec<_> =
        made.parties.iter().map(|row| (row.key.as_str(), row.amount("base").expect("a column"))).collect();
    let expected = [("E", "1500.00"), ("S", "70.00"), ("A", "9.00"), ("I", "30.00")];
    assert_eq!(rows, expected.map(|(key, base)| (key, eur(base))));
    assert_boxes(&made, &[("01", "4"), ("02", "1609.00"), ("03", "0"), ("04", "0.00")]);
    assert!(made.warnings.is_empty());
}

#[test]
fn a_credit_of_the_same_period_is_no_correction() {
    let facts = [goods(day(2025, 1, 10), "1000.00"), credit(day(2025, 3, 1), "-100.00", day(2025, 1, 10))];
    let made = compute(Model::M349, &period(2025, "1T"), &facts);
    assert_boxes(&made, &[("01", "1"), ("02", "900.00"), ("03", "0")]);
}

#[test]
fn a_credit_of_an_earlier_period_corrects_what_it_declared() {
    let first = compute(Model::M349, &period(2025, "1T"), &[goods(day(2025, 1, 10), "1000.00")]);
    let facts = [goods(day(2025, 4, 1), "50.00"), credit(day(2025, 5, 1), "-100.00", day(2025, 1, 10))];
    let previous = Previous::new([PreviousReturn::of(&first)]);
    let second = compute_after(Model::M349, &period(2025, "2T"), &facts, &previous);
    assert_boxes(&second, &[("01", "1"), ("02", "50.00"), ("03", "1"), ("04", "900.00")]);
    let row = second.parties.iter().find(|row| row.rectified.is_some()).expect("a correction");
    assert_eq!(row.rectified, Some(period(2025, "1T")));
    assert_eq!(
        (row.amount("previous_base"), row.amount("base")),
        (Some(eur("1000.00")), Some(eur("900.00")))
    );

    let again = [credit(day(2025, 8, 1), "-300.00", day(2025, 1, 10))];
    let previous = Previous::new([PreviousReturn::of(&first), PreviousReturn::of(&second)]);
    let third = compute_after(Model::M349, &period(2025, "3T"), &again, &previous);
    let row = &third.parties[0];
    assert_eq!((row.amount("previous_base"), row.amount("base")), (Some(eur("900.00")), Some(eur("600.00"))));
}

#[test]
fn a_correction_of_what_is_not_known_is_told() {
    let facts = [credit(day(2025, 5, 1), "-100.00", day(2025, 1, 10))];
    let made = compute(Model::M349, &period(2025, "2T"), &facts);
    let expected = Warning::NotDeclaredBefore { party: "con_de".to_owned(), period: period(2025, "1T") };
    assert_eq!(made.warnings, [expected]);
}
