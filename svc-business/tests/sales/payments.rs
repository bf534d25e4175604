//! Payments, refunds and offsets.

use proptest::prelude::*;
use svc_business::contact::PaymentMethod;
use svc_business::sales::document::{
    Action, DocType, Means, Method, Payment, PaymentStatus, Plan, ReasonCode, SalesDocument, State, Status,
    WrongState,
};
use svc_business::sales::pay::{NewPayment, OffsetTerms, PayRefused, RemoveRefused, offset, remove_offset};
use svc_business::sales::rectify::{Rectify, RectifyLines};
use svc_core::money::{Amount, Currency};
use svc_testkit::business::sample;
use time::macros::date;

use super::documents::{DAY, OPEN, content, draft, euros, findings, ids, invoice, issue, issue_over, rate};

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

fn pay(document: SalesDocument, amount: &str) -> Result<(SalesDocument, Payment), PayRefused> {
    document.pay(of(euros(amount)), &ids())
}

fn refused(outcome: Result<(SalesDocument, Payment), PayRefused>) -> Vec<String> {
    match outcome {
        Err(PayRefused::Invalid(invalid)) => findings(&invalid),
        other => panic!("{other:?}"),
    }
}

/// Takes a document back altogether.
pub(crate) fn everything() -> Rectify {
    Rectify {
        method: Method::Differences,
        reason_code: ReasonCode::R1,
        reason: "Goods came back".to_owned(),
        lines: RectifyLines::Full,
    }
}

pub(crate) fn full_credit(original: &SalesDocument) -> SalesDocument {
    original.rectify(everything(), &ids()).expect("it is issued")
}

fn hundred() -> SalesDocument {
    invoice(&[("1", "100.00", "0", "es_export", "0")])
}

#[test]
fn payments_add_up_to_what_is_payable_and_no_further() {
    let (partly, _) = pay(hundred(), "30.00").expect("a part");
    assert_eq!((partly.paid(), partly.due()), (euros("30.00"), euros("70.00")));
    assert_eq!((partly.payment_status(), partly.paid_at()), (PaymentStatus::PartiallyPaid, None));
    assert_eq!(refused(pay(partly.clone(), "70.01")), ["amount payment_exceeds_due"]);
    assert_eq!(refused(pay(partly.clone(), "-1.00")), ["amount payment_exceeds_due"]);
    assert_eq!(refused(pay(partly.clone(), "0.00")), ["amount out_of_range"]);
    let yen = Amount::from_minor(1, "JPY".parse().expect("a currency")).expect("an amount");
    assert_eq!(refused(partly.clone().pay(of(yen), &ids())), ["amount invalid_currency"]);
    let early = NewPayment { date: date!(2024 - 03 - 13), ..of(euros("1.00")) };
    assert_eq!(refused(partly.clone().pay(early, &ids())), ["date out_of_range"]);
    let (paid, last) = pay(partly, "70.00").expect("the rest");
    assert_eq!((paid.payment_status(), paid.paid_at()), (PaymentStatus::Paid, Some(sample::at(0))));
    assert_eq!(refused(pay(paid.clone(), "0.01")), ["amount payment_exceeds_due"]);
    assert!(paid.clone().void("No", sample::at(1), &OPEN).is_err(), "payments stand against it");
    let (open, gone) = paid.remove_payment(last.id).expect("it was recorded by hand");
    assert_eq!((open.due(), &gone), (euros("70.00"), &last));
    assert_eq!(open.remove_payment(last.id), Err(RemoveRefused::NotFound));
}

#[test]
fn only_issued_invoices_are_paid() {
    let state = |state| PayRefused::State(WrongState { action: Action::Pay, state });
    let one = [("1", "100.00", "0", "es_export", "0")];
    assert_eq!(pay(draft(DocType::Invoice, &one), "1.00"), Err(state(State::Draft)));
    let voided = hundred().void("Wrong", sample::at(1), &OPEN).expect("nothing hangs on it");
    assert_eq!(pay(voided, "1.00"), Err(state(State::Voided)));
    for doc_type in [DocType::Quote, DocType::Proforma] {
        let document = issue(draft(doc_type, &one));
        assert_eq!(document.payment_status(), PaymentStatus::NotApplicable);
        assert_eq!(pay(document, "1.00"), Err(PayRefused::NotFiscal));
    }
}

#[test]
fn a_reconciled_payment_is_undone_by_its_reconciliation() {
    let reconciled = NewPayment { movement: Some(sample::id(1)), ..of(euros("30.00")) };
    let (document, payment) = hundred().pay(reconciled, &ids()).expect("a part");
    assert_eq!(document.remove_payment(payment.id), Err(RemoveRefused::Reconciled));
}

