//! Calls of two assistants that wait for Ana, in random histories beside a model.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use svc_auth::approval::{
    AskError, CallDigest, DecideError, MOST_OPEN, Stage, Standing, answer, ask, decide, open, present,
};
use svc_auth::ports::OauthStorage as _;
use svc_auth::principal::Principal;
use svc_auth::session::SignedIn;
use svc_core::audit::Action;
use svc_core::id::ApprovalId;
use svc_core::refused::Refused;
use svc_testkit::property;

use crate::assistants::Checks;
use crate::test_app::{EMAIL, PASSWORD, user};

/// Histories of the short form; `SVC_TEST_CASES` sets the long one.
const HISTORIES: u32 = 200;

/// One call: the assistant that makes it, and what it says.
type Call = (usize, usize);

#[derive(Clone, Debug)]
enum Step {
    /// An assistant calls.
    Call(Call),
    /// It calls with what a person said in the client, about the approval of this call or of another one.
    Say { call: Call, about: Call, accepts: bool },
    /// A person decides in the client area: Ana, or another one.
    Decide { about: Call, own: bool, approves: bool },
    /// Seconds pass.
    Wait(u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Waits,
    LetThrough,
    Declined,
    Unasked,
    Decided,
    NotFound,
    Ended,
    Already,
    Nothing,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let call = || (0_usize..2, 0_usize..3);
    let seconds = prop::sample::select(vec![1, 1, 60, 150, 299, 300, 301]);
    let step = prop_oneof![
        6 => call().prop_map(Step::Call),
        3 => (call(), prop::bool::weighted(0.7), call(), prop::bool::weighted(0.7)).prop_map(
            |(call, same, other, accepts)| Step::Say { call, about: if same { call } else { other }, accepts }
        ),
        5 => (call(), prop::bool::weighted(0.8), any::<bool>())
            .prop_map(|(about, own, approves)| Step::Decide { about, own, approves }),
        2 => seconds.prop_map(Step::Wait),
    ];
    prop::collection::vec(step, 1..60)
}

/// What is known of the last approval of a call.
struct Known {
    id: ApprovalId,
    stage: Stage,
    until: u64,
}

#[derive(Default)]
struct Model {
    now: u64,
    calls: BTreeMap<Call, Known>,
    decisions: usize,
}

impl Model {
    /// The stage of what has not ended.
    fn stage(&self, call: Call) -> Option<Stage> {
        self.calls.get(&call).filter(|known| self.now < known.until).map(|known| known.stage)
    }

    fn to(&mut self, call: Call, stage: Stage) {
        let until = self.now + 300;
        let known = self.calls.get_mut(&call).expect("it is known");
        self.decisions += usize::from(known.stage == Stage::Asked || stage == Stage::Declined);
        (known.stage, known.until) = (stage, until);
    }

    /// What a call is told; the id that it was given, when a new approval was asked for, is learned afterwards.
    fn call(&mut self, call: Call) -> Outcome {
        match self.stage(call) {
            None => Outcome::Unasked,
            Some(Stage::Asked) => Outcome::Waits,
            Some(Stage::Declined) => Outcome::Declined,
            Some(Stage::Used) => Outcome::LetThrough,
            Some(Stage::Approved) => {
                self.to(call, Stage::Used);
                Outcome::LetThrough
            }
        }
    }

    fn say(&mut self, call: Call, about: Call, accepts: bool) -> Outcome {
        match self.stage(about) {
            _ if call != about => Outcome::Unasked,
            None => Outcome::Unasked,
            Some(Stage::Asked | Stage::Approved) if !accepts => {
                self.to(call, Stage::Declined);
                Outcome::Declined
            }
            Some(Stage::Asked | Stage::Approved) if accepts => {
                self.to(call, Stage::Used);
                Outcome::LetThrough
            }
            Some(Stage::Used) if accepts => Outcome::LetThrough,
            Some(_) => Outcome::Declined,
        }
    }

