//! Payments, refunds and offsets.

use proptest::prelude::*;
use svc_business::contact::PaymentMethod;
use svc_business::purchases::document::{
    Action, DocType, Means, Payment, PaymentStatus, State, SupplierDocument, WrongState,
};
use svc_business::purchases::pay::{
    NewPayment, OffsetTerms, PayRefused, RemoveRefused, offset, remove_offset,
};
use svc_business::purchases::void::VoidRefused;
use svc_core::money::{Amount, Currency};
use svc_testkit::business::sample;
use svc_testkit::property::cases;
use time::macros::date;

use super::documents::{DAY, ONE, OPEN, approve, credit, euros, findings, foreign, ids, invoice, received};

pub(crate) fn of(amount: Amount) -> NewPayment {
    NewPayment {
        amount,
        date: DAY,
        method: PaymentMethod::Transfer,
        bank_account: None,
        movement: None,
        fx_rate: None,
        reference: None,
    }
}

fn pay(document: SupplierDocument, amount: &str) -> Result<(SupplierDocument, Payment), PayRefused> {
    document.pay(of(euros(amount)), &ids())
}

fn refused(outcome: Result<(SupplierDocument, Payment), PayRefused>) -> Vec<String> {
    match outcome {
        Err(PayRefused::Invalid(invalid)) => findings(&invalid),
        other => panic!("{other:?}"),
    }
}

#[test]
fn payments_add_up_to_what_is_payable_and_no_further() {
    let (partly, _) = pay(invoice(&[ONE]), "21.00").expect("a part");
    assert_eq!((partly.paid(), partly.due()), (euros("21.00"), euros("100.00")));
    assert_eq!((partly.payment_status(), partly.paid_at()), (PaymentStatus::PartiallyPaid, None));
    assert_eq!(refused(pay(partly.clone(), "100.01")), ["amount payment_exceeds_due"]);
    assert_eq!(refused(pay(partly.clone(), "-1.00")), ["amount payment_exceeds_due"]);
    assert_eq!(refused(pay(partly.clone(), "0.00")), ["amount out_of_range"]);
    let yen = Amount::from_minor(1, "JPY".parse().expect("a currency")).expect("an amount");
    assert_eq!(refused(partly.clone().pay(of(yen), &ids())), ["amount invalid_currency"]);
    let early = NewPayment { date: date!(2024 - 03 - 13), ..of(euros("1.00")) };
    assert_eq!(refused(partly.clone().pay(early, &ids())), ["date out_of_range"]);
    let (paid, last) = pay(partly, "100.00").expect("the rest");
    assert_eq!((paid.payment_status(), paid.paid_at()), (PaymentStatus::Paid, Some(sample::at(0))));
    assert_eq!(paid.clone().void("No", sample::at(1), &OPEN), Err(VoidRefused::HasPayments));
    let (open, gone) = paid.remove_payment(last.id).expect("it was recorded by hand");
    assert_eq!((open.due(), &gone), (euros("100.00"), &last));
    assert_eq!(open.remove_payment(last.id), Err(RemoveRefused::NotFound));
}

#[test]
fn only_approved_documents_are_paid() {
    let wrong = |state| PayRefused::State(WrongState { action: Action::Pay, state });
    let document = received(DocType::Invoice, &[ONE]);
    assert_eq!(pay(document.clone(), "1.00"), Err(wrong(State::Received)));
    let rejected = document.reject("No", sample::at(1)).expect("received");
    assert_eq!(pay(rejected, "1.00"), Err(wrong(State::Rejected)));
    let voided = invoice(&[ONE]).void("No", sample::at(1), &OPEN).expect("nothing hangs on it");
    assert_eq!(pay(voided, "1.00"), Err(wrong(State::Voided)));
}

#[test]
fn a_reconciled_payment_is_undone_by_its_reconciliation() {
    let reconciled = NewPayment { movement: Some(sample::id(1)), ..of(euros("30.00")) };
    let (document, payment) = invoice(&[ONE]).pay(reconciled, &ids()).expect("a part");
    assert_eq!(document.remove_payment(payment.id), Err(RemoveRefused::Reconciled));
}

