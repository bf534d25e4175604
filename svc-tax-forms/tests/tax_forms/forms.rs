//! The forms that the crate has.

use svc_tax_forms::{Form, Model, catalogue};

use crate::period;

#[test]
fn every_form_is_judged_and_says_where_it_is_from() {
    for form in catalogue() {
        assert!(
            !form.provenance().order.is_empty() && !form.provenance().layout.is_empty(),
            "{}",
            form.model()
        );
        assert!(!form.provenance().checked.is_empty(), "{}", form.model());
        assert!(!form.boxes().is_empty() && !form.title().es.is_empty(), "{}", form.model());
        assert!(form.boxes().iter().all(|one| form.box_of(&one.code).is_some()));
    }
}

#[test]
fn every_model_has_one_form_for_each_period_of_these_years() {
    for (model, year) in Model::ALL.into_iter().flat_map(|model| (2023..=2027).map(move |year| (model, year)))
    {
        let forms = catalogue().iter().filter(|form| form.model() == model);
        let periods = forms.clone().flat_map(Form::periods);
        for code in periods {
            let of = svc_tax_forms::TaxPeriod::new(year, code).expect("a period");
            assert_eq!(forms.clone().filter(|form| form.is_for(&of)).count(), 1, "{model} {code} {year}");
        }
    }
}

#[test]
fn the_boxes_of_2_percent_came_with_september_2024() {
    let has = |of: &str| {
        let of = period(2024, of);
        Form::find(Model::M303, &of)
            .is_some_and(|form| form.box_of("165").is_some() && form.box_of("108").is_some())
    };
    assert!(!has("08") && !has("2T"));
    assert!(has("09") && has("3T") && has("4T"));
}

#[test]
fn box_112_came_with_february_and_with_the_second_quarter_of_2026() {
    let has = |of: &str| {
        let form = Form::find(Model::M303, &period(2026, of)).expect("a form");
        form.box_of("112").is_some()
    };
    assert!(!has("01") && !has("1T"));
    assert!(has("02") && has("2T"));
}

#[test]
fn a_model_has_no_form_for_periods_and_years_that_it_does_not_know() {
    assert!(Form::find(Model::M390, &period(2025, "1T")).is_none());
    assert!(Form::find(Model::M303, &period(2025, "0A")).is_none());
    assert!(Form::find(Model::M303, &period(2019, "1T")).is_none());
}