    fn decide(&mut self, about: Call, own: bool, approves: bool) -> Outcome {
        let wanted = if approves { Stage::Approved } else { Stage::Declined };
        match self.stage(about) {
            _ if !own => Outcome::NotFound,
            None => Outcome::Ended,
            Some(Stage::Asked) => {
                self.to(about, wanted);
                Outcome::Decided
            }
            Some(stage) if stage == wanted => Outcome::Decided,
            Some(Stage::Approved) => {
                self.to(about, Stage::Declined);
                Outcome::Decided
            }
            Some(_) => Outcome::Already,
        }
    }
}

/// Two assistants of Ana, and another person.
struct Played {
    checks: Checks,
    callers: [Arc<Principal>; 2],
    ana: SignedIn,
    other: SignedIn,
}

fn digest(call: Call) -> CallDigest {
    CallDigest::of(&["invoice_issue", &call.1.to_string()])
}

impl Played {
    async fn new() -> Self {
        let checks = Checks::new().await;
        let callers = [checks.connected().await, checks.connected().await];
        let app = &checks.assistant.app;
        app.put_person(user(2), "eva@acme.example", true);
        app.storage.put_password(user(2), app.hasher.stored(PASSWORD), app.now());
        let ana = app.try_sign_in((EMAIL, PASSWORD), None).await.expect("Ana").0;
        let other = app.try_sign_in(("eva@acme.example", PASSWORD), None).await.expect("Eva").0;
        Self { checks, callers, ana, other }
    }

    fn told(standing: Standing) -> (Outcome, Option<ApprovalId>) {
        match standing {
            Standing::Unasked => (Outcome::Unasked, None),
            Standing::Waits(approval) => (Outcome::Waits, Some(approval.id)),
            Standing::Declined(approval) => (Outcome::Declined, Some(approval.id)),
            Standing::LetThrough(id) => (Outcome::LetThrough, Some(id)),
        }
    }

    /// What a call is told, with the id of its approval.
    async fn call(&self, call: Call) -> (Outcome, Option<ApprovalId>) {
        let (storage, now) = (&self.checks.assistant.storage, self.checks.assistant.app.now());
        Self::told(present(storage, &self.callers[call.0], digest(call), now).await.expect("a store"))
    }

    async fn ask(&self, call: Call) -> Result<ApprovalId, Refused<AskError>> {
        let caller = &self.callers[call.0];
        let (scope, actor) = (self.ana.reached(), self.ana.actor(None, None));
        let context = self.checks.assistant.call(&scope, &actor);
        let about = (self.checks.assistant.app.beta, "invoice_issue");
        let asked = ask(&self.checks.assistant.storage, context, (caller, digest(call)), about, vec![]).await;
        asked.map(|approval| approval.id)
    }

    async fn say(&self, call: Call, id: ApprovalId, accepts: bool) -> (Outcome, Option<ApprovalId>) {
        let (scope, actor) = (self.ana.reached(), self.ana.actor(None, None));
        let (context, storage) = (self.checks.assistant.call(&scope, &actor), &self.checks.assistant.storage);
        let said = answer(storage, context, (&self.callers[call.0], digest(call)), id, accepts).await;
        Self::told(said.expect("a store"))
    }

