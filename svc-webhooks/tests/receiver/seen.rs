//! Repeats: one success per event, though work fails or hangs and events come again.
//!
//! What every memory promises is in the contract suite; here are its bounds, and [`once`].

use std::collections::{BTreeMap, HashMap};
use std::future::pending;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::FutureExt as _;
use proptest::collection::vec;
use proptest::prelude::*;
use svc_core::clock::{Clock as _, Timestamp};
use svc_testkit::fakes::ManualClock;
use svc_testkit::property;
use svc_testkit::seen::Fixture;
use svc_webhooks::seen::{Claim, Handled, MemorySeen, Seen, SeenError, SeenLimits, Ticket, once};
use svc_webhooks::signature::EventKey;

const WINDOW: Duration = Duration::from_secs(1_000);
const LEASE: Duration = Duration::from_mins(1);

fn memory(capacity: usize) -> MemorySeen {
    let capacity = NonZeroUsize::new(capacity).expect("not zero");
    MemorySeen::new(SeenLimits { capacity, window: WINDOW, lease: LEASE })
}

fn event(number: u8) -> EventKey {
    format!("order-{number}").parse().expect("visible ASCII")
}

struct Memory(MemorySeen);

impl Fixture for Memory {
    fn seen(&self) -> &dyn Seen {
        &self.0
    }

    fn lease(&self) -> Duration {
        LEASE
    }

    fn window(&self) -> Duration {
        WINDOW
    }
}

mod contract {
    use std::future::{Ready, ready};

    fn make() -> Ready<Box<super::Memory>> {
        ready(Box::new(super::Memory(super::memory(10))))
    }

    svc_testkit::seen_contract! { make: make }
}

/// The answer of a call that never waits.
fn now<T>(call: impl Future<Output = T>) -> T {
    call.now_or_never().expect("memory does not wait")
}

fn claim(seen: &MemorySeen, number: u8, at: Timestamp) -> Result<Claim, SeenError> {
    now(seen.claim(&event(number), at))
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Claim(u8),
    /// Finish the ticket at this place among those that are not settled.
    Finish(prop::sample::Index),
    Release(prop::sample::Index),
    Wait(u64),
}

fn steps(events: u8) -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => (0..events).prop_map(Step::Claim),
        2 => any::<prop::sample::Index>().prop_map(Step::Finish),
        2 => any::<prop::sample::Index>().prop_map(Step::Release),
        2 => (0_u64..90).prop_map(Step::Wait),
        1 => (900_u64..1_100).prop_map(Step::Wait),
    ];
    vec(step, 1..80)
}

/// What the port promises of one event, without bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Known {
    Working { number: u64, since: Timestamp },
    Done { at: Timestamp },
}

#[derive(Default)]
struct Model {
    known: HashMap<EventKey, Known>,
    /// The latest success of each event, whether it was told before or not.
    finished: HashMap<EventKey, Timestamp>,
}

impl Model {
    fn state(&self, event: &EventKey, now: Timestamp) -> Option<Known> {
        self.known.get(event).copied().filter(|known| match known {
            Known::Working { since, .. } => now.since(*since) < LEASE,
            Known::Done { at } => now.since(*at) < WINDOW,
        })
    }

    fn finished_within_the_window(&self, event: &EventKey, now: Timestamp) -> bool {
        self.finished.get(event).is_some_and(|at| now.since(*at) < WINDOW)
    }

    fn finish(&mut self, event: &EventKey, now: Timestamp) {
        self.finished.insert(event.clone(), now);
        if !matches!(self.state(event, now), Some(Known::Done { .. })) {
            self.known.insert(event.clone(), Known::Done { at: now });
        }
    }

    fn release(&mut self, ticket: &Ticket) {
        if let Some(Known::Working { number, .. }) = self.known.get(ticket.event())
            && *number == ticket.number()
        {
            self.known.remove(ticket.event());
        }
    }
}

