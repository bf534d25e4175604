//! Approving, rejecting, taking up again and voiding; numbers of the register, and documents that came in twice.

use proptest::prelude::*;
use svc_business::books::lock::{Locks, PeriodLocked, TaxPeriodSubmitted};
use svc_business::purchases::approve::{ApproveRefused, ApproveSetting, ApproveTerms};
use svc_business::purchases::document::{
    Action, DocType, PaymentStatus, State, Status, SupplierDocument, SupplierNumber, WrongState,
};
use svc_business::purchases::register::{Register, RegisterExhausted, RegisterNumber};
use svc_business::purchases::review::RejectRefused;
use svc_business::purchases::supplier::{Supplier, SupplierType, WithholdingKey};
use svc_business::purchases::void::VoidRefused;
use svc_testkit::business::sample;
use svc_testkit::property::cases;
use time::macros::date;

use super::documents::{
    DAY, Facts, ONE, OPEN, approve, content, euros, findings, foreign, invoice, lines, percent, received,
};

fn refused(document: SupplierDocument, facts: &Facts) -> Vec<String> {
    match document.approve(facts.terms, &facts.setting()) {
        Err(ApproveRefused::Invalid(invalid)) => findings(&invalid),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_approval_fixes_number_dates_and_supplier() {
    let mut facts = Facts::default();
    facts.supplier.supplier_type = SupplierType::Creditor;
    facts.supplier.withholding_key = WithholdingKey::Rent;
    facts.supplier.payment_term_days = Some(60);
    facts.pro_rata = percent("80");
    facts.register.last = 41;
    let approved = received(DocType::Invoice, &[ONE]).approve(facts.terms, &facts.setting()).expect("fine");
    assert_eq!(approved.register.last, 42);
    let document = approved.document;
    let approval = document.approval_data().expect("approved");
    assert_eq!(approval.register, Some(RegisterNumber { year: 2025, number: 42 }));
    assert_eq!((approval.accounting_date, approval.due_date), (DAY, date!(2025 - 05 - 13)));
    assert_eq!((approval.supplier.name.as_str(), approval.contact), ("Papelera Norte SL", facts.contact.id));
    assert_eq!(
        (approval.supplier_type, approval.withholding_key),
        (SupplierType::Creditor, WithholdingKey::Rent)
    );
    assert_eq!(approval.pro_rata, percent("80"));
    assert_eq!((document.state(), document.payment_status()), (State::Approved, PaymentStatus::Unpaid));
    assert_eq!(document.due(), euros("121.00"));
    let deduction = document.deduction().expect("in range");
    assert_eq!(deduction.taxes[0].deductible, euros("16.80"));
    assert!(!document.is_overdue(date!(2025 - 05 - 13)) && document.is_overdue(date!(2025 - 05 - 14)));
}

#[test]
fn everything_that_is_missing_is_named_at_once() {
    let bare = SupplierDocument {
        supplier: None,
        number: None,
        content: content("USD", Vec::new()),
        ..received(DocType::Invoice, &[])
    };
    let expected = ["supplierId required", "number required", "lines required", "fxRate required"];
    assert_eq!(refused(bare, &Facts::default()), expected);
    let other = SupplierDocument { supplier: Some(sample::id(2)), ..received(DocType::Invoice, &[ONE]) };
    assert_eq!(refused(other, &Facts::default()), ["supplierId unknown_reference"]);
    let facts = Facts::default();
    let nothing = ApproveSetting { supplier: None, ..facts.setting() };
    let outcome = received(DocType::Invoice, &[ONE]).approve(facts.terms, &nothing);
    assert!(matches!(outcome, Err(ApproveRefused::Invalid(_))));
}

#[test]
fn a_credit_note_takes_back_and_nothing_else_does() {
    let back: [super::documents::Texts<'_>; 1] = [("-1", "100.00", "0", "es_in_21", "0")];
    assert_eq!(refused(received(DocType::CreditNote, &[ONE]), &Facts::default()), ["lines total_positive"]);
    for doc_type in [DocType::Invoice, DocType::SimplifiedInvoice, DocType::Expense] {
        assert_eq!(refused(received(doc_type, &back), &Facts::default()), ["lines total_negative"]);
    }
    let credit = approve(received(DocType::CreditNote, &back));
    assert_eq!((credit.due(), credit.payment_status()), (euros("-121.00"), PaymentStatus::Unpaid));
    assert!(!credit.is_overdue(date!(2030 - 01 - 01)), "the company owes nothing");
}

#[test]
fn tax_is_deducted_from_the_receipt_until_four_years_after_it_fell_due() {
    let old = |issued, operation| SupplierDocument {
        issue_date: issued,
        received_date: issued,
        operation_date: operation,
        ..received(DocType::Invoice, &[ONE])
    };
    let on = |accounting_date| Facts {
        terms: ApproveTerms { accounting_date: Some(accounting_date), ..ApproveTerms::default() },
        ..Facts::default()
    };
    let out = ["accountingDate out_of_range"];
    let issued = date!(2021 - 03 - 14);
    assert!(old(issued, None).approve(on(DAY).terms, &on(DAY).setting()).is_ok(), "the last day");
    assert_eq!(refused(old(date!(2021 - 03 - 13), None), &on(DAY)), out);
    assert_eq!(refused(old(issued, None), &on(date!(2021 - 03 - 13))), out, "before it was issued");
    assert_eq!(refused(old(issued, Some(date!(2022 - 01 - 01))), &on(date!(2021 - 12 - 31))), out);
    assert_eq!(refused(old(date!(2025 - 03 - 01), None), &on(date!(2025 - 03 - 15))), out, "in the future");
    let expense = SupplierDocument { doc_type: DocType::Expense, ..old(date!(2019 - 01 - 01), None) };
    assert!(expense.approve(on(DAY).terms, &on(DAY).setting()).is_ok(), "there is nothing to deduct");
    let leap = old(date!(2020 - 02 - 29), None);
    let facts = on(date!(2024 - 02 - 29));
    assert!(leap.approve(facts.terms, &facts.setting()).is_ok());
}

#[test]
fn what_is_locked_or_declared_stays_as_it_is() {
    let locked = Facts { locks: Locks { lock: Some(DAY), ..OPEN }, ..Facts::default() };
    let outcome = received(DocType::Invoice, &[ONE]).approve(locked.terms, &locked.setting());
    assert_eq!(outcome, Err(ApproveRefused::Locked(PeriodLocked { date: DAY, through: DAY })));
    let declared = Facts { locks: Locks { tax: Some(DAY), ..OPEN }, ..Facts::default() };
    let submitted = TaxPeriodSubmitted { date: DAY, through: DAY };
    let outcome = received(DocType::Invoice, &[ONE]).approve(declared.terms, &declared.setting());
    assert_eq!(outcome, Err(ApproveRefused::Submitted(submitted)));
    declared.approve(received(DocType::Expense, &[ONE]));
    let withheld = received(DocType::Expense, &[("1", "100.00", "0", "es_in_21", "19")]);
    let outcome = withheld.approve(declared.terms, &declared.setting());
    assert_eq!(outcome, Err(ApproveRefused::Submitted(submitted)), "a return learns of what is withheld");

    let document = invoice(&[ONE]);
    assert_eq!(
        document.clone().void("Twice", sample::at(1), &locked.locks),
        Err(VoidRefused::Locked(PeriodLocked { date: DAY, through: DAY }))
    );
    let outcome = document.void("Twice", sample::at(1), &declared.locks);
    assert_eq!(outcome, Err(VoidRefused::Submitted(submitted)));
}

#[test]
fn tax_that_the_company_owes_itself_can_be_declared_late() {
    let reverse: [super::documents::Texts<'_>; 1] = [("1", "100.00", "0", "es_in_intra_21", "0")];
    let document = SupplierDocument {
        operation_date: Some(date!(2025 - 03 - 01)),
        ..received(DocType::Invoice, &reverse)
    };
    let mut facts = Facts { locks: Locks { tax: Some(date!(2025 - 03 - 01)), ..OPEN }, ..Facts::default() };
    let outcome = document.clone().approve(facts.terms, &facts.setting());
    assert!(matches!(outcome, Err(ApproveRefused::Submitted(_))));
    let on_time = approve(document.clone());
    assert_eq!((on_time.output_date(), on_time.accounting_date()), (date!(2025 - 03 - 01), DAY));
    facts.terms.accept_late_tax = true;
    let late = facts.approve(document);
    assert_eq!(late.output_date(), DAY);
    assert!(late.clone().void("Twice", sample::at(1), &facts.locks).is_ok(), "its tax is of an open period");
    let outcome = on_time.void("Twice", sample::at(1), &facts.locks);
    assert!(matches!(outcome, Err(VoidRefused::Submitted(_))));
}

#[test]
fn an_expense_is_in_no_register() {
    let facts = Facts::default();
    let approved = received(DocType::Expense, &[ONE]).approve(facts.terms, &facts.setting()).expect("fine");
    assert_eq!(approved.register, facts.register);
    assert_eq!(approved.document.approval_data().expect("approved").register, None);
    let full = Facts { register: Register { last: u32::MAX, ..facts.register }, ..Facts::default() };
    let outcome = received(DocType::Invoice, &[ONE]).approve(full.terms, &full.setting());
    assert_eq!(outcome, Err(ApproveRefused::Exhausted(RegisterExhausted { year: 2025 })));
}

#[test]
fn a_rejected_document_can_be_taken_up_again() {
    let document = received(DocType::Invoice, &[ONE]);
    let blank = document.clone().reject(" ", sample::at(1));
    assert!(matches!(&blank, Err(RejectRefused::Invalid(found)) if findings(found) == ["reason required"]));
    let rejected = document.clone().reject("Never ordered", sample::at(1)).expect("received");
    let noted = |status: &Status| matches!(status, Status::Rejected { rejection, .. } if rejection.reason == "Never ordered");
    assert!(noted(&rejected.status));
    let facts = Facts::default();
    let wrong = WrongState { action: Action::Approve, state: State::Rejected };
    let outcome = rejected.clone().approve(facts.terms, &facts.setting());
    assert_eq!(outcome, Err(ApproveRefused::State(wrong)));
    assert_eq!(wrong.code(), "document_rejected");
    assert_eq!(rejected.reopen(), Ok(document.clone()));
    let wrong = WrongState { action: Action::Reopen, state: State::Received };
    assert_eq!((document.reopen(), wrong.code()), (Err(wrong), "not_approved"));
}

#[test]
fn a_voided_document_keeps_its_number() {
    let document = invoice(&[ONE]);
    let blank = document.clone().void("", sample::at(1), &OPEN);
    assert!(matches!(&blank, Err(VoidRefused::Invalid(found)) if findings(found) == ["reason required"]));
    let voided = document.void("Twice", sample::at(1), &OPEN).expect("nothing stands against it");
    assert_eq!(voided.approval_data().and_then(|one| one.register).map(|one| one.number), Some(1));
    assert_eq!(voided.payment_status(), PaymentStatus::NotApplicable);
    let wrong = WrongState { action: Action::Void, state: State::Voided };
    assert_eq!(voided.void("Twice", sample::at(1), &OPEN), Err(VoidRefused::State(wrong)));
}

#[test]
fn a_number_is_the_same_whatever_its_case_and_spaces() {
    let document = received(DocType::Invoice, &[ONE]);
    let key = document.duplicate_key().expect("supplier and number");
    assert_eq!((key.supplier, key.year), (sample::id(1), 2025));
    let with = |text: &str| SupplierDocument {
        number: Some(SupplierNumber::from_stored(text.to_owned())),
        ..document.clone()
    };
    assert_eq!(with("F  2025-1").duplicate_key(), with("f 2025-1").duplicate_key());
    assert_ne!(with("F2025-1").duplicate_key(), with("F2025-11").duplicate_key());
    let next = SupplierDocument { issue_date: date!(2026 - 01 - 01), ..document.clone() };
    assert_ne!(next.duplicate_key(), document.duplicate_key());
    for free in [
        SupplierDocument { supplier: None, ..document.clone() },
        SupplierDocument { number: None, ..document.clone() },
        SupplierDocument { shares_number: true, ..document.clone() },
        document.clone().reject("No", sample::at(1)).expect("received"),
        approve(document.clone()).void("No", sample::at(1), &OPEN).expect("approved"),
    ] {
        assert_eq!(free.duplicate_key(), None);
    }
}

#[test]
fn a_term_is_that_of_the_supplier_or_else_of_the_contact() {
    let facts = Facts::default();
    assert_eq!(facts.supplier.term_days(&facts.contact), 30);
    let own = Supplier { payment_term_days: Some(0), ..facts.supplier };
    assert_eq!(own.term_days(&facts.contact), 0);
}

#[test]
fn an_import_owes_the_tax_alone() {
    let import = approve(received(DocType::ImportVat, &[("1", "1000.00", "0", "es_in_import_21", "0")]));
    assert_eq!((import.due(), import.content.totals().total), (euros("210.00"), euros("1210.00")));
}

#[test]
fn amounts_are_known_in_the_currency_of_the_books() {
    let document = approve(foreign(DocType::Invoice, &[ONE], "0.925"));
    assert_eq!(document.base_payable(), Some(euros("111.93")));
    let unknown =
        SupplierDocument { content: content("USD", lines(&[ONE])), ..received(DocType::Invoice, &[]) };
    assert_eq!((unknown.base_total(), unknown.fx_rate()), (None, None));
}

proptest! {
    #![proptest_config(cases(200))]

    /// Numbers of a register run from 1 without a gap, whatever is refused in between.
    #[test]
    fn numbers_have_no_gap(steps in prop::collection::vec((any::<bool>(), any::<bool>()), 1..40)) {
        let mut register = Register::new(sample::id(1), 2025);
        let mut numbers = Vec::new();
        for (fine, expense) in steps {
            let doc_type = if expense { DocType::Expense } else { DocType::Invoice };
            let locks = Locks { lock: (!fine).then_some(DAY), ..OPEN };
            let facts = Facts { register, locks, ..Facts::default() };
            if let Ok(approved) = received(doc_type, &[ONE]).approve(facts.terms, &facts.setting()) {
                prop_assert!(fine);
                register = approved.register;
                numbers.extend(approved.document.approval_data().and_then(|one| one.register));
            }
        }
        let numbers: Vec<_> = numbers.into_iter().map(|one| one.number).collect();
        let count = u32::try_from(numbers.len()).expect("few");
        prop_assert_eq!(numbers, (1..=count).collect::<Vec<_>>());
        prop_assert_eq!(register.last, count);
    }
}
