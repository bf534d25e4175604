//! Budgets that several processes share.

mod sharing;
mod store;

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::join_all;
use svc_auth::limit::{Budget, LeasedLimiter, LimitDecision, Limits};
use svc_auth::ports::RateLimiter as _;
use svc_core::clock::Timestamp;

use self::store::Watched;
use crate::test_app::account;

/// The first instant of 2026.
const NOW: Timestamp = Timestamp::from_unix_seconds(1_767_225_600);
const MINUTE: Duration = Duration::from_mins(1);
/// A process draws 5 at a time.
const LIMITS: Limits = Limits { per_minute: 200, per_month: 1_000 };

/// A process over the shared store.
fn node(store: &Arc<Watched>) -> LeasedLimiter {
    LeasedLimiter::new(Arc::clone(store) as _, LIMITS)
}

fn is_within(decision: &LimitDecision) -> bool {
    matches!(decision, LimitDecision::Within(_))
}

/// Sends `count` requests of company 1, one after the other; answers how many were admitted.
async fn send(node: &LeasedLimiter, count: usize, now: Timestamp) -> usize {
    let mut admitted = 0;
    for _ in 0..count {
        admitted += usize::from(is_within(&node.take(account(1), now).await));
    }
    admitted
}

#[tokio::test]
async fn a_draw_serves_a_fortieth_of_the_budget() {
    let store = Arc::new(Watched::default());
    let node = node(&store);
    assert_eq!(send(&node, 5, NOW).await, 5);
    assert_eq!(store.draws(), 1);
    assert_eq!(send(&node, 195, NOW).await, 195);
    assert_eq!(store.draws(), 40);
}

#[tokio::test]
async fn an_answer_tells_what_is_left_to_all_processes() {
    let store = Arc::new(Watched::default());
    let (one, other) = (node(&store), node(&store));
    send(&one, 7, NOW).await;
    let LimitDecision::Within(status) = other.take(account(1), NOW).await else { panic!("there is room") };
    // The first process holds 3 more.
    assert_eq!((status.minute_left, status.month_left), (189, 989));
    assert_eq!(other.status(account(1), NOW), status);
    let unheard = other.status(account(2), NOW);
    assert_eq!((unheard.minute_left, unheard.month_left), (200, 1_000));
}

#[tokio::test]
async fn requests_that_need_a_draw_at_once_wait_for_one() {
    let store = Arc::new(Watched::default());
    let node = node(&store);
    let answers = join_all((0..100).map(|_| node.take(account(1), NOW))).await;
    assert!(answers.iter().all(is_within));
    assert_eq!((store.draws(), store.most_at_once()), (20, 1));
    let companies = join_all((1..=10).map(|number| node.take(account(number), NOW))).await;
    assert!(companies.iter().all(is_within));
    assert!(store.most_at_once() > 1, "companies do not wait for each other");
}

#[tokio::test]
async fn what_is_refused_costs_neither_a_write_nor_after_the_first_one_a_read() {
    let store = Arc::new(Watched::default());
    let (one, other) = (node(&store), node(&store));
    assert_eq!(send(&one, 300, NOW).await, 200);
    let (draws, writes) = (store.draws(), store.writes());
    assert_eq!(draws, writes, "the process that drew the last one knows it");
    assert_eq!(send(&other, 300, NOW).await, 0);
    assert_eq!((store.draws(), store.writes()), (draws + 1, writes));

    let LimitDecision::Exceeded { budget, status, retry_after } = other.take(account(1), NOW).await else {
        panic!("the minute is used up");
    };
    assert_eq!((budget, retry_after), (Budget::Minute, MINUTE));
    assert_eq!((status.minute_left, status.month_left), (0, 800));
    assert!(is_within(&other.take(account(1), NOW.plus(retry_after)).await));
}

#[tokio::test]
async fn a_used_up_month_is_remembered_until_it_is_over() {
    let store = Arc::new(Watched::default());
    let (one, other) = (node(&store), node(&store));
    for minute in 0..5 {
        assert_eq!(send(&one, 250, NOW.plus(MINUTE * minute)).await, 200);
    }
    let (draws, writes) = (store.draws(), store.writes());
    for minute in 5..50 {
        let now = NOW.plus(MINUTE * minute);
        let LimitDecision::Exceeded { budget: Budget::Month, status, retry_after } =
            other.take(account(1), now).await
        else {
            panic!("the month is used up")
        };
        assert_eq!(now.plus(retry_after).to_string(), "2026-02-01T00:00:00.000Z");
        assert_eq!((status.minute_left, status.month_left), (200, 0));
        assert_eq!(send(&one, 1, now).await, 0);
    }
    assert_eq!((store.draws(), store.writes()), (draws + 1, writes));
    assert_eq!(send(&other, 300, NOW.plus(Duration::from_hours(31 * 24))).await, 200);
}

#[tokio::test]
async fn what_a_minute_did_not_use_goes_back_to_the_month_with_the_next_draw() {
    let store = Arc::new(Watched::default());
    let node = node(&store);
    for minute in 0..900 {
        assert_eq!(send(&node, 1, NOW.plus(MINUTE * minute)).await, 1, "minute {minute}");
    }
}

#[tokio::test]
async fn a_process_that_ends_gives_back_what_it_holds() {
    let store = Arc::new(Watched::default());
    let (one, other) = (node(&store), node(&store));
    assert_eq!(send(&one, 1, NOW).await, 1);
    one.give_back().await.unwrap();
    assert_eq!(send(&other, 300, NOW).await, 199);
    one.give_back().await.unwrap();
    other.give_back().await.unwrap();
    assert_eq!(store.writes(), 42, "nothing is given back twice");
}

