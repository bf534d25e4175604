//! The life of an invoice over random histories, against a model of it. Refused steps change nothing.

use proptest::prelude::*;
use svc_business::books::lock::Locks;
use svc_business::sales::document::{DocType, PaymentStatus, SalesDocument, State};
use svc_business::sales::issue::{IssueSetting, IssueTerms};
use svc_business::sales::series::Series;
use svc_core::money::{Amount, Currency};
use svc_testkit::business::sample;
use svc_testkit::property::cases;

use super::documents::{DAY, OPEN, draft, ids, setting};
use super::payments::{everything, of};
use super::series::series;

/// Any call of a client.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// By whether the books of today are locked.
    Issue(bool),
    /// So many cents.
    Pay(i64),
    /// The payment at this place.
    Remove(usize),
    Void,
    /// A credit of everything is issued.
    Credit,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => prop::bool::weighted(0.3).prop_map(Step::Issue),
        6 => (-2_000_i64..14_000).prop_map(Step::Pay),
        3 => (0_usize..4).prop_map(Step::Remove),
        1 => Just(Step::Void),
        1 => Just(Step::Credit),
    ]
}

/// What the state machine of documents says, in cents: 121.00 are payable.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Model {
    state: State,
    payments: Vec<i64>,
    credited: bool,
    numbers: u32,
}

/// The model after a step; `None` when it is refused.
fn expect(model: &Model, step: Step) -> Option<Model> {
    let mut after = model.clone();
    let due = 12_100 - model.payments.iter().sum::<i64>();
    let issued = model.state == State::Issued;
    match step {
        Step::Issue(locked) => {
            (model.state == State::Draft && !locked).then_some(())?;
            after.state = State::Issued;
            after.numbers += 1;
        }
        Step::Pay(cents) => {
            (issued && cents > 0 && cents <= due).then_some(())?;
            after.payments.push(cents);
        }
        Step::Remove(at) => {
            (issued && at < model.payments.len()).then_some(())?;
            after.payments.remove(at);
        }
        Step::Void => {
            (issued && model.payments.is_empty() && !model.credited).then_some(())?;
            after.state = State::Voided;
        }
        Step::Credit => {
            (issued && !model.credited).then_some(())?;
            after.credited = true;
        }
    }
    Some(after)
}

fn take(document: SalesDocument, series: &mut Series, step: Step) -> Option<SalesDocument> {
    match step {
        Step::Issue(locked) => {
            let locks = Locks { lock: locked.then_some(DAY), ..OPEN };
            let setting = IssueSetting { locks: &locks, ..setting(series.clone()) };
            let issued = document.issue(IssueTerms::default(), setting).ok()?;
            *series = issued.series;
            Some(issued.document)
        }
        Step::Pay(cents) => {
            let amount = Amount::from_minor(cents, Currency::EUR).expect("an amount");
            Some(document.pay(of(amount), &ids()).ok()?.0)
        }
        Step::Remove(at) => {
            let payments = document.issue_data()?.settlement.payments().to_vec();
            Some(document.remove_payment(payments.get(at)?.id).ok()?.0)
        }
        Step::Void => document.void("Mistake", sample::at(1), &OPEN).ok(),
        Step::Credit => {
            let credit = document.rectify(everything(), &ids()).ok()?;
            let series = super::series::series(2, "R", &[DocType::Rectifying]);
            let setting = IssueSetting { originals: vec![document], ..setting(series) };
            credit.issue(IssueTerms::default(), setting).ok()?.originals.pop()
        }
    }
}

fn seen(document: &SalesDocument, series: &Series) -> Model {
    let settlement = document.issue_data().map(|issue| issue.settlement.clone());
    let payments = settlement.iter().flat_map(|one| one.payments().iter().map(|one| one.amount.minor()));
    Model {
        state: document.state(),
        payments: payments.collect(),
        credited: document.issue_data().is_some_and(|issue| !issue.rectifications.is_empty()),
        numbers: series.last.map_or(0, |last| last.sequence),
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn an_invoice_lives_as_its_model_says(steps in prop::collection::vec(step(), 1..40)) {
        let mut document = draft(DocType::Invoice, &[("1", "100.00", "0", "es_vat_21", "0")]);
        let mut series = series(1, "F", &[DocType::Invoice]);
        let mut model = seen(&document, &series);
        for step in steps {
            let expected = expect(&model, step);
            let taken = take(document.clone(), &mut series, step);
            prop_assert_eq!(taken.is_some(), expected.is_some(), "{:?} at {:?}", step, model);
            if let (Some(taken), Some(expected)) = (taken, expected) {
                (document, model) = (taken, expected);
            }
            prop_assert_eq!(&seen(&document, &series), &model);
            let paid: i64 = model.payments.iter().sum();
            let status = match (model.state, paid) {
                (State::Draft | State::Voided, _) => PaymentStatus::NotApplicable,
                (State::Issued, 0) => PaymentStatus::Unpaid,
                (State::Issued, 12_100) => PaymentStatus::Paid,
                (State::Issued, _) => PaymentStatus::PartiallyPaid,
            };
            prop_assert_eq!(document.payment_status(), status);
            prop_assert_eq!(document.judge_delete().is_ok(), model.state == State::Draft);
        }
    }
}
