//! Several processes over one store.

use std::time::Duration;

use futures_util::future::join_all;
use svc_auth::limit::Limits;
use svc_auth::ports::Draw;
use svc_core::clock::Timestamp;
use svc_core::id::AccountId;

use super::{PLENTY, Store, at, draw, drawn, give_back, limits};
use crate::budget::model::{ModelBudget, Move, PROCESSES, histories};
use crate::business::sample::id;
use crate::property;

/// Each minute and each month has one budget, for all processes that reach it, whenever they do.
pub async fn clocks_that_disagree_draw_from_windows_of_their_own(store: Store<'_>) {
    let limits = limits(10, 15);
    let (ahead, behind) = (at("2026-02-01T00:00:05.000Z"), at("2026-01-31T23:59:58.000Z"));
    assert_eq!(draw(store, 6, limits, ahead).await, drawn(6, 6, 6));
    assert_eq!(draw(store, 7, limits, behind).await, drawn(7, 7, 7));
    assert_eq!(draw(store, 99, limits, ahead).await, drawn(4, 10, 10));
    // January gets back what was drawn in it, from wherever.
    assert_eq!(give_back(store, (3, behind), 0, limits, ahead).await, drawn(0, 10, 10));
    assert_eq!(draw(store, 99, limits, behind).await, drawn(6, 10, 10));
    // The one that was behind comes to the minute that the other has used up.
    assert_eq!(draw(store, 1, limits, at("2026-02-01T00:00:30.000Z")).await, drawn(0, 10, 10));
    assert_eq!(draw(store, 99, limits, at("2026-02-01T00:01:00.000Z")).await, drawn(5, 5, 15));
}

/// Nor does it make room for a second budget in it.
pub async fn a_clock_that_ran_days_ahead_takes_nothing_from_the_present_minute(store: Store<'_>) {
    let limits = limits(10, PLENTY);
    let (now, far) = (at("2026-03-10T10:00:00.000Z"), at("2026-03-20T10:00:00.000Z"));
    assert_eq!(draw(store, 4, limits, now).await, drawn(4, 4, 4));
    for minute in 0..12_u32 {
        let used = u64::from(minute) * 10;
        let far = far.plus(Duration::from_mins(minute.into()));
        assert_eq!(draw(store, 10, limits, far).await, drawn(10, 10, 14 + used));
    }
    assert_eq!(draw(store, 10, limits, now).await, drawn(6, 10, 130));
    assert_eq!(draw(store, 10, limits, now).await, drawn(0, 10, 130));
}

/// In sum all of it is granted, and each draw is told a different count.
pub async fn draws_at_once_never_pass_the_budget(store: Store<'_>) {
    let (limits, now) = (limits(50, 200), at("2026-03-10T10:00:00.000Z"));
    let outcomes = join_all((0..24).map(|_| draw(store, 3, limits, now))).await;
    assert_eq!(outcomes.iter().map(|drawn| drawn.granted).sum::<u32>(), 50, "{outcomes:?}");
    let mut counts: Vec<_> =
        outcomes.iter().filter(|one| one.granted > 0).map(|one| one.minute_used).collect();
    counts.sort_unstable();
    let expected: Vec<_> = (1..=16).map(|place| place * 3).chain([50]).collect();
    assert_eq!(counts, expected);
    assert!(outcomes.iter().all(|one| one.month_used == u64::from(one.minute_used)), "{outcomes:?}");
}

/// Histories of the short form; `SVC_TEST_CASES` sets the long one.
const HISTORIES: u32 = 24;

/// Of processes whose clocks are up to ten minutes apart: each answer is that
/// of the reference model, and no minute and no month admits more than its budget.
pub async fn no_interleaving_passes_a_budget(store: Store<'_>) {
    let (histories, _seed) = property::values(&histories(), HISTORIES);
    for (number, (limits, behind, moves)) in (1..).zip(histories) {
        follow(store, id(number), limits, behind, &moves).await;
    }
}

/// Requests that a process drew and has not used.
#[derive(Clone, Copy, Default)]
struct Held {
    left: u32,
    drawn_at: Timestamp,
}

async fn follow(
    store: Store<'_>,
    account: AccountId,
    limits: Limits,
    behind: [Duration; PROCESSES],
    moves: &[Move],
) {
    let mut time = at("2026-01-31T23:50:00.000Z");
    let mut model = ModelBudget::default();
    let mut held = [Held::default(); PROCESSES];
    for (place, one) in moves.iter().enumerate() {
        time = time.plus(one.wait);
        let now = time.minus(*behind.get(one.process).expect("a process"));
        let mine = held.get_mut(one.process).expect("a process");
        let unused = mine.left - mine.left * one.used / 100;
        let draw = Draw { wanted: one.wanted, unused, drawn_at: mine.drawn_at };
        let answer = store.draw(account, draw, limits, now).await.expect("drawn");
        let expected = model.draw(draw, limits, now);
        assert_eq!(answer, expected, "move {place} of {limits:?} {behind:?} {moves:?}");
        assert!(answer.minute_used <= limits.per_minute && answer.month_used <= limits.per_month);
        *mine = Held { left: answer.granted, drawn_at: now };
    }
}
