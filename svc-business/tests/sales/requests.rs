//! The bodies of verbs: payments, rectifications, mails and issues.

use serde_json::{Value, json};
use svc_business::contact::PaymentMethod;
use svc_business::sales::document::{DocType, Method};
use svc_business::sales::input::PaymentRequest;
use svc_business::sales::pay::NewPayment;
use svc_business::sales::rectify::RectifyLines;
use svc_business::sales::rules::{SomePayment, read_issue, read_payment, read_rectify, read_send};
use svc_core::error::ValidationErrors;
use svc_core::id::BankMovementId;
use svc_testkit::business::sample;

use super::documents::{DAY, Texts, draft, euros, findings, ids, invoice, issue, unknown};
use super::input::{defaults, line};
use super::payments::of;

const ONE: Texts<'static> = ("1", "100.00", "0", "es_vat_21", "0");

fn read<T>(outcome: Result<T, ValidationErrors>) -> Result<T, Vec<String>> {
    outcome.map_err(|invalid| findings(&invalid))
}

#[test]
fn a_payment_is_of_money_or_of_another_document() {
    let document = invoice(&[ONE]);
    let pay = |body: Value| read(read_payment(&document, &serde_json::from_value(body).expect("a payment")));
    let money = pay(json!({"amount": "10.00", "date": "2025-03-14", "method": "card", "reference": "x"}));
    let expected =
        NewPayment { method: PaymentMethod::Card, reference: Some("x".to_owned()), ..of(euros("10.00")) };
    assert_eq!(money, Ok(SomePayment::Money(expected)));
    let offset = json!({
        "amount": "10.00", "date": "2025-03-14", "method": "offset", "offsetDocumentId": unknown(),
    });
    assert!(matches!(pay(offset), Ok(SomePayment::Offset(new)) if new.document == unknown()));
    let wrong = json!({"amount": "10", "date": "14/03/2025", "method": "cash", "fxRate": "1.1",
        "offsetDocumentId": unknown()});
    let expected =
        ["amount invalid_amount", "date invalid_date", "fxRate out_of_range", "offsetDocumentId not_allowed"];
    assert_eq!(pay(wrong).expect_err("wrong"), expected);
    let wrong = json!({"amount": "10.00", "date": "2025-03-14", "method": "offset",
        "movementId": sample::id::<BankMovementId>(1)});
    let expected = ["movementId not_allowed", "offsetDocumentId required"];
    assert_eq!(pay(wrong).expect_err("wrong"), expected);
    let automatic = json!({"amount": "10.00", "date": "2025-03-14", "method": "replacement"});
    assert!(serde_json::from_value::<PaymentRequest>(automatic).is_err());
}

#[test]
fn a_rectification_has_lines_or_all_of_them() {
    let original = issue(draft(DocType::Invoice, &[ONE]));
    let rectify = |mut members: Value| {
        let more = json!({"method": "differences", "reasonCode": "R1", "reason": "Returned"});
        members.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        let request = serde_json::from_value(members).expect("a request");
        read(read_rectify(&original, &request, &defaults(), DAY, &ids()))
    };
    let full = rectify(json!({"full": true})).expect("valid");
    assert_eq!((full.method, full.lines), (Method::Differences, RectifyLines::Full));
    let lines = rectify(json!({"lines": [line(&json!({"quantity": "-1"}))]})).expect("valid");
    assert!(matches!(lines.lines, RectifyLines::Lines(lines) if lines.len() == 1));
    assert_eq!(rectify(json!({})).expect_err("neither"), ["lines required"]);
    let both = json!({"full": true, "lines": [line(&json!({}))]});
    assert_eq!(rectify(both).expect_err("both"), ["lines not_allowed"]);
}

#[test]
fn a_mail_has_recipients() {
    let send = |body: Value| read(read_send(&serde_json::from_value(body).expect("a request")));
    let mail = send(json!({"to": ["ana@example.com"]})).expect("valid");
    assert!(mail.attach_pdf && !mail.attach_xml && mail.cc.is_empty());
    let wrong = json!({"to": [], "cc": ["x"], "subject": " "});
    let expected = ["to required", "cc[0] invalid_email", "subject required"];
    assert_eq!(send(wrong).expect_err("wrong"), expected);
    let many = vec!["ana@example.com"; 21];
    assert_eq!(send(json!({"to": many})).expect_err("many"), ["to too_many"]);
    let issue = |body: Value| read(read_issue(&serde_json::from_value(body).expect("a request")));
    assert_eq!(issue(json!({"issueDate": "2025-03-14"})).map(|terms| terms.issue_date), Ok(Some(DAY)));
    assert_eq!(issue(json!({"issueDate": "x"})).expect_err("wrong"), ["issueDate invalid_date"]);
}