#[test]
fn something_is_overdue_from_the_day_after_it_was_due() {
    let document = hundred();
    let due = document.due_date().expect("issued");
    assert!(!document.is_overdue(due));
    assert!(document.is_overdue(due.next_day().expect("a day")));
    let (paid, _) = pay(document, "100.00").expect("all");
    assert!(!paid.is_overdue(date!(2030 - 01 - 01)));
}

#[test]
fn a_credit_is_refunded_or_offset() {
    let original = hundred();
    let issued = issue_over(full_credit(&original), vec![original]);
    let (credit, original) = (issued.document, issued.originals[0].clone());
    assert_eq!(credit.due(), euros("-100.00"));
    assert_eq!(refused(pay(credit.clone(), "1.00")), ["amount payment_exceeds_due"]);
    let (refunded, _) = pay(credit.clone(), "-40.00").expect("a refund");
    assert_eq!((refunded.due(), refunded.payment_status()), (euros("-60.00"), PaymentStatus::PartiallyPaid));

    let terms = |amount: &str| OffsetTerms { amount: euros(amount), date: DAY, reference: None };
    let paired = offset(refunded, original, &terms("-60.00"), &ids()).expect("one customer");
    let ((credit, mine), (invoice, theirs)) = (paired.one, paired.other);
    assert_eq!((credit.due(), invoice.due()), (euros("0.00"), euros("40.00")));
    assert_eq!((mine.amount, theirs.amount), (euros("-60.00"), euros("60.00")));
    assert_eq!(theirs.means, Means::Offset { document: credit.id, payment: mine.id });
    let alone = invoice.clone().remove_payment(theirs.id);
    assert_eq!(alone, Err(RemoveRefused::Offset { document: credit.id }));
    let (invoice, credit) = remove_offset(invoice, credit, theirs.id).expect("both");
    assert_eq!((credit.due(), invoice.due()), (euros("-60.00"), euros("100.00")));

    let other = SalesDocument { contact: Some(sample::contact_id(2)), ..hundred() };
    for (one, other, amount, expected) in [
        (credit.clone(), other, "-1.00", "offsetDocumentId offset_not_possible"),
        (invoice.clone(), hundred(), "1.00", "offsetDocumentId offset_not_possible"),
        (credit.clone(), credit.clone(), "-1.00", "offsetDocumentId offset_not_possible"),
        (credit.clone(), invoice.clone(), "1.00", "amount payment_exceeds_due"),
        (credit, invoice, "-60.01", "amount payment_exceeds_due"),
    ] {
        let outcome = offset(one, other, &terms(amount), &ids());
        assert!(matches!(&outcome, Err(PayRefused::Invalid(found)) if findings(found) == [expected]));
    }
}

#[test]
fn the_last_payment_takes_what_rounding_left() {
    let mut document = draft(DocType::Invoice, &[]);
    document.content = content("USD", &[("1", "1.00", "0", "es_export", "0")]);
    let plan = Plan { fx_rate: Some(rate("0.925")), ..Plan::default() };
    let mut document = issue(SalesDocument { status: Status::Draft { plan }, ..document });
    // 0.93 euros in five parts of 0.185, four of which are rounded up.
    let mut settled = Vec::new();
    for cents in [20; 5] {
        let amount = Amount::from_minor(cents, "USD".parse().expect("a currency")).expect("an amount");
        let (after, payment) = document.pay(of(amount), &ids()).expect("a part");
        settled.push(payment.settled.to_string());
        document = after;
    }
    assert_eq!(settled, ["0.19", "0.19", "0.19", "0.19", "0.17"]);
    assert_eq!(document.base_payable(), Some(euros("0.93")));
}

proptest! {
    /// I-11: what is paid has the sign of what is payable and is not more, and the status follows from the two.
    #[test]
    fn the_status_follows_from_payable_and_paid(
        price in 1_i64..5_000,
        credit in any::<bool>(),
        amounts in prop::collection::vec(-6_000_i64..6_000, 1..12),
    ) {
        let cents = |cents| Amount::from_minor(cents, Currency::EUR).expect("an amount");
        let price = cents(price).to_string();
        let mut document = invoice(&[("1", &price, "0", "es_vat_21", "0")]);
        if credit {
            document = issue_over(full_credit(&document), vec![document]).document;
        }
        let payable = document.content.totals().payable;
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