/// Takes the steps on both, and hands each claim to `judge` with what the model knew of the event
/// before it, and whether it succeeded within the window.
fn run(
    seen: &MemorySeen,
    steps: Vec<Step>,
    mut judge: impl FnMut(Option<Known>, bool, &Result<Claim, SeenError>) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    let (clock, mut model, mut open) = (ManualClock::default(), Model::default(), Vec::<Ticket>::new());
    for step in steps {
        match step {
            Step::Claim(number) => {
                let known = model.state(&event(number), clock.now());
                let finished = model.finished_within_the_window(&event(number), clock.now());
                let claimed = claim(seen, number, clock.now());
                judge(known, finished, &claimed)?;
                if let Ok(Claim::First(ticket)) = claimed {
                    let working = Known::Working { number: ticket.number(), since: clock.now() };
                    model.known.insert(ticket.event().clone(), working);
                    open.push(ticket);
                }
            }
            Step::Finish(place) if !open.is_empty() => {
                let ticket = open.swap_remove(place.index(open.len()));
                model.finish(ticket.event(), clock.now());
                now(seen.finish(ticket, clock.now())).expect("memory does not fail");
            }
            Step::Release(place) if !open.is_empty() => {
                let ticket = open.swap_remove(place.index(open.len()));
                model.release(&ticket);
                now(seen.release(ticket)).expect("memory does not fail");
            }
            Step::Finish(_) | Step::Release(_) => {}
            Step::Wait(seconds) => clock.advance(Duration::from_secs(seconds)),
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(property::cases(512))]

    #[test]
    fn with_room_for_all_it_does_what_the_port_promises(steps in steps(5)) {
        run(&memory(5), steps, |known, _, claimed| {
            let right = match known {
                None => matches!(claimed, Ok(Claim::First(_))),
                Some(Known::Working { .. }) => matches!(claimed, Ok(Claim::InProgress)),
                Some(Known::Done { .. }) => matches!(claimed, Ok(Claim::Repeat)),
            };
            prop_assert!(right, "{known:?}: {claimed:?}");
            Ok(())
        })?;
    }

    #[test]
    fn without_room_it_forgets_what_is_done_but_never_who_is_at_work(steps in steps(12), capacity in 1_usize..5) {
        let seen = memory(capacity);
        run(&seen, steps, |known, finished, claimed| {
            let right = match claimed {
                Ok(Claim::First(_)) => !matches!(known, Some(Known::Working { .. })),
                // A success that was forgotten for want of room may be told of once more, later.
                Ok(Claim::Repeat) => finished && !matches!(known, Some(Known::Working { .. })),
                Ok(Claim::InProgress) => matches!(known, Some(Known::Working { .. })),
                Err(SeenError::Full) => !matches!(known, Some(Known::Working { .. })) && seen.len() == capacity,
                Err(SeenError::Backend(_)) => false,
            };
            prop_assert!(right, "{known:?}: {claimed:?}");
            prop_assert!(seen.len() <= capacity);
            Ok(())
        })?;
    }

    #[test]
    fn each_event_succeeds_once_and_a_failed_one_is_worked_on_again(
        arrivals in vec((0_u8..4, prop_oneof![Just("succeed"), Just("fail"), Just("hang")], 0_u64..40), 1..60),
    ) {
        let (seen, clock) = (memory(4), ManualClock::default());
        // Successes, and until when a hanging one holds the event.
        let mut known: BTreeMap<u8, (u32, Option<Timestamp>)> = BTreeMap::new();
        for (number, fate, wait) in arrivals {
            clock.advance(Duration::from_millis(wait * 500));
            let (successes, held) = known.entry(number).or_default();
            let worked = AtomicU32::new(0);
            let work = async {
                worked.fetch_add(1, Ordering::Relaxed);
                match fate {
                    "succeed" => Ok("done"),
                    "fail" => Err("failed"),
                    _ => pending().await,
                }
            };
            let handled = once(&seen, &clock, &event(number), work).now_or_never();
            let held_now = held.is_some_and(|until| clock.now() < until);
            let expected = match (*successes, held_now, fate) {
                (1.., ..) => (Some(200), 0),
                (0, true, _) => (Some(503), 0),
                (0, false, "succeed") => (Some(200), 1),
                (0, false, "fail") => (Some(500), 1),
                (0, false, _) => (None, 1),
            };
            prop_assert_eq!((handled.as_ref().map(Handled::status), worked.into_inner()), expected);
            match expected {
                (Some(200), worked) => *successes += worked,
                (None, _) => *held = Some(clock.now().plus(LEASE)),
                _ => {}
            }
            prop_assert!(*successes <= 1);
        }
    }
}

fn first(claimed: Result<Claim, SeenError>) -> Ticket {
    match claimed {
        Ok(Claim::First(ticket)) => ticket,
        other => panic!("expected a first claim, not {other:?}"),
    }
}

#[test]
fn what_was_done_before_the_window_gives_its_memory_back() {
    let (seen, start) = (memory(10), Timestamp::default());
    now(seen.finish(first(claim(&seen, 1, start)), start)).expect("memory");
    assert_eq!(seen.len(), 1);
    drop(first(claim(&seen, 2, start.plus(WINDOW))));
    assert_eq!(seen.len(), 1, "only the second event");
    drop(first(claim(&seen, 1, start.plus(WINDOW))));
}

#[test]
fn a_clock_that_is_set_back_forgets_nothing() {
    let (seen, start) = (memory(10), Timestamp::from_unix_seconds(1_000_000));
    let before = start.minus(Duration::from_secs(500_000));
    let working = first(claim(&seen, 1, start));
    assert!(matches!(claim(&seen, 1, before), Ok(Claim::InProgress)));
    now(seen.finish(working, start)).expect("memory");
    assert!(matches!(claim(&seen, 1, before), Ok(Claim::Repeat)));
}

#[test]
fn full_of_work_it_refuses_and_full_of_done_it_forgets_the_oldest() {
    let (seen, start) = (memory(2), Timestamp::default());
    let (one, two) = (first(claim(&seen, 1, start)), first(claim(&seen, 2, start)));
    assert!(matches!(claim(&seen, 3, start), Err(SeenError::Full)));
    now(seen.finish(two, start)).expect("memory");
    now(seen.finish(one, start)).expect("memory");
    drop(first(claim(&seen, 3, start)));
    // The second event was done before the first.
    assert!(matches!(claim(&seen, 1, start), Ok(Claim::Repeat)));
    assert_eq!(seen.len(), 2);
}

#[test]
fn of_arrivals_on_many_threads_one_works() {
    let seen = Arc::new(MemorySeen::default());
    assert!(seen.is_empty());
    let firsts: usize = std::thread::scope(|scope| {
        let arrivals: Vec<_> = (0..16)
            .map(|_| scope.spawn(|| matches!(claim(&seen, 1, Timestamp::default()), Ok(Claim::First(_)))))
            .collect();
        arrivals.into_iter().map(|arrival| usize::from(arrival.join().expect("no panic"))).sum()
    });
    assert_eq!((firsts, seen.len()), (1, 1));
}

/// A store of which the given call fails.
struct Broken(&'static str);

impl Broken {
    fn answer<T>(&self, call: &str, answer: T) -> Result<T, SeenError> {
        if self.0 == call { Err(SeenError::Backend("unplugged".into())) } else { Ok(answer) }
    }
}

#[async_trait]
impl Seen for Broken {
    async fn claim(&self, event: &EventKey, _now: Timestamp) -> Result<Claim, SeenError> {
        self.answer("claim", Claim::First(Ticket::new(event.clone(), 1)))
    }

    async fn finish(&self, _ticket: Ticket, _now: Timestamp) -> Result<(), SeenError> {
        self.answer("finish", ())
    }

    async fn release(&self, _ticket: Ticket) -> Result<(), SeenError> {
        self.answer("release", ())
    }
}

#[test]
fn a_broken_store_stops_work_before_it_begins_and_changes_no_outcome_after_it() {
    let clock = ManualClock::default();
    let handle = |broken, outcome: Result<u8, u8>| {
        now(once(&Broken(broken), &clock, &event(1), async move { outcome }))
    };
    let unasked = handle("claim", Ok(1));
    assert!(matches!(unasked, Handled::Unknown(SeenError::Backend(_))));
    assert_eq!(unasked.status(), 503);
    assert!(matches!(handle("finish", Ok(1)), Handled::Done(1)));
    assert!(matches!(handle("release", Err(2)), Handled::Failed(2)));
}