#[test]
fn a_credit_note_is_refunded_or_offset() {
    let (credit, invoice) = (credit(&[ONE]), invoice(&[ONE]));
    assert_eq!(refused(pay(credit.clone(), "1.00")), ["amount payment_exceeds_due"]);
    let (refunded, _) = pay(credit.clone(), "-21.00").expect("a refund");
    assert_eq!((refunded.due(), refunded.payment_status()), (euros("-100.00"), PaymentStatus::PartiallyPaid));

    let terms = |amount: &str| OffsetTerms { amount: euros(amount), date: DAY, reference: None };
    let paired = offset(refunded, invoice.clone(), &terms("-100.00"), &ids()).expect("one supplier");
    let ((credit, mine), (partly, theirs)) = (paired.one, paired.other);
    assert_eq!((credit.due(), partly.due()), (euros("0.00"), euros("21.00")));
    assert_eq!((mine.amount, theirs.amount), (euros("-100.00"), euros("100.00")));
    assert_eq!(theirs.means, Means::Offset { document: credit.id, payment: mine.id });
    assert_eq!(theirs.means.method().name(), "offset");
    let alone = partly.clone().remove_payment(theirs.id);
    assert_eq!(alone, Err(RemoveRefused::Offset { document: credit.id }));
    let (partly, credit) = remove_offset(partly, credit, theirs.id).expect("both");
    assert_eq!((credit.due(), partly.due()), (euros("-100.00"), euros("121.00")));
    assert_eq!(remove_offset(partly, credit.clone(), theirs.id).err(), Some(RemoveRefused::NotFound));

    let other = SupplierDocument { supplier: Some(sample::id(2)), ..invoice.clone() };
    for (one, other, amount, expected) in [
        (credit.clone(), other, "-1.00", "offsetDocumentId offset_not_possible"),
        (invoice.clone(), invoice.clone(), "1.00", "offsetDocumentId offset_not_possible"),
        (credit.clone(), credit.clone(), "-1.00", "offsetDocumentId offset_not_possible"),
        (credit.clone(), invoice.clone(), "1.00", "amount payment_exceeds_due"),
        (credit, invoice, "-121.01", "amount payment_exceeds_due"),
    ] {
        let outcome = offset(one, other, &terms(amount), &ids());
        assert!(matches!(&outcome, Err(PayRefused::Invalid(found)) if findings(found) == [expected]));
    }
}

#[test]
fn the_last_payment_takes_what_rounding_left() {
    let mut document =
        approve(foreign(DocType::Invoice, &[("1", "1.00", "0", "es_in_exempt", "0")], "0.925"));
    let mut settled = Vec::new();
    for cents in [50, 50] {
        let amount = Amount::from_minor(cents, "USD".parse().expect("a currency")).expect("an amount");
        let (after, payment) = document.pay(of(amount), &ids()).expect("a part");
        settled.push(payment.settled.to_string());
        document = after;
    }
    // Each half is 0.4625 by itself, and the whole 0.925.
    assert_eq!(settled, ["0.46", "0.47"]);
    assert_eq!(document.base_payable(), Some(euros("0.93")));
}

proptest! {
    #![proptest_config(cases(200))]

    /// I-11: what is paid has the sign of what is payable and is not more, and the status follows from the two.
    #[test]
    fn the_status_follows_from_payable_and_paid(
        price in 1_i64..5_000,
        back in any::<bool>(),
        amounts in prop::collection::vec(-6_000_i64..6_000, 1..12),
    ) {
        let cents = |cents| Amount::from_minor(cents, Currency::EUR).expect("an amount");
        let price = cents(price).to_string();
        let texts = [("1", price.as_str(), "0", "es_in_21", "0")];
        let mut document = if back { credit(&texts) } else { invoice(&texts) };
        let payable = document.payable();
        for amount in amounts {
            let due = document.due().minor();
            let fits = amount != 0 && (due.min(0)..=due.max(0)).contains(&amount);
            match document.clone().pay(of(cents(amount)), &ids()) {
                Ok((after, _)) => {
                    prop_assert!(fits);
                    prop_assert_eq!(after.paid().minor(), document.paid().minor() + amount);
                    document = after;
                }
                Err(_) => prop_assert!(!fits),
            }
            let paid = document.paid();
            prop_assert!(paid.minor().abs() <= payable.minor().abs());
            prop_assert!(paid.minor().signum() * payable.minor().signum() >= 0);
            prop_assert_eq!(document.due().minor(), payable.minor() - paid.minor());
            let expected = match (paid.minor(), payable.minor()) {
                (paid, payable) if paid == payable => PaymentStatus::Paid,
                (0, _) => PaymentStatus::Unpaid,
                (_, _) => PaymentStatus::PartiallyPaid,
            };
            prop_assert_eq!(document.payment_status(), expected);
        }
    }
}
