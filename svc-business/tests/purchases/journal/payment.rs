//! The entries of payments and of documents that pay each other.

use svc_business::books::account::AccountCode;
use svc_business::books::entry::EntryKind;
use svc_business::contact::PaymentMethod;
use svc_business::purchases::document::DocType;
use svc_business::purchases::journal::{offset_entry, payment_entry};
use svc_business::purchases::pay::{NewPayment, OffsetTerms, offset};
use svc_core::money::Amount;

use super::super::documents::{DAY, ONE, approve, credit, euros, foreign, fx, ids, invoice};
use super::super::payments::of;
use super::{accounts, judge, moved, setting};

#[test]
fn payments_come_from_cash_the_bank_or_what_is_not_explained_yet() {
    let document = invoice(&[ONE]);
    let accounts = accounts();
    let setting = setting(&accounts);
    let bank: AccountCode = "5720001".parse().expect("a code");
    for (method, bank, account) in [
        (PaymentMethod::Cash, None, "5700000"),
        // A till of the company's own.
        (PaymentMethod::Cash, Some(bank), "5720001"),
        (PaymentMethod::Transfer, Some(bank), "5720001"),
        (PaymentMethod::Transfer, None, "5550000"),
    ] {
        let new = NewPayment { method, ..of(euros("40.00")) };
        let (document, payment) = document.clone().pay(new, &ids()).expect("a part");
        let entry = payment_entry(&document, &payment, bank, &setting).expect("approved").expect("money");
        judge(&entry);
        assert_eq!(moved(&entry), ["4000000 40.00".to_owned(), format!("{account} -40.00")]);
        assert_eq!(entry.kind, EntryKind::Payment);
        let source = entry.source.as_ref().map(ToString::to_string);
        assert_eq!(source, Some(format!("payment/{}/payment", payment.id)));
    }
}

#[test]
fn a_rate_that_changed_until_the_payment_is_a_gain_or_a_loss() {
    let accounts = accounts();
    let setting = setting(&accounts);
    let document = approve(foreign(DocType::Invoice, &[("1", "100.00", "0", "es_in_exempt", "0")], "0.9"));
    for (paid_at, third) in
        [("0.95", Some("6680000 5.00 0.00")), ("0.85", Some("7680000 -5.00 0.00")), ("0.9", None)]
    {
        let amount = Amount::parse("100.00", "USD".parse().expect("a currency")).expect("an amount");
        let new = NewPayment { fx_rate: Some(fx(paid_at)), ..of(amount) };
        let (document, payment) = document.clone().pay(new, &ids()).expect("all");
        let entry = payment_entry(&document, &payment, None, &setting).expect("approved").expect("money");
        judge(&entry);
        assert_eq!(moved(&entry)[0], "4000000 90.00 100.00");
        assert_eq!(moved(&entry).get(2).map(String::as_str), third);
    }
}

#[test]
fn an_offset_moves_the_debt_from_one_document_to_the_other() {
    let terms = OffsetTerms { amount: euros("-40.00"), date: DAY, reference: None };
    let paired = offset(credit(&[ONE]), invoice(&[ONE]), &terms, &ids()).expect("one supplier");
    let ((credit, mine), (invoice, theirs)) = (&paired.one, &paired.other);
    let accounts = accounts();
    let setting = setting(&accounts);
    let entry = offset_entry((credit, mine), (invoice, theirs), &setting).expect("approved").expect("both");
    judge(&entry);
    assert_eq!(moved(&entry), ["4000000 -40.00", "4000000 40.00"]);
    assert_eq!(payment_entry(credit, mine, None, &setting), Ok(None));
}
