//! How events are claimed and remembered.

#![expect(missing_docs, reason = "the name of a case is its claim")]

use std::time::Duration;

use futures_util::future::join_all;
use svc_core::clock::Timestamp;
use svc_webhooks::seen::{Claim, Ticket};
use svc_webhooks::signature::EventKey;

use super::Fixture;

/// The smallest step of a [`Timestamp`].
const TICK: Duration = Duration::from_micros(1);

/// Ids of any form, the longest one among them.
fn event(number: u128) -> EventKey {
    let form = match number % 3 {
        0 => format!("evt_{number:026}"),
        1 => format!("{number:0>most$}", most = EventKey::MOST),
        _ => format!("order/{number}?Paid=1"),
    };
    form.parse().expect("visible ASCII")
}

fn start() -> Timestamp {
    Timestamp::from_unix_seconds(1_738_314_900)
}

async fn claim(made: &dyn Fixture, number: u128, now: Timestamp) -> Claim {
    made.seen().claim(&event(number), now).await.expect("the memory answers")
}

async fn first(made: &dyn Fixture, number: u128, now: Timestamp) -> Ticket {
    match claim(made, number, now).await {
        Claim::First(ticket) => ticket,
        other @ (Claim::Repeat | Claim::InProgress) => panic!("expected the first claim, not {other:?}"),
    }
}

async fn finish(made: &dyn Fixture, ticket: Ticket, now: Timestamp) {
    made.seen().finish(ticket, now).await.expect("the memory answers");
}

async fn release(made: &dyn Fixture, ticket: Ticket) {
    made.seen().release(ticket).await.expect("the memory answers");
}

pub async fn one_at_a_time_has_an_event(made: &dyn Fixture) {
    let ticket = first(made, 1, start()).await;
    assert_eq!(*ticket.event(), event(1));
    assert_eq!(claim(made, 1, start()).await, Claim::InProgress);
}

pub async fn a_finished_event_is_a_repeat_throughout_the_window(made: &dyn Fixture) {
    let ticket = first(made, 1, start()).await;
    finish(made, ticket, start()).await;
    assert_eq!(claim(made, 1, start()).await, Claim::Repeat);
    assert_eq!(claim(made, 1, start().plus(made.window()).minus(TICK)).await, Claim::Repeat);
}

pub async fn a_released_event_can_be_claimed_at_once(made: &dyn Fixture) {
    let failed = first(made, 1, start()).await;
    let number = failed.number();
    release(made, failed).await;
    assert_ne!(first(made, 1, start()).await.number(), number);
}

pub async fn events_are_apart(made: &dyn Fixture) {
    let (one, two) = (first(made, 1, start()).await, first(made, 2, start()).await);
    finish(made, one, start()).await;
    assert_eq!(claim(made, 2, start()).await, Claim::InProgress);
    release(made, two).await;
    assert_eq!(claim(made, 1, start()).await, Claim::Repeat);
    drop(first(made, 2, start()).await);
}

pub async fn a_claim_lapses_at_its_end_and_not_before(made: &dyn Fixture) {
    let lost = first(made, 1, start()).await;
    assert_eq!(claim(made, 1, start().plus(made.lease()).minus(TICK)).await, Claim::InProgress);
    assert_ne!(first(made, 1, start().plus(made.lease())).await, lost);
}

pub async fn the_failure_of_a_lapsed_claim_takes_nothing_away(made: &dyn Fixture) {
    let later = start().plus(made.lease());
    let lost = first(made, 1, start()).await;
    let taken_over = first(made, 1, later).await;
    release(made, lost).await;
    assert_eq!(claim(made, 1, later).await, Claim::InProgress);
    release(made, taken_over).await;
    drop(first(made, 1, later).await);
}

pub async fn the_success_of_a_lapsed_claim_counts(made: &dyn Fixture) {
    let late = first(made, 1, start()).await;
    finish(made, late, start().plus(made.lease())).await;
    assert_eq!(claim(made, 1, start().plus(made.lease())).await, Claim::Repeat);
}

pub async fn a_failure_after_a_late_success_changes_nothing(made: &dyn Fixture) {
    let later = start().plus(made.lease());
    let late = first(made, 1, start()).await;
    let taken_over = first(made, 1, later).await;
    finish(made, late, later).await;
    release(made, taken_over).await;
    assert_eq!(claim(made, 1, later).await, Claim::Repeat);
}

pub async fn of_many_claims_at_once_one_is_the_first(made: &dyn Fixture) {
    let claims = join_all((0..16).map(|_| claim(made, 1, start()))).await;
    let firsts = claims.iter().filter(|claim| matches!(claim, Claim::First(_))).count();
    let busy = claims.iter().filter(|claim| **claim == Claim::InProgress).count();
    assert_eq!((firsts, busy), (1, 15));
}
