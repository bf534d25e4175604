//! What a person says is judged, and errors name the box.

use svc_core::money::{Amount, Currency};
use svc_tax_forms::{
    BoxValue, ComputeError, Computed, Facts, Form, Manual, Model, Origin, Previous, Reference, TaxFact, Unit,
};

use crate::facts::sale;
use crate::{assert_boxes, day, eur, period};

fn say(code: &str, value: BoxValue) -> Result<Computed, ComputeError> {
    let of = period(2025, "1T");
    let facts = [sale(day(2025, 1, 1), "1000.00", "210.00")];
    let manual = Manual::new().with(code, value);
    let form = Form::find(Model::M303, &of).expect("a form");
    form.compute(&of, &Facts { tax: &facts, ledger: &[] }, &manual, &Previous::default())
}

fn amount(text: &str) -> BoxValue {
    BoxValue::Amount(eur(text))
}

#[test]
fn a_manual_box_takes_part_in_formulas() {
    let made = say("43", amount("-10.00")).expect("computed");
    assert_boxes(&made, &[("43", "-10.00"), ("45", "-10.00"), ("46", "220.00")]);
    let origin = |code: &str| made.boxes.iter().find(|one| one.code == code).map(|one| one.origin);
    assert_eq!((origin("43"), origin("46")), (Some(Origin::Manual), Some(Origin::Formula)));
}

#[test]
fn a_percentage_shares_the_result() {
    let made = say("65", BoxValue::Percent("33.33".parse().expect("a percentage"))).expect("computed");
    assert_boxes(&made, &[("64", "210.00"), ("65", "33.33"), ("66", "69.99")]);
}

#[test]
fn a_carried_box_may_be_said() {
    let made = say("110", amount("50.00")).expect("computed");
    assert_boxes(&made, &[("110", "50.00"), ("78", "50.00"), ("71", "160.00")]);
}

#[test]
fn a_box_that_is_not_there_is_refused() {
    assert_eq!(say("999", amount("1.00")), Err(ComputeError::NoBox { code: "999".to_owned() }));
}

#[test]
fn a_computed_box_is_refused() {
    for code in ["09", "27", "71"] {
        assert_eq!(say(code, amount("1.00")), Err(ComputeError::NotManual { code: code.to_owned() }));
    }
}

#[test]
fn a_box_of_another_period_is_refused() {
    assert_eq!(say("44", amount("1.00")), Err(ComputeError::NotOfPeriod { code: "44".to_owned() }));
}

#[test]
fn a_value_of_another_unit_is_refused() {
    let refused = |code: &str, unit| Err(ComputeError::Unit { code: code.to_owned(), unit });
    assert_eq!(say("43", BoxValue::Percent(1.into())), refused("43", Unit::Amount));
    assert_eq!(
        say("65", BoxValue::Percent("1.234".parse().expect("a number"))),
        refused("65", Unit::Percent)
    );
    let yen = Amount::from_minor(1, "JPY".parse().expect("a currency")).expect("in range");
    assert_eq!(say("43", BoxValue::Amount(yen)), refused("43", Unit::Amount));
}

#[test]
fn a_value_beyond_its_bounds_is_refused() {
    let refused =
        ComputeError::OutOfRange { code: "65".to_owned(), min: "0.00".to_owned(), max: "100.00".to_owned() };
    assert_eq!(say("65", BoxValue::Percent(101.into())), Err(refused));
    let error = say("111", amount("-0.01")).expect_err("refused");
    assert_eq!(error.to_string(), "box 111 is from 0.00 to any");
}

#[test]
fn sums_that_leave_the_range_are_refused() {
    let of = period(2025, "1T");
    let most = Amount::from_minor(900_000_000_000_000, Currency::EUR).expect("in range");
    let large = TaxFact { quota: most, ..sale(day(2025, 1, 1), "0.00", "0.00") };
    let form = Form::find(Model::M303, &of).expect("a form");
    let facts = [large.clone(), large];
    let error = form.compute(&of, &Facts { tax: &facts, ledger: &[] }, &Manual::new(), &Previous::default());
    assert_eq!(error, Err(ComputeError::TooLarge { code: "09".to_owned() }));
}

#[test]
fn another_currency_is_refused() {
    let of = period(2025, "1T");
    let dollars = Amount::from_minor(1, "USD".parse().expect("a currency")).expect("in range");
    let fact =
        TaxFact { base: dollars, reference: Reference("D".to_owned()), ..sale(of.from(), "0.00", "0.00") };
    let form = Form::find(Model::M303, &of).expect("a form");
    let error = form.compute(&of, &Facts { tax: &[fact], ledger: &[] }, &Manual::new(), &Previous::default());
    assert_eq!(error, Err(ComputeError::Currency { reference: Reference("D".to_owned()) }));
}

#[test]
fn a_form_of_other_years_is_refused() {
    let form = Form::find(Model::M303, &period(2023, "1T")).expect("a form");
    let error = form.compute(&period(2025, "1T"), &Facts::default(), &Manual::new(), &Previous::default());
    assert!(matches!(error, Err(ComputeError::Period { model: Model::M303, year: 2025, .. })));
}
