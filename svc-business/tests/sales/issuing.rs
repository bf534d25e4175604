//! Issuing and voiding documents.

use svc_business::books::lock::Locks;
use svc_business::sales::document::{
    Action, Content, Customer, DocType, Issuer, PaymentStatus, Plan, SalesDocument, SendStatus, State,
    Status, WrongState,
};
use svc_business::sales::issue::{IssueRefused, IssueSetting, IssueTerms, SimplifiedLimit};
use svc_business::sales::series::{LastIssued, Series};
use svc_business::sales::void::VoidRefused;
use svc_business::trade::{Discount, TaxCode};
use svc_testkit::business::sample;
use time::macros::date;

use super::documents::{
    DAY, OPEN, Texts, content, customer, draft, euros, findings, invoice, issue, lines, rate, setting,
};
use super::series::series;

const ONE: Texts<'static> = ("1", "100.00", "0", "es_vat_21", "0");

fn invoices() -> Series {
    series(1, "F", &[DocType::Invoice, DocType::SimplifiedInvoice])
}

fn planned(document: SalesDocument, plan: Plan) -> SalesDocument {
    SalesDocument { status: Status::Draft { plan }, ..document }
}

fn refused(draft: SalesDocument, setting: IssueSetting<'_>) -> Vec<String> {
    match draft.issue(IssueTerms::default(), setting) {
        Err(IssueRefused::Invalid(invalid)) => findings(&invalid),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_issued_document_has_its_number_dates_and_parties() {
    let mut draft = draft(
        DocType::Invoice,
        &[
            ("10", "85.50", "10", "es_vat_21", "15"),
            ("3", "19.999", "0", "es_vat_21", "0"),
            ("1", "12.345", "0", "es_vat_4", "0"),
        ],
    );
    let discount = Discount::Percent("5".parse().expect("a rate"));
    let content = draft.content;
    draft.content =
        Content::new(content.currency(), false, content.lines().to_vec(), Some(discount)).expect("valid");
    let mut running = invoices();
    running.first_sequence = 42;
    let issued = draft.issue(IssueTerms::default(), setting(running)).expect("nothing stands against it");
    assert_eq!(issued.series.last, Some(LastIssued { date: DAY, sequence: 42 }));
    let document = issued.document;
    let issue = document.issue_data().expect("issued");
    assert_eq!((issue.number.as_str(), issue.sequence), ("F2025-00042", 42));
    assert_eq!((issue.issue_date, issue.due_date), (DAY, date!(2025 - 04 - 13)));
    assert_eq!(issue.customer.as_ref().map(|one| one.name.as_str()), Some("Ferretería Sol SL"));
    assert_eq!(document.state(), State::Issued);
    assert_eq!(document.payment_status(), PaymentStatus::Unpaid);
    let totals = document.content.totals();
    assert_eq!((totals.total, totals.payable), (euros("965.72"), euros("856.07")));
    assert_eq!((document.paid(), document.due()), (euros("0.00"), euros("856.07")));
    assert_eq!(document.base_payable(), Some(euros("856.07")));
    let again = document.clone().issue(IssueTerms::default(), setting(invoices()));
    let state = WrongState { action: Action::Issue, state: State::Issued };
    assert_eq!((again, state.code()), (Err(IssueRefused::State(state)), "invoice_issued"));
}

#[test]
fn what_is_missing_is_named_all_at_once() {
    let bare = IssueSetting {
        customer: Some(Customer { tax_id: None, address: None, ..customer() }),
        issuer: Issuer::of(&sample::bare_account(1)),
        ..setting(invoices())
    };
    let expected = [
        "lines required",
        "issuer.address issuer_incomplete",
        "issuer.taxId issuer_incomplete",
        "customer.taxId customer_incomplete",
        "customer.address customer_incomplete",
    ];
    assert_eq!(refused(draft(DocType::Invoice, &[]), bare), expected);
    let nobody = IssueSetting { customer: None, ..setting(invoices()) };
    assert_eq!(refused(draft(DocType::Invoice, &[ONE]), nobody.clone()), ["contactId customer_incomplete"]);
    draft(DocType::SimplifiedInvoice, &[ONE]).issue(IssueTerms::default(), nobody).expect("needs none");
}

#[test]
fn a_simplified_invoice_is_at_most_its_limit() {
    for (price, limit, passes) in [
        ("330.58", SimplifiedLimit::Usual, true),
        ("330.59", SimplifiedLimit::Usual, false),
        ("2479.34", SimplifiedLimit::Extended, true),
        ("2479.35", SimplifiedLimit::Extended, false),
    ] {
        let draft = draft(DocType::SimplifiedInvoice, &[("1", price, "0", "es_vat_21", "0")]);
        let setting = IssueSetting { simplified_limit: limit, ..setting(invoices()) };
        if passes {
            draft.issue(IssueTerms::default(), setting).expect("within the limit");
        } else {
            assert_eq!(refused(draft, setting), ["docType simplified_limit_exceeded"], "{price}");
        }
    }
    // 500 dollars at 0.9 are 450 euros before tax.
    let mut dollars = draft(DocType::SimplifiedInvoice, &[]);
    dollars.content = content("USD", &[("1", "367.30", "0", "es_vat_21", "0")]);
    let plan = Plan { fx_rate: Some(rate("0.9")), ..Plan::default() };
    assert!(planned(dollars.clone(), plan).issue(IssueTerms::default(), setting(invoices())).is_ok());
    let plan = Plan { fx_rate: Some(rate("0.91")), ..Plan::default() };
    let found = refused(planned(dollars, plan), setting(invoices()));
    assert_eq!(found, ["docType simplified_limit_exceeded"]);
}

#[test]
fn totals_below_zero_and_missing_rates_are_refused() {
    let credit = draft(DocType::Invoice, &[("-1", "100.00", "0", "es_vat_21", "0")]);
    assert_eq!(refused(credit, setting(invoices())), ["lines total_negative"]);
    let mut dollars = draft(DocType::Invoice, &[]);
    dollars.content = content("USD", &[ONE]);
    assert_eq!(refused(dollars, setting(invoices())), ["fxRate required"]);
    let mut exempt = draft(DocType::Invoice, &[("1", "100.00", "0", "es_exempt", "0")]);
    let mut without = lines(&[("1", "100.00", "0", "es_exempt", "0")]);
    without[0].exemption = None;
    exempt.content =
        Content::new(exempt.content.currency(), false, without, None).expect("a draft need not say why");
    assert_eq!(refused(exempt, setting(invoices())), ["lines[0].exemptionCode required"]);
}

#[test]
fn dates_follow_the_series_the_calendar_and_each_other() {
    let last = Some(LastIssued { date: date!(2025 - 03 - 10), sequence: 7 });
    let running = || Series { last, ..invoices() };
    let on = |issue_date, due_date| Plan { issue_date, due_date, ..Plan::default() };
    let document = || draft(DocType::Invoice, &[ONE]);
    let found = refused(planned(document(), on(Some(date!(2025 - 03 - 09)), None)), setting(running()));
    assert_eq!(found, ["issueDate issue_date_not_monotonic"]);
    let found = refused(planned(document(), on(Some(date!(2025 - 03 - 15)), None)), setting(running()));
    assert_eq!(found, ["issueDate out_of_range"]);
    let found = refused(planned(document(), on(None, Some(date!(2025 - 03 - 13)))), setting(running()));
    assert_eq!(found, ["dueDate out_of_range"]);
    let terms = IssueTerms { issue_date: Some(date!(2025 - 03 - 10)), ..IssueTerms::default() };
    let planned = planned(document(), on(Some(date!(2025 - 03 - 01)), None));
    let issued =
        planned.issue(terms, setting(running())).expect("what is said with the issue counts").document;
    assert_eq!(issued.issue_date(), Some(date!(2025 - 03 - 10)));
}

#[test]
fn taxes_are_those_of_the_day_on_which_they_fall_due() {
    let mut igic = draft(DocType::Invoice, &[("1", "100.00", "0", "ic_igic_7", "0")]);
    igic.operation_date = Some(date!(2019 - 06 - 30));
    assert_eq!(refused(igic.clone(), setting(invoices())), ["lines[0].taxCode invalid_tax_code"]);
    igic.operation_date = Some(date!(2018 - 06 - 30));
    let issued = issue(igic);
    let row = TaxCode::find("ic_igic_7", date!(2018 - 06 - 30));
    assert_eq!(Some(issued.content.lines()[0].tax), row);
    assert_eq!(issued.tag_date(), Some(date!(2018 - 06 - 30)));
}

#[test]
fn locked_books_and_submitted_returns_stop_an_issue() {
    let locked = Locks { lock: Some(DAY), ..OPEN };
    let with = |locks| IssueSetting { locks, ..setting(invoices()) };
    let outcome = draft(DocType::Invoice, &[ONE]).issue(IssueTerms::default(), with(&locked));
    assert!(matches!(outcome, Err(IssueRefused::Locked(_))), "{outcome:?}");
    let series = series(1, "Q", &[DocType::Quote]);
    let quote = IssueSetting { locks: &locked, ..setting(series) };
    draft(DocType::Quote, &[ONE]).issue(IssueTerms::default(), quote).expect("a quote is in no books");

    let submitted = Locks { tax: Some(date!(2024 - 12 - 31)), ..OPEN };
    let mut late = draft(DocType::Invoice, &[ONE]);
    late.operation_date = Some(date!(2024 - 12 - 30));
    let outcome = late.clone().issue(IssueTerms::default(), with(&submitted));
    assert!(matches!(outcome, Err(IssueRefused::Submitted(_))), "{outcome:?}");
    let terms = IssueTerms { accept_late_tax: true, ..IssueTerms::default() };
    let issued = late.issue(terms, with(&submitted)).expect("declared late").document;
    assert_eq!((issued.tax_date(), issued.tag_date()), (Some(date!(2024 - 12 - 30)), Some(DAY)));
    // The return of the day of issue has gone out too: there is no later one to declare it in.
    let submitted = Locks { tax: Some(DAY), ..OPEN };
    let outcome = draft(DocType::Invoice, &[ONE]).issue(terms, with(&submitted));
    assert!(matches!(outcome, Err(IssueRefused::Submitted(_))), "{outcome:?}");
}

#[test]
fn a_voided_document_keeps_its_number_and_says_why() {
    let document = invoice(&[ONE]);
    let number = document.issue_data().map(|issue| issue.number.clone());
    let blank = document.clone().void("  ", sample::at(9), &OPEN);
    assert!(matches!(&blank, Err(VoidRefused::Invalid(invalid)) if findings(invalid) == ["reason required"]));
    let voided = document.clone().void("Wrong customer", sample::at(9), &OPEN).expect("nothing hangs on it");
    assert_eq!(voided.issue_data().map(|issue| issue.number.clone()), number);
    assert_eq!((voided.state(), voided.payment_status()), (State::Voided, PaymentStatus::NotApplicable));
    assert!(matches!(&voided.status, Status::Voided { void, .. } if void.reason == "Wrong customer"));
    let state = WrongState { action: Action::Void, state: State::Voided };
    assert_eq!(voided.void("Again", sample::at(9), &OPEN), Err(VoidRefused::State(state)));
    let draft = draft(DocType::Invoice, &[ONE]).void("No", sample::at(9), &OPEN);
    let state = WrongState { action: Action::Void, state: State::Draft };
    assert_eq!((draft, state.code()), (Err(VoidRefused::State(state)), "not_issued"));

    let locked = Locks { hard: Some(DAY), ..OPEN };
    assert!(matches!(document.clone().void("No", sample::at(9), &locked), Err(VoidRefused::Locked(_))));
    let submitted = Locks { tax: Some(DAY), ..OPEN };
    assert!(matches!(document.void("No", sample::at(9), &submitted), Err(VoidRefused::Submitted(_))));
}

#[test]
fn a_document_is_sent_once_it_is_issued() {
    let draft = draft(DocType::Invoice, &[ONE]);
    assert!(draft.judge_send().is_err() && draft.clone().sent(SendStatus::Accepted, sample::at(1)).is_err());
    let document = issue(draft);
    document.judge_send().expect("issued");
    let failed = document.sent(SendStatus::Failed, sample::at(1)).expect("issued");
    let seen = |document: &SalesDocument| {
        let issue = document.issue_data().expect("issued");
        (issue.sent_at, issue.last_send.map(|last| (last.status, last.at)))
    };
    assert_eq!(seen(&failed), (None, Some((SendStatus::Failed, sample::at(1)))));
    let sent = failed.sent(SendStatus::Accepted, sample::at(2)).expect("issued");
    let again = sent.sent(SendStatus::Accepted, sample::at(3)).expect("issued");
    let expected = (Some(sample::at(2)), Some((SendStatus::Accepted, sample::at(3))));
    assert_eq!(seen(&again), expected);
    let voided = again.void("Wrong", sample::at(4), &OPEN).expect("nothing hangs on it");
    voided.sent(SendStatus::Accepted, sample::at(5)).expect("the mail was on its way");
}
