//! Operations with third parties: 347.

use svc_tax_forms::{FactKind, Model, OutsideReason, TaxFact, Treatment, WithholdingKey};

use crate::facts::{fact, german, purchase, sale, self_charged, spanish, with};
use crate::{assert_boxes, compute, day, eur, period};

#[test]
fn the_year_of_a_customer_has_four_quarters_and_the_tax_in_it() {
    let customer = spanish("B12345674", "Obras Ebro SL");
    let surcharge = fact(FactKind::SurchargeOutput, day(2025, 11, 2), "1000.00", "52.00");
    let facts = [
        with(&customer, sale(day(2025, 1, 31), "1000.00", "210.00")),
        with(&customer, sale(day(2025, 5, 1), "-200.00", "-42.00")),
        with(&customer, sale(day(2025, 11, 2), "1000.00", "210.00")),
        with(&customer, TaxFact { rate: "5.2".parse().expect("a rate"), ..surcharge }),
        with(
            &customer,
            TaxFact { treatment: Treatment::ExemptE1, ..sale(day(2025, 12, 1), "900.00", "0.00") },
        ),
    ];
    let made = compute(Model::M347, &period(2025, "0A"), &facts);
    assert_boxes(&made, &[("01", "1"), ("02", "3130.00")]);
    let row = &made.parties[0];
    assert_eq!((row.key.as_str(), row.mark.as_deref(), row.references.len()), ("B", None, 5));
    let columns = ["amount", "first_quarter", "second_quarter", "third_quarter", "fourth_quarter"];
    let expected = ["3130.00", "1210.00", "-242.00", "0.00", "2162.00"];
    assert_eq!(columns.map(|column| row.amount(column)), expected.map(|text| Some(eur(text))));
}

#[test]
fn the_threshold_is_of_a_side_and_must_be_passed() {
    let both = spanish("B12345674", "Obras Ebro SL");
    for (base, declared) in [("3005.06", 0), ("3005.07", 1), ("-3005.07", 1)] {
        let facts = [
            with(&both, TaxFact { rate: 0.into(), ..sale(day(2025, 2, 1), base, "0.00") }),
            with(&both, purchase(day(2025, 2, 1), "2000.00", "420.00")),
        ];
        let made = compute(Model::M347, &period(2025, "0A"), &facts);
        assert_eq!(made.parties.len(), declared, "{base}");
        assert_eq!(made.outside.len(), 2 - declared);
        assert!(made.outside.iter().all(|one| one.reason == OutsideReason::BelowThreshold));
    }
}

#[test]
fn reverse_charge_is_a_row_apart_and_counts_towards_the_threshold() {
    let supplier = spanish("B12345674", "Chatarras Ebro SL");
    let charged = self_charged(Treatment::ReverseCharge, day(2025, 2, 1), "2000.00", "420.00");
    let mut facts = vec![with(&supplier, purchase(day(2025, 2, 1), "1000.00", "210.00"))];
    facts.extend(charged.map(|fact| with(&supplier, fact)));
    let made = compute(Model::M347, &period(2025, "0A"), &facts);
    let rows: Vec<_> = made
        .parties
        .iter()
        .map(|row| (row.mark.as_deref(), row.amount("amount").expect("a column")))
        .collect();
    assert_eq!(rows, [(None, eur("1210.00")), (Some("reverse_charge"), eur("2000.00"))]);
    assert!(made.outside.is_empty());
}

#[test]
fn what_other_models_declare_is_left_out() {
    let landlord = spanish("B12345674", "Locales Duero SL");
    let rent = TaxFact {
        withholding: Some(WithholdingKey::Rent),
        ..purchase(day(2025, 1, 1), "9000.00", "1890.00")
    };
    let export = TaxFact { treatment: Treatment::Export, ..sale(day(2025, 1, 1), "9000.00", "0.00") };
    let goods = TaxFact { treatment: Treatment::IntraCommunityGoods, ..export.clone() };
    let facts = [with(&landlord, rent), with(&german(), export), with(&german(), goods)];
    let made = compute(Model::M347, &period(2025, "0A"), &facts);
    assert!(made.parties.is_empty());
    assert!(made.outside.iter().all(|one| one.reason == OutsideReason::DeclaredElsewhere));
    assert_eq!(made.outside.len(), 3);
}

#[test]
fn contacts_with_one_tax_identifier_are_one_party() {
    let (one, mut other) = (spanish("B12345674", "Obras Ebro SL"), spanish("B12345674", "Obras Ebro"));
    other.id = "con_other".to_owned();
    let facts = [
        with(&one, sale(day(2025, 1, 1), "2000.00", "420.00")),
        with(&other, sale(day(2025, 7, 1), "2000.00", "420.00")),
    ];
    let made = compute(Model::M347, &period(2025, "0A"), &facts);
    assert_boxes(&made, &[("01", "1"), ("02", "4840.00")]);
}
