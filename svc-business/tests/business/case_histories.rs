//! The life of a case over random histories, against a model of it.

use proptest::prelude::*;
use svc_business::case::{
    Case, CaseClosed, CaseInput, CaseStatus, CloseRequest, EntryKind, NotClosed, Outcome, StatusInput,
};
use svc_core::id::CaseId;
use svc_core::page::PageRules;
use svc_core::patch::Patch;
use svc_core::refused::Refused;
use svc_testkit::business::{sample, verbs};

use super::cases::tax_case;
use super::test_app::{TestApp, organization, run, text};

/// Any call of a client.
#[derive(Clone, Debug)]
enum Step {
    Status(StatusInput),
    Title(String),
    Note(String),
    Close(Outcome),
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    let status = prop::sample::select(vec![StatusInput::Open, StatusInput::InProgress, StatusInput::OnHold]);
    let outcome =
        prop::sample::select(vec![Outcome::Won, Outcome::Lost, Outcome::Resolved, Outcome::Withdrawn]);
    prop_oneof![
        3 => status.prop_map(Step::Status),
        2 => "[ab]".prop_map(Step::Title),
        1 => "[a-z]{1,9}".prop_map(Step::Note),
        2 => outcome.prop_map(Step::Close),
        2 => Just(Step::Reopen),
    ]
}

/// What the specification, domain part 4, says: where the case is, and whether it is closed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Model {
    status: &'static str,
    outcome: Option<Outcome>,
    title: String,
}

/// The model after a step and the entry that it leaves; `None` when the step is refused.
fn expect(model: &Model, step: &Step) -> Option<(Model, Option<EntryKind>)> {
    let closed = model.status == "closed";
    let after = match step {
        Step::Note(_) => return Some((model.clone(), Some(EntryKind::Note))),
        Step::Close(_) | Step::Status(_) | Step::Title(_) if closed => return None,
        Step::Reopen if !closed => return None,
        Step::Status(status) => Model { status: status.name(), ..model.clone() },
        Step::Title(title) => Model { title: title.clone(), ..model.clone() },
        Step::Close(outcome) => Model { status: "closed", outcome: Some(*outcome), ..model.clone() },
        Step::Reopen => Model { status: "open", outcome: None, ..model.clone() },
    };
    let kind = match step {
        Step::Close(_) => EntryKind::Closed,
        Step::Reopen => EntryKind::Reopened,
        Step::Status(_) | Step::Title(_) | Step::Note(_) => EntryKind::Updated,
    };
    let changed = after != *model;
    Some((after, changed.then_some(kind)))
}

async fn take(app: &TestApp, id: CaseId, step: &Step) -> Option<Case> {
    let patch = async |input: CaseInput| match run!(app, verbs::update_case, id, None, input) {
        Ok(after) => Some(after),
        Err(Refused::Own(CaseClosed)) => None,
        Err(other) => panic!("{other:?}"),
    };
    match step {
        Step::Status(status) => {
            patch(CaseInput { status: Patch::Value(*status), ..CaseInput::default() }).await
        }
        Step::Title(title) => patch(CaseInput { title: text(title), ..CaseInput::default() }).await,
        Step::Note(note) => Some(run!(app, verbs::note_case, id, None, note).expect("a note")),
        Step::Close(outcome) => {
            let request = CloseRequest { outcome: *outcome, note: None };
            match run!(app, verbs::close_case, id, None, request) {
                Ok(after) => Some(after),
                Err(Refused::Own(CaseClosed)) => None,
                Err(other) => panic!("{other:?}"),
            }
        }
        Step::Reopen => match run!(app, verbs::reopen_case, id, None) {
            Ok(after) => Some(after),
            Err(Refused::Own(NotClosed { .. })) => None,
            Err(other) => panic!("{other:?}"),
        },
    }
}

fn seen(case: &Case) -> Model {
    let outcome = match case.status {
        CaseStatus::Closed { outcome, .. } => Some(outcome),
        CaseStatus::Open | CaseStatus::InProgress | CaseStatus::OnHold => None,
    };
    Model { status: case.status.name(), outcome, title: case.title.clone() }
}

async fn check(app: &TestApp, steps: Vec<Step>) {
    let company = app.company("Sol SL").await;
    let contact = app.contact(company.id, organization("Luna SL")).await;
    let case = run!(app, verbs::create_case, company.id, tax_case(contact.id)).expect("a valid case");
    app.events().await;
    let (mut model, mut kinds) = (seen(&case), vec![EntryKind::Created]);
    for step in steps {
        let expected = expect(&model, &step);
        let taken = take(app, case.id, &step).await;
        assert_eq!(taken.is_some(), expected.is_some(), "{step:?} at {model:?}");
        let told = app.events().await;
        if let Some((after, kind)) = expected {
            model = after;
            assert_eq!(told.len(), usize::from(kind.is_some()), "{step:?}: {told:?}");
            kinds.extend(kind);
        } else {
            assert_eq!(told, Vec::<String>::new());
        }
        let kept = app.storage.cases().find(&sample::everything(), case.id).await.expect("find");
        let kept = kept.expect("a case is never deleted");
        assert_eq!(seen(&kept), model);
        assert_eq!(usize::try_from(kept.version.as_i64()), Ok(kinds.len()), "a version per entry");
        assert!(taken.is_none_or(|taken| taken == kept), "the answer is what is kept");
    }
    let page = PageRules::USUAL.page(None, Some(200)).expect("a page");
    let page = app.storage.cases().timeline(&sample::everything(), case.id, page).await.expect("read");
    let kept: Vec<_> = page.expect("the case is there").items.iter().map(|entry| entry.kind).collect();
    assert_eq!(kept, kinds, "the timeline tells every change, in its order");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_case_lives_as_its_model_says(steps in prop::collection::vec(step(), 1..30)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async { check(&TestApp::new().await, steps).await });
    }
}
