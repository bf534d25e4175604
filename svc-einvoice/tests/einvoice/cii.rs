//! Cross Industry Invoices.

use svc_einvoice::cii::read;
use svc_einvoice::model::{CorrectionMethod, Kind, PaymentMethod};
use time::macros::date;

pub(crate) const SAMPLE: &str = include_str!("cii.xml");

#[test]
fn everything_that_is_there_is_read() {
    let reading = read(SAMPLE.as_bytes()).expect("valid");
    assert_eq!(reading.missing, []);
    let invoice = reading.invoice;
    assert_eq!((invoice.kind, invoice.number.as_str()), (Kind::Invoice, "RE-2025-118"));
    assert_eq!(invoice.issue_date, Some(date!(2025 - 03 - 14)));
    assert_eq!(invoice.seller.vat_number.as_deref(), Some("DE123456789"));
    assert_eq!(invoice.seller.registration.as_deref(), Some("11/222/33333"));
    assert_eq!(invoice.references.order.as_deref(), Some("P-77"));
    assert_eq!(invoice.delivery.and_then(|delivery| delivery.date), Some(date!(2025 - 03 - 12)));
    assert_eq!(invoice.notes, ["Vielen Dank & bis bald"]);
    assert_eq!(invoice.payment.method, Some(PaymentMethod::Transfer));
    assert_eq!(invoice.payment.iban.as_deref(), Some("DE02120300000000202051"));
    assert_eq!(invoice.payment.due_date, Some(date!(2025 - 04 - 13)));
    let line = invoice.lines.first().expect("one line");
    assert_eq!(line.description, "Schrauben\nM8, verzinkt");
    assert_eq!(line.price_quantity.to_string(), "100");
    assert_eq!((line.discount.to_string(), line.net.to_string()), ("5.00".to_owned(), "120.00".to_owned()));
    let charge = invoice.charges.first().expect("one charge");
    assert_eq!((charge.reason.as_str(), charge.amount.to_string()), ("Versand", "10.00".to_owned()));
    assert_eq!(invoice.totals.tax.to_string(), "24.70");
    assert_eq!(invoice.totals.payable, invoice.totals.total);
}

#[test]
fn a_credit_has_negative_amounts() {
    let credit = SAMPLE.replace("<ram:TypeCode>380<", "<ram:TypeCode>381<");
    let invoice = read(credit.as_bytes()).expect("valid").invoice;
    assert!(matches!(invoice.kind, Kind::Corrective(one) if one.method == CorrectionMethod::Differences));
    assert_eq!(invoice.totals.due.to_string(), "-154.70");
    assert!(invoice.lines.iter().all(|line| line.quantity.is_sign_negative()));
}

#[test]
fn what_lacks_is_listed_by_its_term_and_what_is_wrong_by_its_element() {
    let without =
        SAMPLE.replace("<ram:ID>RE-2025-118</ram:ID>", "").replace("<ram:Name>Schrauben</ram:Name>", "");
    let terms: Vec<_> =
        read(without.as_bytes()).expect("valid").missing.into_iter().map(|gap| gap.term).collect();
    assert_eq!(terms, ["BT-1", "BT-153"]);
    let wrong = SAMPLE.replace(">12.50<", ">twelve<");
    let error = read(wrong.as_bytes()).expect_err("no number").to_string();
    assert!(error.contains("IncludedSupplyChainTradeLineItem[1]/SpecifiedLineTradeAgreement"), "{error}");
}