#[tokio::test]
async fn a_process_starts_where_the_one_before_it_ended() {
    let store = Arc::new(Watched::default());
    let before = node(&store);
    send(&before, 150, NOW).await;
    drop(before);
    assert_eq!(send(&node(&store), 300, NOW).await, 50);
}

#[tokio::test]
async fn silent_companies_give_back_after_two_minutes() {
    let store = Arc::new(Watched::default());
    let node = node(&store);
    send(&node, 1, NOW).await;
    let writes = store.writes();
    node.give_back_idle(NOW.plus(Duration::from_micros(119_999_999))).await.unwrap();
    assert_eq!(store.writes(), writes);
    node.give_back_idle(NOW.plus(MINUTE * 2)).await.unwrap();
    assert_eq!(store.writes(), writes + 1);
    assert_eq!(store.month_used(account(1)), 1);
    send(&node, 3, NOW.plus(MINUTE * 3)).await;
    node.give_back_idle(NOW.plus(MINUTE * 5)).await.unwrap();
    assert_eq!(store.month_used(account(1)), 4);
}

#[tokio::test]
async fn while_the_store_is_down_one_process_counts_alone_against_the_whole_budget() {
    let store = Arc::new(Watched::default());
    let node = node(&store);
    assert_eq!(send(&node, 50, NOW).await, 50);
    store.set_down(true);
    assert_eq!(send(&node, 300, NOW).await, 150);
    assert_eq!(store.draws(), 11, "it is left alone for a second");
    assert_eq!(send(&node, 300, NOW.plus(Duration::from_secs(2))).await, 0);
    let next = NOW.plus(MINUTE);
    assert_eq!(send(&node, 300, next).await, 200);
    assert_eq!(store.draws(), 12);

    store.set_down(false);
    let later = next.plus(MINUTE);
    assert_eq!(send(&node, 300, later).await, 200);
    assert_eq!(store.draws(), 52);
}

#[tokio::test]
async fn what_was_admitted_alone_is_paid_when_the_store_is_back_in_the_same_minute() {
    let store = Arc::new(Watched::default());
    let (one, other) = (node(&store), node(&store));
    store.set_down(true);
    assert_eq!(send(&one, 60, NOW).await, 60);
    store.set_down(false);
    assert_eq!(send(&one, 1, NOW.plus(Duration::from_millis(999))).await, 1, "still alone");
    assert_eq!(store.month_used(account(1)), 0);
    assert_eq!(send(&one, 1, NOW.plus(Duration::from_secs(1))).await, 1);
    assert_eq!(store.month_used(account(1)), 66);
    assert_eq!(send(&one, 5, NOW.plus(Duration::from_secs(1))).await, 5);
    assert_eq!(store.month_used(account(1)), 71, "it is paid once");
    assert_eq!(send(&other, 300, NOW.plus(Duration::from_secs(1))).await, 129);
}

#[tokio::test]
async fn a_clock_that_was_set_back_counts_in_the_minute_that_it_shows() {
    let store = Arc::new(Watched::default());
    let node = node(&store);
    let hours_ahead = NOW.plus(Duration::from_hours(5));
    assert_eq!(send(&node, 300, hours_ahead).await, 200);
    assert_eq!(send(&node, 300, NOW).await, 200);
    assert_eq!(send(&node, 1, hours_ahead).await, 0, "no process gets a budget twice");
    assert_eq!(send(&node, 1, NOW).await, 0);
    assert_eq!(send(&node, 300, NOW.plus(MINUTE)).await, 200);
    assert_eq!(store.month_used(account(1)), 600);
}

#[tokio::test]
async fn what_a_clock_that_ran_ahead_drew_goes_back_when_it_was_set_back() {
    let store = Arc::new(Watched::default());
    let node = node(&store);
    send(&node, 1, NOW.plus(Duration::from_hours(5))).await;
    node.give_back_idle(NOW).await.unwrap();
    assert_eq!(store.month_used(account(1)), 1);
}

#[tokio::test]
async fn a_company_is_not_forgotten_while_a_request_draws_for_it() {
    let store = Arc::new(Watched::default());
    let node = node(&store);
    let mut drawing = node.take(account(1), NOW);
    assert!((&mut drawing).now_or_never().is_none());
    node.give_back_idle(NOW.plus(MINUTE * 2)).await.unwrap();
    let answers = tokio::join!(drawing, node.take(account(1), NOW));
    assert!(is_within(&answers.0) && is_within(&answers.1));
    assert_eq!((store.draws(), store.most_at_once()), (1, 1));
}

#[tokio::test]
async fn a_clock_that_was_set_back_does_not_keep_a_process_alone() {
    let store = Arc::new(Watched::default());
    let node = node(&store);
    store.set_down(true);
    send(&node, 1, NOW).await;
    store.set_down(false);
    send(&node, 1, NOW.minus(Duration::from_millis(500))).await;
    assert_eq!(store.draws(), 2);
}

#[tokio::test]
async fn a_request_given_up_during_its_draw_leaves_the_budget_short_never_over() {
    for (looks, admitted) in [(1, 200), (2, 150)] {
        let store = Arc::new(Watched::default());
        let node = node(&store);
        for _ in 0..10 {
            let mut asking = node.take(account(1), NOW);
            // The first look finds it before the draw, the second one before the answer.
            for _ in 0..looks {
                assert!((&mut asking).now_or_never().is_none());
            }
        }
        assert_eq!(send(&node, 300, NOW).await, admitted);
    }
}
