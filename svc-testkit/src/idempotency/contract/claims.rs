//! How keys are claimed, and what is kept under them.

#![expect(missing_docs, reason = "the name of a case is its claim")]

use std::time::Duration;

use futures_util::future::join_all;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TokenId, TypedId};
use svc_core::idempotency::{CLAIM_LEASE, Caller, Claim, Fence, KEPT_FOR, Reply, RequestHash, RequestKey};
use uuid::Uuid;

use super::Fixture;

const REQUEST: RequestHash = RequestHash([1; 32]);
const OTHER: RequestHash = RequestHash([2; 32]);

fn key(caller: u128) -> RequestKey {
    RequestKey {
        caller: Caller::Token(TokenId::from_uuid(Uuid::from_u128(caller))),
        key: "order-7".to_owned(),
    }
}

fn now() -> Timestamp {
    Timestamp::from_unix_seconds(1_738_314_900)
}

fn reply() -> Reply {
    Reply {
        status: 201,
        headers: vec![("Location".to_owned(), "/contacts/con_1".to_owned())],
        masked: b"{\"phone\":\"***\"}".to_vec(),
        full: Some(b"{\"phone\":\"600\"}".to_vec()),
        companies: vec![AccountId::from_uuid(Uuid::from_u128(9))],
    }
}

async fn claim(fixture: &dyn Fixture, at: Timestamp) -> Claim {
    fixture.store().claim(&key(1), REQUEST, at).await.expect("claim")
}

async fn hold(fixture: &dyn Fixture, at: Timestamp) -> Fence {
    match claim(fixture, at).await {
        Claim::Held(fence) => fence,
        other @ (Claim::Running | Claim::Reused | Claim::Done(_)) => {
            panic!("expected to hold the key, found {other:?}")
        }
    }
}

async fn keep(fixture: &dyn Fixture, fence: Fence) -> Result<(), StoreError> {
    let unit = fixture.begin().await?;
    unit.replies().keep(&key(1), fence, &reply()).await?;
    unit.commit().await
}

pub async fn a_claimed_key_runs_once_until_its_reply_is_kept(fixture: &dyn Fixture) {
    let fence = hold(fixture, now()).await;
    assert!(matches!(claim(fixture, now()).await, Claim::Running));
    keep(fixture, fence).await.expect("keep");
    match claim(fixture, now()).await {
        Claim::Done(kept) => assert!(kept == reply(), "the reply comes back as it was kept"),
        other @ (Claim::Held(_) | Claim::Running | Claim::Reused) => {
            panic!("expected the reply, found {other:?}")
        }
    }
}

pub async fn a_key_is_never_good_for_another_request(fixture: &dyn Fixture) {
    let fence = hold(fixture, now()).await;
    let running = fixture.store().claim(&key(1), OTHER, now()).await.expect("claim");
    assert!(matches!(running, Claim::Reused), "{running:?}");
    keep(fixture, fence).await.expect("keep");
    let done = fixture.store().claim(&key(1), OTHER, now()).await.expect("claim");
    assert!(matches!(done, Claim::Reused), "{done:?}");
}

pub async fn keys_of_different_callers_are_apart(fixture: &dyn Fixture) {
    hold(fixture, now()).await;
    let theirs = fixture.store().claim(&key(2), OTHER, now()).await.expect("claim");
    assert!(matches!(theirs, Claim::Held(_)), "{theirs:?}");
}

pub async fn a_reply_goes_with_the_unit_that_keeps_it(fixture: &dyn Fixture) {
    let fence = hold(fixture, now()).await;
    let unit = fixture.begin().await.expect("begin");
    unit.replies().keep(&key(1), fence, &reply()).await.expect("keep");
    drop(unit);
    assert!(matches!(claim(fixture, now()).await, Claim::Running));
    keep(fixture, fence).await.expect("the claim is still held");
}

