//! One grant in random histories, beside a model that keeps nothing but what happened when.

use std::cell::RefCell;
use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use svc_core::id::TypedId as _;
use svc_testkit::fakes::SeededRandom;
use svc_testkit::property;
use uuid::Uuid;

use super::*;
use crate::token::{Pepper, Peppers, TokenValue};

/// Histories of the short form; `SVC_TEST_CASES` sets the long one.
const HISTORIES: u32 = 500;

/// When the grant was given.
const BEGIN: Timestamp = Timestamp::from_unix_seconds(1_800_000_000);

/// What a client, or a thief, does.
#[derive(Clone, Debug)]
enum Step {
    /// Presents the code; what it presents with it is the client's own, or one part of it is not.
    Exchange(Part),
    /// Presents the refresh token of the generation that is so many before the last one.
    Refresh { back: usize, own: bool },
    /// Uses the access token of such a generation.
    Use { back: usize },
    /// Ends the grant.
    End,
    /// Lets seconds pass.
    Wait(u64),
}

#[derive(Clone, Copy, Debug)]
enum Part {
    AllOwn,
    OtherClient,
    OtherRedirect,
    OtherVerifier,
}

/// What came of a step: the generation of the tokens that were given, whether an access token counts, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Given(usize),
    Counts(bool),
    Refused,
    Replayed,
    Nothing,
}

impl Outcome {
    const fn kind(self) -> &'static str {
        match self {
            Self::Given(_) => "given",
            Self::Counts(true) => "counts",
            Self::Counts(false) => "counts not",
            Self::Refused => "refused",
            Self::Replayed => "replayed",
            Self::Nothing => "nothing",
        }
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let part = prop_oneof![
        6 => Just(Part::AllOwn),
        1 => Just(Part::OtherClient),
        1 => Just(Part::OtherRedirect),
        1 => Just(Part::OtherVerifier),
    ];
    let seconds = prop::sample::select(vec![
        0,
        1,
        1,
        1,
        29,
        29,
        31,
        31,
        59,
        60,
        61,
        3_599,
        3_600,
        86_400 * 29,
        86_400 * 30,
    ]);
    let back = || prop::sample::select(vec![0_usize, 0, 0, 1, 1, 2]);
    let step = prop_oneof![
        1 => part.prop_map(Step::Exchange),
        8 => (back(), prop::bool::weighted(0.9)).prop_map(|(back, own)| Step::Refresh { back, own }),
        3 => back().prop_map(|back| Step::Use { back }),
        1 => Just(Step::End),
        4 => seconds.prop_map(Step::Wait),
    ];
    // Most histories come to tokens at once, so that there is something to refresh.
    (prop::bool::weighted(0.9), prop::collection::vec(step, 1..40)).prop_map(|(quick, mut steps)| {
        if quick {
            steps.insert(0, Step::Exchange(Part::AllOwn));
        }
        steps
    })
}

/// The generation that is so many before the last one of so many.
fn generation(back: usize, of: usize) -> Option<usize> {
    of.checked_sub(1).map(|last| last.saturating_sub(back))
}

/// What happened, and nothing else.
#[derive(Default)]
struct Model {
    now: u64,
    exchanged: bool,
    dead: bool,
    /// When each generation was given, and first used.
    generations: Vec<(u64, Option<u64>)>,
    credential_ends: Option<u64>,
}

impl Model {
    fn outlived(&self, since: u64, seconds: u64) -> bool {
        self.now >= since + seconds || self.credential_ends.is_some_and(|end| self.now >= end)
    }

    fn step(&mut self, step: &Step) -> Outcome {
        match step {
            Step::Exchange(Part::AllOwn) if self.dead => Outcome::Refused,
            Step::Exchange(Part::AllOwn) if self.exchanged => {
                self.dead = true;
                Outcome::Replayed
            }
            Step::Exchange(Part::AllOwn) if self.now < 60 => {
                self.exchanged = true;
                self.generations.push((self.now, None));
                Outcome::Given(0)
            }
            Step::Exchange(_) => Outcome::Refused,
            Step::Refresh { back, own } => self.refresh(*back, *own),
            Step::Use { back } => match self.at(*back) {
                Some((_, given, _)) => Outcome::Counts(!self.dead && !self.outlived(given, 3_600)),
                None => Outcome::Nothing,
            },
            Step::End => {
                self.dead = true;
                Outcome::Nothing
            }
            Step::Wait(seconds) => {
                self.now += seconds;
                Outcome::Nothing
            }
        }
    }

