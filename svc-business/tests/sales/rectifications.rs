//! Documents that put others right.

use proptest::prelude::*;
use svc_business::sales::document::{
    DocType, Kind, Means, Method, PaymentStatus, ReasonCode, RectificationStatus, SalesDocument,
};
use svc_business::sales::issue::{IssueRefused, IssueSetting, IssueTerms};
use svc_business::sales::rectify::{Rectify, RectifyLines, RectifyRefused, ReleaseRefused};
use svc_business::sales::void::VoidRefused;
use svc_business::trade::calculation::{Calculation, TaxFigures};
use svc_core::money::{Amount, Currency};
use svc_testkit::business::sample;
use svc_testkit::property::cases;
use time::macros::date;

use super::documents::{
    OPEN, Texts, draft, euros, findings, ids, invoice, issue, issue_over, lines, setting, unknown,
};
use super::payments::{full_credit, of};
use super::series::series;

fn how(method: Method, texts: &[Texts<'_>]) -> Rectify {
    let lines = RectifyLines::Lines(lines(texts));
    Rectify { method, reason_code: ReasonCode::R4, reason: "Wrong price".to_owned(), lines }
}

fn rectify(original: &SalesDocument, method: Method, texts: &[Texts<'_>]) -> SalesDocument {
    original.rectify(how(method, texts), &ids()).expect("it is issued")
}

fn refused(draft: SalesDocument, originals: Vec<SalesDocument>) -> RectifyRefused {
    let setting = IssueSetting { originals, ..setting(series(1, "R", &[DocType::Rectifying])) };
    match draft.issue(IssueTerms::default(), setting) {
        Err(IssueRefused::Rectify(refused)) => refused,
        other => panic!("{other:?}"),
    }
}

const SALE: [Texts<'static>; 2] =
    [("10", "10.00", "0", "es_vat_21", "15"), ("1", "50.00", "0", "es_vat_4", "0")];

#[test]
fn differences_take_off_until_nothing_is_left() {
    let original = invoice(&SALE);
    assert_eq!(original.rectification_status(), RectificationStatus::None);
    let part = rectify(&original, Method::Differences, &[("-4", "10.00", "0", "es_vat_21", "15")]);
    assert_eq!((part.operation_date, part.source), (original.issue_date(), None));
    let issued = issue_over(part, vec![original]);
    let (part, original) = (issued.document, issued.originals[0].clone());
    assert_eq!(original.rectification_status(), RectificationStatus::Partial);
    assert_eq!(original.remaining_base("es_vat_21"), Ok(euros("60.00")));
    let twice = rectify(&original, Method::Differences, &[("-6.01", "10.00", "0", "es_vat_21", "15")]);
    let over = |code: &str, id| RectifyRefused::Over { document: Some(id), tax_code: Some(code.to_owned()) };
    assert_eq!(refused(twice, vec![original.clone()]), over("es_vat_21", original.id));
    let more = rectify(&original, Method::Differences, &[("4.01", "10.00", "0", "es_vat_21", "15")]);
    assert_eq!(refused(more, vec![original.clone()]), over("es_vat_21", original.id));
    let other = rectify(&original, Method::Differences, &[("-1", "1.00", "0", "es_vat_10", "0")]);
    assert_eq!(refused(other, vec![original.clone()]), over("es_vat_10", original.id));
    let rest: [Texts<'_>; 2] =
        [("-6", "10.00", "0", "es_vat_21", "15"), ("-1", "50.00", "0", "es_vat_4", "0")];
    let issued = issue_over(rectify(&original, Method::Differences, &rest), vec![original]);
    let original = &issued.originals[0];
    assert_eq!(original.rectification_status(), RectificationStatus::Full);
    assert_eq!(original.clone().void("No", sample::at(1), &OPEN), Err(VoidRefused::Rectified));
    // The credit is put right itself: at most what it took off.
    let back = rectify(&part, Method::Differences, &[("4", "10.00", "0", "es_vat_21", "15")]);
    let issued = issue_over(back, vec![part]);
    assert_eq!(issued.originals[0].rectification_status(), RectificationStatus::Full);
}

#[test]
fn one_document_takes_off_several() {
    let (one, two) = (invoice(&SALE), invoice(&SALE));
    let mut discount = rectify(&one, Method::Differences, &[("-1", "130.00", "0", "es_vat_21", "0")]);
    if let Kind::Rectifying { rectification } = &mut discount.kind {
        rectification.originals.push(two.id);
    }
    // In the order in which they are named, not as they were read.
    let issued = issue_over(discount.clone(), vec![two.clone(), one.clone()]);
    let left: Vec<_> = issued.originals.iter().map(|one| one.remaining_base("es_vat_21")).collect();
    assert_eq!(left, [Ok(euros("0.00")), Ok(euros("70.00"))]);
    let missing = refused(discount.clone(), vec![one.clone()]);
    let expected = ["rectifies.documentIds[1] unknown_reference"];
    assert!(matches!(&missing, RectifyRefused::Invalid(found) if findings(found) == expected));
    let third = rectify(&issued.originals[1], Method::Differences, &[("-1", "70.01", "0", "es_vat_21", "0")]);
    let over = RectifyRefused::Over { document: Some(two.id), tax_code: Some("es_vat_21".to_owned()) };
    assert_eq!(refused(third, vec![issued.originals[1].clone()]), over);
}

#[test]
fn only_issued_invoices_are_put_right_for_a_reason_that_fits() {
    let quote = issue(draft(DocType::Quote, &SALE));
    let outcome = |document: &SalesDocument| document.rectify(how(Method::Differences, &SALE), &ids());
    assert_eq!(outcome(&quote), Err(RectifyRefused::NotFiscal));
    assert!(matches!(outcome(&draft(DocType::Invoice, &SALE)), Err(RectifyRefused::State(_))));
    let simplified = issue(draft(DocType::SimplifiedInvoice, &SALE));
    let mismatch = outcome(&simplified);
    let expected = ["rectifies.reasonCode reason_mismatch"];
    assert!(matches!(&mismatch, Err(RectifyRefused::Invalid(found)) if findings(found) == expected));
    let reason = Rectify { reason_code: ReasonCode::R5, ..how(Method::Differences, &SALE) };
    simplified.rectify(reason, &ids()).expect("R5 is for simplified invoices");
    let original = invoice(&SALE);
    let mut foreign = rectify(&original, Method::Differences, &[("-1", "1.00", "0", "es_vat_21", "0")]);
    foreign.contact = Some(sample::contact_id(2));
    let found = refused(foreign, vec![original]);
    let expected = ["rectifies.documentIds[0] other_customer"];
    assert!(matches!(&found, RectifyRefused::Invalid(found) if findings(found) == expected));
}

#[test]
fn a_substitute_takes_over_what_is_due() {
    let (original, _) = invoice(&SALE).pay(of(euros("30.00")), &ids()).expect("a part");
    // 150.00 + 23.00 − 15.00 = 158.00 payable, and 80.00 + 16.80 − 12.00 = 84.80 in its place.
    let new = rectify(&original, Method::Substitution, &[("8", "10.00", "0", "es_vat_21", "15")]);
    let issued = issue_over(new, vec![original.clone()]);
    let (new, old) = (issued.document, &issued.originals[0]);
    assert_eq!((old.due(), old.payment_status()), (euros("0.00"), PaymentStatus::Paid));
    assert_eq!((new.paid(), new.due()), (euros("30.00"), euros("54.80")));
    assert_eq!(old.rectification_status(), RectificationStatus::Full);
    let issue = new.issue_data().expect("issued");
    let replaced = issue.replaced.expect("a substitution says what it replaces");
    assert_eq!((replaced.base, replaced.quota), (euros("150.00"), euros("23.00")));
    let payments = old.issue_data().expect("issued").settlement.payments();
    assert_eq!(payments[1].amount, euros("128.00"));
    assert_eq!(payments[1].means, Means::Replacement { document: new.id });
    assert!(old.clone().remove_payment(payments[1].id).is_err(), "it belongs to the rectification");
    let again = rectify(old, Method::Differences, &[("-1", "1.00", "0", "es_vat_21", "0")]);
    let over = RectifyRefused::Over { document: Some(old.id), tax_code: None };
    assert_eq!(refused(again, vec![old.clone()]), over);

    let little = rectify(&original, Method::Substitution, &[("1", "10.00", "0", "es_vat_21", "0")]);
    let paid = RectifyRefused::PaidExceeds { paid: euros("30.00"), payable: euros("12.10") };
    assert_eq!(refused(little, vec![original]), paid);
}

#[test]
fn what_was_taken_off_before_is_replaced_too() {
    let original = invoice(&SALE);
    let part = rectify(&original, Method::Differences, &[("-4", "10.00", "0", "es_vat_21", "15")]);
    let issued = issue_over(part, vec![original]);
    let (part, original) = (issued.document, issued.originals[0].clone());
    let mut new = rectify(&original, Method::Substitution, &SALE);
    let over = RectifyRefused::Over { document: Some(original.id), tax_code: None };
    assert_eq!(refused(new.clone(), vec![original.clone()]), over);
    if let Kind::Rectifying { rectification } = &mut new.kind {
        rectification.originals.push(part.id);
    }
    let issued = issue_over(new, vec![original, part]);
    let dues: Vec<_> = issued.originals.iter().map(|one| one.due().minor()).collect();
    assert_eq!(dues, [0, 0]);
    let replaced = issued.document.issue_data().and_then(|issue| issue.replaced).expect("a substitution");
    assert_eq!(replaced.base, euros("110.00"));
}

#[test]
fn a_voided_rectification_gives_back_what_it_took() {
    let original = invoice(&SALE);
    let new = rectify(&original, Method::Substitution, &SALE);
    let issued = issue_over(new, vec![original.clone()]);
    let voided = issued.document.void("Mistake", sample::at(1), &OPEN).expect("nothing was paid");
    let released = issued.originals[0].clone().release(voided.id).expect("nothing stands against it");
    assert_eq!(released, original);
    assert_eq!(original.clone().release(unknown()), Ok(original.clone()));

    // 100 − 100 + 50 without the −100 would be 150.
    let first = issue_over(full_credit(&original), vec![original]);
    let back = rectify(&first.originals[0], Method::Differences, &[("5", "10.00", "0", "es_vat_21", "0")]);
    let second = issue_over(back, vec![first.originals[0].clone()]);
    assert_eq!(second.originals[0].clone().release(first.document.id), Err(ReleaseRefused::Over));
}

#[test]
fn a_rectification_is_declared_when_it_is_issued() {
    let mut early = draft(DocType::Invoice, &SALE);
    early.operation_date = Some(date!(2024 - 12 - 30));
    let original = issue(early);
    let credit = issue_over(full_credit(&original), vec![original]).document;
    assert_eq!(credit.tax_date(), Some(date!(2024 - 12 - 30)), "the rates are those of then");
    assert_eq!(credit.tag_date(), credit.issue_date());
}

const CODES: [&str; 3] = ["es_vat_21", "es_vat_10_re", "es_export"];

fn any_lines() -> impl Strategy<Value = Vec<(i64, i64, usize, usize)>> {
    prop::collection::vec((1_i64..50, 1_i64..9_999, 0_usize..3, 0_usize..2), 1..6)
}

fn sale(parts: &[(i64, i64, usize, usize)]) -> SalesDocument {
    let texts: Vec<_> = parts
        .iter()
        .map(|(quantity, cents, code, withheld)| {
            let price = Amount::from_minor(*cents, Currency::EUR).expect("an amount").to_string();
            let code = CODES.get(*code).expect("one of three");
            (quantity.to_string(), price, *code, if *withheld == 0 { "0" } else { "15" })
        })
        .collect();
    let texts: Vec<Texts<'_>> = texts
        .iter()
        .map(|(quantity, price, code, withheld)| (quantity.as_str(), price.as_str(), "3", *code, *withheld))
        .collect();
    invoice(&texts)
}

proptest! {
    #![proptest_config(cases(100))]

    /// I-10, and I-09 and I-08 as documents have them.
    #[test]
    fn the_credit_of_everything_has_the_negative_of_every_figure(parts in any_lines()) {
        let original = sale(&parts);
        let issued = issue_over(full_credit(&original), vec![original.clone()]);
        let (was, now) = (original.content.figures(), issued.document.content.figures());
        for (was, now) in was.lines.iter().zip(&now.lines) {
            prop_assert_eq!((was.net.minor(), was.tax_base.minor()), (-now.net.minor(), -now.tax_base.minor()));
        }
        let taxes = |figures: &Calculation, sign: i64| {
            let of = |tax: &TaxFigures| {
                [tax.base, tax.quota, tax.surcharge_quota].map(|amount| sign * amount.minor())
            };
            figures.taxes.iter().map(of).collect::<Vec<_>>()
        };
        prop_assert_eq!(taxes(was, 1), taxes(now, -1));
        let totals = |document: &SalesDocument, sign: i64| {
            let totals = document.content.totals();
            [totals.lines, totals.discount, totals.taxable, totals.tax, totals.total, totals.withholding, totals.payable]
                .map(|amount| sign * amount.minor())
        };
        prop_assert_eq!(totals(&original, 1), totals(&issued.document, -1));
        prop_assert_eq!(issued.originals[0].rectification_status(), RectificationStatus::Full);
        let mut turned = parts;
        turned.reverse();
        prop_assert_eq!(totals(&sale(&turned), 1), totals(&original, 1));
        let sums = original.content.totals();
        prop_assert_eq!(sums.payable.minor(), sums.taxable.minor() + sums.tax.minor() - sums.withholding.minor());
    }

    /// I-12: whatever is put right, what is left of each tax stays between zero and its base.
    #[test]
    fn what_is_left_of_a_tax_never_crosses_zero(
        parts in any_lines(),
        changes in prop::collection::vec((0_usize..3, -60_000_i64..40_000), 1..12),
    ) {
        let mut original = sale(&parts);
        for (code, cents) in changes {
            let code = CODES[code];
            let before = original.remaining_base(code).expect("a sum").minor();
            let taxes = original.content.figures().taxes.clone();
            let base: i64 = taxes.iter().filter(|tax| tax.tax.code == code).map(|tax| tax.base.minor()).sum();
            let price = Amount::from_minor(cents.abs(), Currency::EUR).expect("an amount").to_string();
            let quantity = if cents < 0 { "-1" } else { "1" };
            let change = rectify(&original, Method::Differences, &[(quantity, &price, "0", code, "0")]);
            let fits = (0..=base).contains(&(before + cents));
            let series = series(1, "R", &[DocType::Rectifying]);
            let setting = IssueSetting { originals: vec![original.clone()], ..setting(series) };
            match change.issue(IssueTerms::default(), setting) {
                Ok(mut issued) => {
                    prop_assert!(fits);
                    original = issued.originals.remove(0);
                    prop_assert_eq!(original.remaining_base(code).expect("a sum").minor(), before + cents);
                }
                Err(IssueRefused::Rectify(RectifyRefused::Over { .. })) => prop_assert!(!fits),
                Err(other) => panic!("{other:?}"),
            }
        }
    }
}
