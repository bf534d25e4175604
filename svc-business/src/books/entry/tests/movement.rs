use svc_core::error::Validator;

use super::*;

fn read(debit: Option<&str>, credit: Option<&str>) -> Result<Movement, Vec<String>> {
    let mut validator = Validator::new();
    let movement = Movement::read(&mut validator, "lines[3]", debit, credit, Currency::EUR);
    validator.finish().map_err(|errors| findings(&errors))?;
    Ok(movement.expect("no finding"))
}

#[test]
fn a_line_has_exactly_one_side() {
    let debit = Movement::debit(euros("5.00")).expect("more than zero");
    assert_eq!(read(Some("5.00"), None), Ok(debit));
    assert_eq!(read(Some("5.00"), Some("0.00")), Ok(debit));
    assert_eq!(read(Some("0.00"), Some("5.00")), Ok(debit.mirrored()));
    assert_eq!((debit.debited(), debit.credited()), (euros("5.00"), euros("0.00")));
    assert_eq!(debit.mirrored().credited(), euros("5.00"));
}

#[test]
fn a_refusal_names_the_side() {
    let refused = |debit, credit| read(debit, credit).expect_err("refused");
    assert_eq!(refused(Some("5.00"), Some("5.00")), ["lines[3].credit not_allowed"]);
    assert_eq!(refused(None, Some("0.00")), ["lines[3].debit required"]);
    assert_eq!(refused(Some("-5.00"), None), ["lines[3].debit out_of_range"]);
    assert_eq!(
        refused(Some("5"), Some("x")),
        ["lines[3].debit invalid_amount", "lines[3].credit invalid_amount"]
    );
}

#[test]
fn nothing_is_no_movement() {
    let nothing = Amount::zero(Currency::EUR);
    assert_eq!(Movement::debit(nothing), None);
    assert_eq!(Movement::credit(nothing), None);
    assert_eq!(Movement::of_balance(nothing), None);
    assert_eq!(Movement::debit(euros("-1.00")), None);
}