    fn at(&self, back: usize) -> Option<(usize, u64, Option<u64>)> {
        let at = generation(back, self.generations.len())?;
        Some((at, self.generations[at].0, self.generations[at].1))
    }

    fn refresh(&mut self, back: usize, own: bool) -> Outcome {
        let Some((generation, given, used)) = self.at(back) else { return Outcome::Nothing };
        match used {
            _ if self.dead || !own => Outcome::Refused,
            Some(first) if self.now - first < 60 => Outcome::Given(generation + 1),
            Some(_) => {
                self.dead = true;
                Outcome::Replayed
            }
            None if self.outlived(given, 30 * 86_400) => Outcome::Refused,
            None => {
                self.generations[generation].1 = Some(self.now);
                self.generations.push((self.now, None));
                Outcome::Given(generation + 1)
            }
        }
    }
}

/// The rules, with a store of one grant.
struct Played {
    now: Timestamp,
    peppers: Peppers,
    random: SeededRandom,
    credential_until: Option<Timestamp>,
    grant: Grant,
    pairs: Vec<(PairValues, Pair)>,
}

fn verifier(letter: char) -> CodeVerifier {
    CodeVerifier::parse(&letter.to_string().repeat(43)).expect("a verifier")
}

fn client(name: &str) -> ClientId {
    format!("https://{name}.example/client.json").parse().expect("a client")
}

fn redirect(name: &str) -> RedirectUri {
    RedirectUri::parse(&format!("https://{name}.example/cb")).expect("an address")
}

impl Played {
    fn new(seed: u64, credential_ends: Option<u64>) -> Self {
        let (random, peppers) = (SeededRandom::new(seed), Peppers::new(Pepper::new(3, [3; 32]), Vec::new()));
        let grant = Grant {
            id: GrantId::from_uuid(Uuid::from_u128(1)),
            credential: TokenId::from_uuid(Uuid::from_u128(2)),
            client: client("app"),
            redirect: redirect("app"),
            challenge: verifier('a').challenge(),
            code: peppers.fingerprint(&TokenValue::generate_marked(CODE_MARK, &random)),
            code_until: BEGIN.plus(CODE_LIFE),
            stage: Stage::Coded,
        };
        let credential_until = credential_ends.map(|end| BEGIN.plus(Duration::from_secs(end)));
        Self { now: BEGIN, peppers, random, credential_until, grant, pairs: Vec::new() }
    }

    fn step(&mut self, step: &Step) -> Outcome {
        match step {
            Step::Exchange(part) => self.exchange(*part),
            Step::Refresh { back, own } => self.refresh(*back, *own),
            Step::Use { back } => match generation(*back, self.pairs.len()).map(|at| &self.pairs[at]) {
                Some((_, pair)) => Outcome::Counts(self.grant.is_live() && pair.is_access_live(self.now)),
                None => Outcome::Nothing,
            },
            Step::End => {
                self.grant = self.grant.ended(self.now);
                Outcome::Nothing
            }
            Step::Wait(seconds) => {
                self.now = self.now.plus(Duration::from_secs(*seconds));
                Outcome::Nothing
            }
        }
    }

    fn exchange(&mut self, part: Part) -> Outcome {
        let (mut by, mut sent, mut proof) = (client("app"), redirect("app"), verifier('a'));
        match part {
            Part::AllOwn => {}
            Part::OtherClient => by = client("other"),
            Part::OtherRedirect => sent = redirect("other"),
            Part::OtherVerifier => proof = verifier('b'),
        }
        let presented = Presented { client: &by, redirect: Some(&sent), verifier: &proof };
        match self.grant.exchange(presented, self.now) {
            Ok(exchanged) => {
                self.grant = exchanged;
                self.give(PairValues::generate(&self.random))
            }
            Err(useless) => self.useless(useless),
        }
    }