pub async fn a_dead_claim_is_taken_over_after_its_lease(fixture: &dyn Fixture) {
    let first = hold(fixture, now()).await;
    let almost = now().plus(CLAIM_LEASE.saturating_sub(Duration::from_secs(1)));
    assert!(matches!(claim(fixture, almost).await, Claim::Running));
    let second = hold(fixture, now().plus(CLAIM_LEASE)).await;
    assert_ne!(first, second);
    assert!(matches!(claim(fixture, now().plus(CLAIM_LEASE)).await, Claim::Running));
}

pub async fn an_overtaken_run_keeps_no_reply(fixture: &dyn Fixture) {
    let stale = hold(fixture, now()).await;
    let fence = hold(fixture, now().plus(CLAIM_LEASE)).await;
    let refused = keep(fixture, stale).await;
    assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
    assert!(matches!(claim(fixture, now().plus(CLAIM_LEASE)).await, Claim::Running));
    keep(fixture, fence).await.expect("the run that took over keeps its reply");
}

pub async fn a_released_key_can_be_claimed_at_once(fixture: &dyn Fixture) {
    let fence = hold(fixture, now()).await;
    fixture.store().release(&key(1), fence).await.expect("release");
    hold(fixture, now()).await;
}

pub async fn only_the_holder_releases(fixture: &dyn Fixture) {
    let stale = hold(fixture, now()).await;
    let later = now().plus(CLAIM_LEASE);
    let fence = hold(fixture, later).await;
    fixture.store().release(&key(1), stale).await.expect("release");
    assert!(matches!(claim(fixture, later).await, Claim::Running));
    keep(fixture, fence).await.expect("keep");
    fixture.store().release(&key(1), fence).await.expect("release");
    assert!(matches!(claim(fixture, later).await, Claim::Done(_)), "a kept reply is not released");
}

pub async fn a_reply_is_kept_for_a_day(fixture: &dyn Fixture) {
    let fence = hold(fixture, now()).await;
    keep(fixture, fence).await.expect("keep");
    let almost = now().plus(KEPT_FOR.saturating_sub(Duration::from_secs(1)));
    assert!(matches!(claim(fixture, almost).await, Claim::Done(_)));
    fixture.store().purge(now().plus(Duration::from_secs(1))).await.expect("purge");
    hold(fixture, now().plus(KEPT_FOR)).await;
}

pub async fn purge_forgets_however_many_there_are(fixture: &dyn Fixture) {
    const MANY: u32 = 1_203;
    for caller in 0..MANY {
        // Some are of one instant.
        let at = now().plus(Duration::from_secs(u64::from(caller / 3)));
        fixture.store().claim(&key(u128::from(caller)), REQUEST, at).await.expect("claim");
    }
    let last = now().plus(Duration::from_secs(u64::from(MANY / 3 - 1)));
    assert_eq!(fixture.store().purge(last).await.expect("purge"), u64::from(MANY - 3));
    assert_eq!(fixture.store().purge(last).await.expect("purge"), 0);
    let kept = fixture.store().claim(&key(u128::from(MANY - 1)), REQUEST, last).await.expect("claim");
    assert!(matches!(kept, Claim::Running), "{kept:?}");
}

pub async fn purge_forgets_what_was_claimed_before(fixture: &dyn Fixture) {
    let fence = hold(fixture, now()).await;
    keep(fixture, fence).await.expect("keep");
    let later = now().plus(Duration::from_secs(10));
    fixture.store().claim(&key(2), REQUEST, later).await.expect("claim");
    assert_eq!(fixture.store().purge(now()).await.expect("purge"), 0);
    assert_eq!(fixture.store().purge(later).await.expect("purge"), 1);
    hold(fixture, later).await;
    let theirs = fixture.store().claim(&key(2), REQUEST, later).await.expect("claim");
    assert!(matches!(theirs, Claim::Running), "{theirs:?}");
}

pub async fn of_many_claims_at_once_one_holds(fixture: &dyn Fixture) {
    let claims = join_all((0..8).map(|_| claim(fixture, now()))).await;
    let held = claims.iter().filter(|claim| matches!(claim, Claim::Held(_))).count();
    assert_eq!(held, 1, "{claims:?}");
}
