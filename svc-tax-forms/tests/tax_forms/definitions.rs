//! Files that are no forms.

use svc_tax_forms::{DefinitionError, Form, Unit};

/// A form of these boxes whose result is box 1.
fn parse(boxes: &str) -> Result<Form, DefinitionError> {
    parse_with("", boxes)
}

/// The same, with further members.
fn parse_with(further: &str, boxes: &str) -> Result<Form, DefinitionError> {
    Form::parse(&format!(
        r#"{{{further}"model":"303","title":{{"es":"x","en":"x"}},"provenance":{{"order":"x","layout":"x","checked":["x"]}},
        "valid":[{{"periods":["1T"],"from":"2025-01-01"}}],"reads":"period","about":[{{"kind":["vat_output"]}}],
        "result":{{"box":"1","negative":"zero"}},"boxes":[{boxes}]}}"#
    ))
}

fn one(code: &str, from: &str) -> String {
    format!(r#"{{"code":"{code}","label":{{"es":"x","en":"x"}},"from":{from}}}"#)
}

fn refusal(boxes: &[String]) -> DefinitionError {
    parse(&boxes.join(",")).expect_err("refused")
}

#[test]
fn a_form_of_one_box_is_one() {
    assert!(parse(&one("1", r#"{"manual":{}}"#)).is_ok());
}

#[test]
fn two_boxes_have_two_codes() {
    let boxes = [one("1", r#"{"manual":{}}"#), one("1", r#"{"manual":{}}"#)];
    assert_eq!(refusal(&boxes), DefinitionError::Twice("1".to_owned()));
}

#[test]
fn a_formula_reads_boxes_that_are_there() {
    let boxes = [one("1", r#"{"formula":{"sum":["2","-3"]}}"#), one("2", r#"{"manual":{}}"#)];
    let expected = DefinitionError::Unknown { reader: "1".to_owned(), code: "3".to_owned() };
    assert_eq!(refusal(&boxes), expected);
}

#[test]
fn the_result_is_a_box_that_is_there() {
    let expected = DefinitionError::Unknown { reader: "result".to_owned(), code: "1".to_owned() };
    assert_eq!(refusal(&[one("2", r#"{"manual":{}}"#)]), expected);
}

#[test]
fn no_box_is_computed_from_itself() {
    let boxes =
        [one("1", r#"{"formula":{"positive":{"sum":["2"]}}}"#), one("2", r#"{"formula":{"sum":["1"]}}"#)];
    assert_eq!(refusal(&boxes), DefinitionError::Circle("1".to_owned()));
}

#[test]
fn a_sum_is_of_amounts() {
    let percent = r#"{"code":"2","label":{"es":"x","en":"x"},"unit":"percent","from":{"manual":{}}}"#;
    let boxes = [one("1", r#"{"formula":{"sum":["2"]}}"#), percent.to_owned()];
    let expected =
        DefinitionError::OtherUnit { reader: "1".to_owned(), code: "2".to_owned(), unit: Unit::Amount };
    assert_eq!(refusal(&boxes), expected);
}

#[test]
fn the_rate_of_a_company_is_a_percentage_that_a_person_may_say() {
    let rate = r#""corporate_rate":"2","#;
    let amount = one("1", r#"{"manual":{}}"#);
    let refused = |boxes: &str| parse_with(rate, boxes).expect_err("refused");
    let reader = || "corporate_rate".to_owned();
    let missing = DefinitionError::Unknown { reader: reader(), code: "2".to_owned() };
    assert_eq!(refused(&amount), missing);
    let other = DefinitionError::OtherUnit { reader: reader(), code: "2".to_owned(), unit: Unit::Percent };
    assert_eq!(refused(&format!("{amount},{}", one("2", r#"{"manual":{}}"#))), other);
    let percent = r#"{"code":"2","label":{"es":"x","en":"x"},"unit":"percent","from":{"manual":{}}}"#;
    let form = parse_with(rate, &format!("{amount},{percent}")).expect("a form");
    assert_eq!(form.corporate_rate(), Some("2"));
    assert_eq!(parse(&amount).expect("a form").corporate_rate(), None);
}

#[test]
fn a_number_of_parties_is_a_count() {
    let facts = r#"{"facts":{"sum":"parties","match":[{"kind":["vat_output"]}]}}"#;
    assert_eq!(refusal(&[one("1", facts)]), DefinitionError::Unit("1".to_owned()));
}

#[test]
fn every_box_has_a_label_in_both_languages() {
    let unlabelled = r#"{"code":"1","label":{"es":"x","en":" "},"from":{"manual":{}}}"#;
    assert_eq!(refusal(&[unlabelled.to_owned()]), DefinitionError::Unlabelled("1".to_owned()));
}

#[test]
fn totals_are_of_columns_that_rows_have() {
    let rows = one("1", r#"{"rows":{"column":"base"}}"#);
    assert_eq!(refusal(&[rows]), DefinitionError::NoColumn("base".to_owned()));
}

#[test]
fn words_that_a_file_does_not_have_are_refused() {
    let misspelt = one("1", r#"{"facts":{"sum":"base","match":[{"kind":["vat_output"],"rates":["21"]}]}}"#);
    assert!(matches!(refusal(&[misspelt]), DefinitionError::Json(_)));
}