    fn refresh(&mut self, back: usize, own: bool) -> Outcome {
        let Some(at) = generation(back, self.pairs.len()) else { return Outcome::Nothing };
        let (values, pair) = self.pairs[at].clone();
        let follows =
            PairValues::after(&values.refresh, pair.refresh, &self.peppers).expect("a known pepper");
        let by = client(if own { "app" } else { "other" });
        match pair.refresh(&self.grant, &by, self.now) {
            Ok(Refreshed::First) => {
                self.pairs[at].1 = pair.used(self.now);
                self.give(follows)
            }
            Ok(Refreshed::Again) => {
                let again = self.pairs.iter().position(|(known, _)| *known == follows);
                Outcome::Given(again.expect("the pair that followed"))
            }
            Err(useless) => self.useless(useless),
        }
    }

    fn give(&mut self, values: PairValues) -> Outcome {
        let pair = Pair::of(self.grant.id, &values, &self.peppers, self.credential_until, self.now);
        self.pairs.push((values, pair));
        Outcome::Given(self.pairs.len() - 1)
    }

    fn useless(&mut self, useless: Useless) -> Outcome {
        match useless {
            Useless::Refused => Outcome::Refused,
            Useless::Replayed => {
                self.grant = self.grant.ended(self.now);
                Outcome::Replayed
            }
        }
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "the figures and the seed of the run")]
fn a_grant_lives_as_the_model_says() {
    let (mut runner, seed) = property::runner(HISTORIES);
    let outcomes = RefCell::new(BTreeMap::<&str, u32>::new());
    let ends = prop::option::weighted(0.3, prop::sample::select(vec![30_u64, 61, 3_000, 86_400]));
    let outcome = runner.run(&(steps(), ends, any::<u64>()), |(steps, credential_ends, seed)| {
        let mut played = Played::new(seed, credential_ends);
        let mut model = Model { credential_ends, ..Model::default() };
        for (number, step) in steps.iter().enumerate() {
            let (did, should) = (played.step(step), model.step(step));
            *outcomes.borrow_mut().entry(did.kind()).or_default() += 1;
            if did != should {
                return Err(TestCaseError::fail(format!("step {number}, {step:?}: {did:?}, not {should:?}")));
            }
        }
        Ok(())
    });
    let outcomes = outcomes.into_inner();
    eprintln!("{outcomes:?}, seed {seed}");
    if let Err(failure) = outcome {
        panic!("{failure} (repeat with {}={seed})", property::SEED);
    }
    let short = std::env::var_os(property::CASES).is_none();
    assert!(outcomes.len() == 6 || !short, "some outcome is never met: {outcomes:?}");
}

#[test]
fn what_follows_from_a_refresh_token_is_known_to_the_service_alone() {
    let random = SeededRandom::new(1);
    let [ours, theirs] = [[1; 32], [2; 32]].map(|key| Peppers::new(Pepper::new(1, key), Vec::new()));
    let refresh = PairValues::generate(&random).refresh;
    let follows = PairValues::after(&refresh, ours.fingerprint(&refresh), &ours).expect("a known pepper");
    assert_eq!(PairValues::after(&refresh, ours.fingerprint(&refresh), &ours), Some(follows.clone()));
    assert_ne!(PairValues::after(&refresh, theirs.fingerprint(&refresh), &theirs), Some(follows.clone()));
    assert!(
        follows.access.expose().starts_with("mcp_at_") && follows.refresh.expose().starts_with("mcp_rt_")
    );
    assert_ne!(follows.access.expose()[7..], follows.refresh.expose()[7..]);
    assert_eq!(TokenValue::parse_marked(ACCESS_MARK, follows.access.expose()), Ok(follows.access.clone()));
    // A new pepper came meanwhile: what was given before the change is answered after it.
    let turned = Peppers::new(Pepper::new(2, [9; 32]), vec![Pepper::new(1, [1; 32])]);
    assert_eq!(PairValues::after(&refresh, ours.fingerprint(&refresh), &turned), Some(follows));
    let forgotten = Peppers::new(Pepper::new(2, [9; 32]), Vec::new());
    assert_eq!(PairValues::after(&refresh, ours.fingerprint(&refresh), &forgotten), None);
}