    async fn decide(&self, id: ApprovalId, own: bool, approves: bool) -> Outcome {
        let person = if own { &self.ana } else { &self.other };
        let (scope, actor) = (person.reached(), person.actor(None, None));
        let (context, storage) = (self.checks.assistant.call(&scope, &actor), &self.checks.assistant.storage);
        match decide(storage, context, person, id, approves).await {
            Ok(_) => Outcome::Decided,
            Err(Refused::NotFound) => Outcome::NotFound,
            Err(Refused::Own(DecideError::Ended)) => Outcome::Ended,
            Err(Refused::Own(DecideError::Already(_))) => Outcome::Already,
            Err(refused) => panic!("{refused}"),
        }
    }
}

/// One step of both; what both say of it.
async fn step(played: &Played, model: &mut Model, step: &Step) -> [Outcome; 2] {
    match *step {
        Step::Call(call) => {
            let (told, id) = played.call(call).await;
            let expected = model.call(call);
            if told == Outcome::Unasked && expected == told {
                let id = played.ask(call).await.expect("there is room");
                model.calls.insert(call, Known { id, stage: Stage::Asked, until: model.now + 300 });
            } else {
                assert_eq!(id, model.calls.get(&call).map(|known| known.id));
            }
            [told, expected]
        }
        Step::Say { call, about, accepts } => {
            let Some(id) = model.calls.get(&about).map(|known| known.id) else {
                return [Outcome::Nothing; 2];
            };
            [played.say(call, id, accepts).await.0, model.say(call, about, accepts)]
        }
        Step::Decide { about, own, approves } => {
            let Some(id) = model.calls.get(&about).map(|known| known.id) else {
                return [Outcome::Nothing; 2];
            };
            [played.decide(id, own, approves).await, model.decide(about, own, approves)]
        }
        Step::Wait(seconds) => {
            played.checks.assistant.app.clock.advance(Duration::from_secs(seconds));
            model.now += seconds;
            [Outcome::Nothing; 2]
        }
    }
}

#[tokio::test]
async fn an_approval_lets_one_call_through_as_its_person_decides() {
    let (histories, seed) = property::values(&steps(), HISTORIES);
    let outcomes = RefCell::new(BTreeMap::<Outcome, u64>::new());
    for history in &histories {
        let (played, mut model) = (Played::new().await, Model::default());
        for (number, next) in history.iter().enumerate() {
            let [told, expected] = step(&played, &mut model, next).await;
            assert_eq!(told, expected, "step {number} of {history:?}");
            *outcomes.borrow_mut().entry(told).or_default() += 1;
        }
        let decided = [Action::ApprovalApprove, Action::ApprovalDecline];
        let assistant = &played.checks.assistant;
        let noted = assistant.auth.audit().entries(assistant.app.beta);
        let noted = noted.iter().filter(|entry| decided.contains(&entry.action)).count();
        assert_eq!(noted, model.decisions, "each decision is noted once: {history:?}");
    }
    let outcomes = outcomes.into_inner();
    println!("{} histories: {outcomes:?}", histories.len());
    assert_eq!(outcomes.len(), 9, "every outcome occurs: {outcomes:?}");
    drop(seed);
}

#[tokio::test]
async fn a_credential_waits_for_so_many_decisions() {
    let played = Played::new().await;
    let most = usize::try_from(MOST_OPEN).expect("small");
    for number in 0..most {
        played.ask((0, number)).await.expect("there is room");
    }
    assert!(matches!(played.ask((0, most)).await, Err(Refused::Own(AskError::TooMany))));
    played.ask((1, 0)).await.expect("the other one has room");
    let storage = &played.checks.assistant.storage;
    let waiting = open(storage, &played.ana, played.checks.assistant.app.now()).await.expect("read");
    assert_eq!(waiting.len(), most + 1);
    let nothing = open(storage, &played.other, played.checks.assistant.app.now()).await.expect("read");
    assert_eq!(nothing, []);
    let [first, ..] = &*waiting else { panic!("they wait") };
    played.decide(first.id, true, true).await;
    played.checks.assistant.app.clock.advance(Duration::from_mins(5));
    played.ask((0, most)).await.expect("all have ended");
}

/// The same call at the same time: one is the first, and all are told of the same approval.
#[tokio::test]
async fn of_many_calls_at_once_one_uses_the_approval() {
    let played = Played::new().await;
    let asked = futures_util::future::join_all((0..8).map(|_| played.ask((0, 0)))).await;
    let ids: Vec<_> = asked.into_iter().map(|id| id.expect("asked or joined")).collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(played.decide(ids[0], true, true).await, Outcome::Decided);
    let calls = futures_util::future::join_all((0..20).map(|_| played.call((0, 0)))).await;
    assert!(calls.iter().all(|told| *told == (Outcome::LetThrough, Some(ids[0]))), "{calls:?}");
    let stored = played.checks.assistant.storage.approvals().approval(ids[0]).await.expect("read");
    assert_eq!(stored.map(|approval| approval.stage), Some(Stage::Used));
}
