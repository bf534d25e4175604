//! Corporate tax: 200.

use svc_tax_forms::{
    BoxValue, Computed, FactKind, Facts, Form, LedgerFact, Manual, Model, Previous, Reference, ResultKind,
    TaxPeriod, WithholdingKey,
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

fn tax(of: &TaxPeriod, ledger: &[LedgerFact], manual: &Manual) -> Computed {
    let bank = withheld(WithholdingKey::Other, FactKind::WithholdingBorne, of.to(), "1000.00", "190.00");
    let form = Form::find(Model::M200, of).expect("a form");
    form.compute(of, &Facts { tax: &[bank], ledger }, manual, &Previous::default()).expect("computed")
}

#[test]
fn a_year_that_pays() {
    let ledger = [balance("700", "-100000.00"), balance("640", "60000.00"), balance("630", "10000.00")];
    let manual = Manual::new()
        .with("00417", BoxValue::Amount(eur("1000.00")))
        .with("00547", BoxValue::Amount(eur("5000.00")))
        .with("00558", BoxValue::Percent(23.into()))
        .with("00601", BoxValue::Amount(eur("2000.00")));
    let made = tax(&period(2024, "0A"), &ledger, &manual);
    assert_boxes(
        &made,
        &[("00500", "30000.00"), ("00301", "10000.00"), ("00302", "0.00"), ("00501", "40000.00")],
    );
    assert_boxes(&made, &[("00550", "41000.00"), ("00552", "36000.00"), ("01330", "36000.00")]);
    assert_boxes(
        &made,
        &[("00562", "8280.00"), ("00592", "8280.00"), ("01766", "190.00"), ("00599", "8090.00")],
    );
    assert_boxes(&made, &[("00611", "6090.00"), ("00621", "6090.00")]);
    assert_eq!((made.result.kind, made.result.amount), (ResultKind::Payable, eur("6090.00")));
}

#[test]
fn a_loss_refunds_what_was_withheld() {
    let made = tax(&period(2024, "0A"), &[balance("600", "500.00")], &Manual::new());
    assert_boxes(&made, &[("00552", "-500.00"), ("00558", "25.00"), ("00562", "0.00"), ("00621", "-190.00")]);
    assert_eq!((made.result.kind, made.result.amount), (ResultKind::Refundable, eur("190.00")));
}

#[test]
fn a_tax_year_need_not_be_the_calendar_one() {
    let of = TaxPeriod::tax_year(day(2024, 7, 1), day(2025, 6, 30)).expect("a tax year");
    assert_boxes(&tax(&of, &[balance("700", "-100.00")], &Manual::new()), &[("00562", "25.00")]);
    assert_eq!(of.year(), 2024);
    assert!(TaxPeriod::tax_year(day(2024, 7, 1), day(2025, 7, 1)).is_err());
    assert!(TaxPeriod::tax_year(day(2024, 7, 1), day(2024, 6, 30)).is_err());
}
