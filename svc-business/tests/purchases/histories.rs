//! The life of a document over random histories, against a model of it. Refused steps change nothing.

use proptest::prelude::*;
use svc_business::books::lock::Locks;
use svc_business::purchases::document::{DocType, PaymentStatus, State, SupplierDocument};
use svc_business::purchases::register::Register;
use svc_core::money::{Amount, Currency};
use svc_testkit::business::sample;
use svc_testkit::property::cases;

use super::documents::{DAY, Facts, ONE, OPEN, ids, received};
use super::payments::of;

/// Any call of a client.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// By whether the books of today are locked.
    Approve(bool),
    Reject,
    Reopen,
    /// So many cents.
    Pay(i64),
    /// The payment at this place.
    Remove(usize),
    Void,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => prop::bool::weighted(0.3).prop_map(Step::Approve),
        2 => Just(Step::Reject),
        2 => Just(Step::Reopen),
        6 => (-2_000_i64..14_000).prop_map(Step::Pay),
        3 => (0_usize..4).prop_map(Step::Remove),
        1 => Just(Step::Void),
    ]
}

/// What the state machine of documents says, in cents: 121.00 are payable.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Model {
    state: State,
    payments: Vec<i64>,
    numbers: u32,
}

/// The model after a step; `None` when it is refused.
fn expect(model: &Model, step: Step) -> Option<Model> {
    let mut after = model.clone();
    let due = 12_100 - model.payments.iter().sum::<i64>();
    let (from, to) = match step {
        Step::Approve(locked) => {
            (!locked).then_some(())?;
            after.numbers += 1;
            (State::Received, State::Approved)
        }
        Step::Reject => (State::Received, State::Rejected),
        Step::Reopen => (State::Rejected, State::Received),
        Step::Pay(cents) => {
            (cents > 0 && cents <= due).then_some(())?;
            after.payments.push(cents);
            (State::Approved, State::Approved)
        }
        Step::Remove(at) => {
            (at < model.payments.len()).then_some(())?;
            after.payments.remove(at);
            (State::Approved, State::Approved)
        }
        Step::Void => {
            model.payments.is_empty().then_some(())?;
            (State::Approved, State::Voided)
        }
    };
    after.state = to;
    (model.state == from).then_some(after)
}

fn take(document: SupplierDocument, register: &mut Register, step: Step) -> Option<SupplierDocument> {
    match step {
        Step::Approve(locked) => {
            let locks = Locks { lock: locked.then_some(DAY), ..OPEN };
            let facts = Facts { locks, register: *register, ..Facts::default() };
            let approved = document.approve(facts.terms, &facts.setting()).ok()?;
            *register = approved.register;
            Some(approved.document)
        }
        Step::Reject => document.reject("Never ordered", sample::at(1)).ok(),
        Step::Reopen => document.reopen().ok(),
        Step::Pay(cents) => {
            let amount = Amount::from_minor(cents, Currency::EUR).expect("an amount");
            Some(document.pay(of(amount), &ids()).ok()?.0)
        }
        Step::Remove(at) => {
            let payments = document.approval_data()?.settlement.payments().to_vec();
            Some(document.remove_payment(payments.get(at)?.id).ok()?.0)
        }
        Step::Void => document.void("Mistake", sample::at(1), &OPEN).ok(),
    }
}

fn seen(document: &SupplierDocument, register: Register) -> Model {
    let settlement = document.approval_data().map(|approval| approval.settlement.clone());
    let payments = settlement.iter().flat_map(|one| one.payments().iter().map(|one| one.amount.minor()));
    Model { state: document.state(), payments: payments.collect(), numbers: register.last }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn a_document_lives_as_its_model_says(steps in prop::collection::vec(step(), 1..40)) {
        let mut document = received(DocType::Invoice, &[ONE]);
        let mut register = Register::new(sample::id(1), 2025);
        let mut model = seen(&document, register);
        for step in steps {
            let expected = expect(&model, step);
            let taken = take(document.clone(), &mut register, step);
            prop_assert_eq!(taken.is_some(), expected.is_some(), "{:?} at {:?}", step, model);
            if let (Some(taken), Some(expected)) = (taken, expected) {
                (document, model) = (taken, expected);
            }
            prop_assert_eq!(&seen(&document, register), &model);
            let paid: i64 = model.payments.iter().sum();
            let status = match (model.state, paid) {
                (State::Received | State::Rejected | State::Voided, _) => PaymentStatus::NotApplicable,
                (State::Approved, 0) => PaymentStatus::Unpaid,
                (State::Approved, 12_100) => PaymentStatus::Paid,
                (State::Approved, _) => PaymentStatus::PartiallyPaid,
            };
            prop_assert_eq!(document.payment_status(), status);
            let counts = matches!(model.state, State::Received | State::Approved);
            prop_assert_eq!(document.duplicate_key().is_some(), counts);
        }
    }
}
