//! The state machine of a replay against what it is for: everything that is selected once, in order.

use std::cell::Cell;
use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use svc_core::clock::Timestamp;
use svc_core::event::EventType;
use svc_core::id::{EventId, TypedId};
use svc_testkit::property;
use svc_testkit::webhooks::sample::Samples;
use svc_webhooks::replay::{
    Candidate, Cursor, Look, Pick, Plan, Replay, Selection, Source, State, Status, WAITING, Why,
};
use svc_webhooks::subscription::Subscription;

/// Histories per run in the short form; `SVC_TEST_CASES` sets the long one.
const HISTORIES: u32 = 300;

/// Something that happens to a replay.
#[derive(Clone, Copy, Debug)]
enum Happening {
    /// A server makes a step; when it is lost, it dies before its commit.
    Step { lost: bool },
    /// The receiver answers so many.
    Answers(u16),
    /// Time passes.
    Passes(u16),
    /// A server that was overtaken comes back with a step that it planned before.
    Late,
}

fn happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        6 => any::<bool>().prop_map(|lost| Happening::Step { lost }),
        4 => (0_u16..300).prop_map(Happening::Answers),
        3 => (0_u16..7_000).prop_map(Happening::Passes),
        1 => Just(Happening::Late),
    ]
}

/// Each event: whether its type is asked for, and milliseconds since the one before.
fn past() -> impl Strategy<Value = Vec<(bool, u8)>> {
    vec((prop::bool::weighted(0.7), 0_u8..20), 0..1_500)
}

/// The storage of one replay, as small as can be.
struct Stored {
    replay: Replay,
    events: Vec<(EventId, EventType)>,
    sent: Vec<EventId>,
    waiting: u32,
}

impl Stored {
    fn look(&self, look: Look) -> Vec<Candidate> {
        let types = &self.replay.selection.types;
        let after = |id: EventId| look.after.is_none_or(|after| Cursor::Event(id) > after);
        self.events
            .iter()
            .filter(|(id, _)| after(*id) && *id < EventId::least(look.until))
            .take(usize::try_from(look.limit).expect("small"))
            .map(|(id, kind)| {
                let pick = Pick { event: *id, kind: kind.clone(), max_attempts: None };
                Candidate { cursor: Cursor::Event(*id), pick: types.contains(kind).then_some(pick) }
            })
            .collect()
    }

    /// What a step would commit.
    fn plan(&self, now: Timestamp, subscription: &Subscription) -> Option<(Replay, Vec<EventId>)> {
        let replay = self.replay.clone();
        match replay.plan(now, subscription, self.waiting).ok()? {
            Plan::Cancel(why) => Some((replay.cancelled(now, why).ok()?, Vec::new())),
            Plan::Pause(until) => Some((replay.paused(until).ok()?, Vec::new())),
            Plan::Look(look) => {
                let taken = replay.take(now, look, &self.look(look), subscription);
                let sent = taken.picks.iter().map(|pick| pick.event).collect();
                Some((replay.moved(now, &taken).ok()?, sent))
            }
        }
    }

    /// Commits a step unless another one came first.
    fn commit(&mut self, planned_at: &Replay, (after, sent): (Replay, Vec<EventId>)) {
        if planned_at.version == self.replay.version {
            self.waiting += u32::try_from(sent.len()).expect("small");
            self.sent.extend(sent);
            self.replay = after;
        }
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "the figure and the seed of the run")]
fn a_replay_sends_what_it_selects_once_in_order_and_never_too_much_at_a_time() {
    let (mut runner, seed) = property::runner(HISTORIES);
    let (steps, lost) = (Cell::new(0_u64), Cell::new(0_u64));
    let outcome = runner.run(&(past(), vec(happening(), 0..60), any::<u64>()), |(past, story, seed)| {
        let samples = Samples::new(seed);
        let subscription = samples.subscription(samples.account(), &["contact.create"]);
        let [asked, other] = ["contact.create", "invoice.pay"].map(EventType::of);
        let mut events = Vec::new();
        for (selected, gap) in past {
            samples.clock().advance(Duration::from_millis(gap.into()));
            let id = EventId::generate(samples.now(), samples.random());
            events.push((id, if selected { asked.clone() } else { other.clone() }));
        }
        events.sort_unstable();
        samples.clock().advance(Duration::from_millis(1));
        let expected: Vec<EventId> =
            events.iter().filter(|(_, kind)| *kind == asked).map(|(id, _)| *id).collect();
        let selection = Selection {
            account: subscription.account,
            subscription: subscription.id,
            types: [asked].into(),
            from: None,
            until: samples.now(),
            asked_at: samples.now(),
            source: Source::Events,
        };
        let replay = Replay::of(selection, 0, samples.random());
        let mut stored = Stored { replay, events, sent: Vec::new(), waiting: 0 };
        let mut late = None;
        for happening in story {
            let planned = stored.plan(samples.now(), &subscription);
            prop_assert_eq!(planned.is_some(), stored.replay.status() == Status::Running);
            match happening {
                Happening::Step { lost: true } => {
                    lost.set(lost.get() + 1);
                    late = late.or(planned.map(|planned| (stored.replay.clone(), planned)));
                }
                Happening::Step { lost: false } => {
                    if let Some(planned) = planned {
                        steps.set(steps.get() + 1);
                        let at = stored.replay.clone();
                        stored.commit(&at, planned);
                    }
                }
                Happening::Answers(count) => stored.waiting = stored.waiting.saturating_sub(count.into()),
                Happening::Passes(millis) => {
                    samples.clock().advance(Duration::from_millis(millis.into()));
                }
                Happening::Late => {
                    if let Some((at, planned)) = late.take() {
                        stored.commit(&at, planned);
                    }
                }
            }
            prop_assert!(stored.waiting <= WAITING);
            prop_assert_eq!(stored.replay.sent, stored.sent.len() as u64);
            prop_assert!(expected.starts_with(&stored.sent), "once, in order, nothing left out");
        }
        // When faults stop, it comes to its end.
        for _ in 0..100 {
            let Some(planned) = stored.plan(samples.now(), &subscription) else { break };
            let at = stored.replay.clone();
            stored.commit(&at, planned);
            stored.waiting = 0;
            samples.clock().advance(Duration::from_secs(1));
        }
        prop_assert_eq!(stored.replay.status(), Status::Completed);
        prop_assert_eq!(&stored.sent, &expected);
        ended_is_ended(&stored.replay, samples.now())
    });
    let (steps, lost) = (steps.get(), lost.get());
    eprintln!("{steps} steps taken and {lost} lost, seed {seed}");
    if let Err(failure) = outcome {
        panic!("{failure} (repeat with {}={seed})", property::SEED);
    }
    assert!(steps > 0 && lost > 0);
}

fn ended_is_ended(replay: &Replay, now: Timestamp) -> Result<(), TestCaseError> {
    let completed = matches!(replay.state, State::Completed { .. });
    prop_assert!(completed);
    for refused in [
        replay.clone().paused(now).map_err(|error| (error.action, error.status)),
        replay.clone().cancelled(now, Why::Asked).map_err(|error| (error.action, error.status)),
    ] {
        let Err((action, status)) = refused else { panic!("an ended replay went on") };
        prop_assert!(["pause", "cancel"].contains(&action));
        prop_assert_eq!(status, Status::Completed);
    }
    Ok(())
}
