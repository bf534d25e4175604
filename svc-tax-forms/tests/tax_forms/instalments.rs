//! Instalments of income tax: 130 counts from the beginning of the year.

use svc_tax_forms::{
    BoxValue, Computed, FactKind, Facts, Form, LedgerFact, Manual, Model, Previous, PreviousReturn,
    Reference, ResultKind, TaxFact, WithholdingKey,
};

use crate::facts::withheld;
use crate::{assert_boxes, day, eur, period};

fn balance(account: &str, balance: &str) -> LedgerFact {
    LedgerFact {
        account: account.to_owned(),
        balance: eur(balance),
        reference: Reference(account.to_owned()),
    }
}

fn instalment(
    code: &str,
    ledger: &[LedgerFact],
    tax: &[TaxFact],
    manual: &Manual,
    before: &[Computed],
) -> Computed {
    let of = period(2025, code);
    let previous = Previous::new(before.iter().map(PreviousReturn::of));
    let form = Form::find(Model::M130, &of).expect("a form");
    form.compute(&of, &Facts { tax, ledger }, manual, &previous).expect("computed")
}

#[test]
fn a_year_of_a_lawyer() {
    let borne = |month, quota| {
        withheld(WithholdingKey::Activity, FactKind::WithholdingBorne, day(2025, month, 1), "0.00", quota)
    };
    let tax = [borne(2, "300.00"), borne(5, "150.00")];
    let none = Manual::new();

    let ledger = [balance("7050000", "-10000.05"), balance("6210000", "4000.00"), balance("5720000", "9.00")];
    let first = instalment("1T", &ledger, &tax, &none, &[]);
    assert_boxes(&first, &[("01", "10000.05"), ("02", "4000.00"), ("03", "6000.05"), ("04", "1200.01")]);
    assert_boxes(&first, &[("05", "0.00"), ("06", "300.00"), ("07", "900.01"), ("19", "900.01")]);
    assert_eq!(first.result.kind, ResultKind::Payable);

    // By June 7,000.00 of net income: 1,400.00 less 900.01 less 450.00 is 49.99, and the reduction makes it negative.
    let ledger = [balance("70", "-15000.00"), balance("62", "8000.00")];
    let reduced = Manual::new().with("13", BoxValue::Amount(eur("100.00")));
    let second = instalment("2T", &ledger, &tax, &reduced, std::slice::from_ref(&first));
    assert_boxes(&second, &[("04", "1400.00"), ("05", "900.01"), ("06", "450.00"), ("07", "49.99")]);
    assert_boxes(&second, &[("12", "49.99"), ("14", "-50.01"), ("15", "0.00"), ("19", "-50.01")]);
    assert_eq!((second.result.kind, second.result.amount), (ResultKind::ToOffset, eur("50.01")));

    // By September 10,000.00: 2,000.00 less 950.00 less 450.00 is 600.00, less the 50.01 of the quarter before.
    let ledger = [balance("70", "-20000.00"), balance("62", "10000.00")];
    let third = instalment("3T", &ledger, &tax, &none, &[first.clone(), second.clone()]);
    assert_boxes(
        &third,
        &[("05", "950.00"), ("07", "600.00"), ("14", "600.00"), ("15", "50.01"), ("19", "549.99")],
    );

    // A bad last quarter: the instalments before were too much, and nothing is paid.
    let ledger = [balance("70", "-20000.00"), balance("62", "19000.00")];
    let fourth = instalment("4T", &ledger, &tax, &none, &[first, second, third]);
    assert_boxes(
        &fourth,
        &[("04", "200.00"), ("05", "1550.00"), ("07", "-1800.00"), ("12", "0.00"), ("19", "0.00")],
    );
    assert_eq!(fourth.result.kind, ResultKind::Zero);
}

#[test]
fn a_loss_pays_nothing() {
    let ledger = [balance("70", "-100.00"), balance("60", "300.00")];
    let made = instalment("1T", &ledger, &[], &Manual::new(), &[]);
    assert_boxes(&made, &[("03", "-200.00"), ("04", "0.00"), ("19", "0.00")]);
}

#[test]
fn what_is_smaller_than_a_cent_is_left_out() {
    for (income, twenty) in [("0.04", "0.00"), ("0.05", "0.01"), ("0.09", "0.01"), ("1000.04", "200.00")] {
        let made = instalment("1T", &[balance("70", &format!("-{income}"))], &[], &Manual::new(), &[]);
        assert_boxes(&made, &[("04", twenty)]);
    }
}

#[test]
fn balances_are_of_the_year_so_far() {
    let of = period(2025, "3T");
    let form = Form::find(Model::M130, &of).expect("a form");
    assert_eq!(form.reads(&of), (day(2025, 1, 1), day(2025, 9, 30)));
}

#[test]
fn a_person_may_say_what_is_deductible_instead_of_the_books() {
    let manual = Manual::new().with("02", BoxValue::Amount(eur("500.00")));
    let made = instalment("1T", &[balance("70", "-1000.00"), balance("62", "700.00")], &[], &manual, &[]);
    assert_boxes(&made, &[("02", "500.00"), ("03", "500.00"), ("04", "100.00")]);
    assert!(made.sources("02").is_empty());
    assert_eq!(made.sources("03"), [&Reference("70".to_owned())]);
}
