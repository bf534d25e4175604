//! Failed attempts to sign in.

use futures_util::future::{join, join_all};
use svc_auth::ports::{Failures, SignInAttempts, ThrottleKey};
use svc_core::clock::Timestamp;

use super::{Fixture, second};

const fn key(number: u8) -> ThrottleKey {
    ThrottleKey([number; 32])
}

const fn failures(count: u32, last_at: Timestamp) -> Failures {
    Failures { count, last_at }
}

async fn counts(attempts: &dyn SignInAttempts, keys: &[ThrottleKey]) -> Vec<u32> {
    attempts.failures(keys).await.expect("read").iter().map(|failures| failures.count).collect()
}

/// Each key for itself; reading counts nothing.
pub async fn a_charge_answers_what_was_there_before(fixture: Fixture<'_>) {
    let attempts = fixture.session_storage().attempts();
    let charge = async |keys: &[ThrottleKey], now: Timestamp| {
        attempts.charge(keys, second(0), now).await.expect("charged")
    };
    let before = charge(&[key(1), key(2)], second(10)).await;
    assert_eq!(before.iter().map(|failures| failures.count).collect::<Vec<_>>(), [0, 0]);
    let before = charge(&[key(1)], second(20)).await;
    assert_eq!(before, [failures(1, second(10))]);
    let before = charge(&[key(2), key(1)], second(30)).await;
    assert_eq!(before, [failures(1, second(10)), failures(2, second(20))]);
    assert_eq!(charge(&[], second(40)).await, []);
    for _ in 0..2 {
        let now = attempts.failures(&[key(1), key(2)]).await.expect("read");
        assert_eq!(now, [failures(3, second(30)), failures(2, second(30))]);
    }
}

/// To the instant; what is answered is still what was there.
pub async fn a_key_that_failed_long_ago_starts_again(fixture: Fixture<'_>) {
    let attempts = fixture.session_storage().attempts();
    for number in 1..=3 {
        attempts.charge(&[key(1), key(2)], second(0), second(number)).await.expect("charged");
    }
    attempts.charge(&[key(2)], second(0), second(4)).await.expect("charged");
    let before = attempts.charge(&[key(1), key(2)], second(4), second(60)).await.expect("charged");
    assert_eq!(before, [failures(3, second(3)), failures(4, second(4))]);
    let after = attempts.failures(&[key(1), key(2)]).await.expect("read");
    assert_eq!(after, [failures(1, second(60)), failures(5, second(60))]);
}

/// None is a count of 0, wherever it stands.
pub async fn failures_come_in_the_order_of_the_keys(fixture: Fixture<'_>) {
    let attempts = fixture.session_storage().attempts();
    for number in 1..=5 {
        let keys: Vec<_> = (number..=5).map(key).collect();
        attempts.charge(&keys, second(0), second(1)).await.expect("charged");
    }
    let keys = [9, 5, 1, 8, 3, 4, 2, 7].map(key);
    assert_eq!(counts(attempts, &keys).await, [0, 5, 1, 0, 3, 4, 2, 0]);
    assert_eq!(attempts.failures(&[]).await.expect("read"), []);
}

/// Down to none, with other charges meanwhile too.
pub async fn a_charge_that_was_given_back_does_not_count(fixture: Fixture<'_>) {
    let attempts = fixture.session_storage().attempts();
    let keys = [key(1), key(2)];
    for number in 1..=3 {
        attempts.charge(&keys, second(0), second(number)).await.expect("charged");
    }
    attempts.give_back(&[key(1), key(9)]).await.expect("given back");
    attempts.give_back(&[]).await.expect("given back");
    assert_eq!(counts(attempts, &[key(1), key(2), key(9)]).await, [2, 3, 0]);
    for _ in 0..3 {
        attempts.give_back(&[key(1)]).await.expect("given back");
    }
    assert_eq!(counts(attempts, &keys).await, [0, 3]);

    let pass = async || {
        attempts.charge(&keys, second(0), second(4)).await?;
        attempts.give_back(&keys).await
    };
    let fail = async || attempts.charge(&keys, second(0), second(4)).await.map(|_| ());
    let (passed, failed) = join(join_all((0..8).map(|_| pass())), join_all((0..8).map(|_| fail()))).await;
    assert!(passed.iter().chain(&failed).all(Result::is_ok), "{passed:?} {failed:?}");
    assert_eq!(counts(attempts, &keys).await, [8, 11]);
}

/// A success clears the person, not the address.
pub async fn cleared_keys_start_again_and_others_do_not(fixture: Fixture<'_>) {
    let attempts = fixture.session_storage().attempts();
    let keys = [key(1), key(2), key(3)];
    for number in 1..=2 {
        attempts.charge(&keys, second(0), second(number)).await.expect("charged");
    }
    attempts.clear(&[key(1), key(3), key(9)]).await.expect("cleared");
    assert_eq!(counts(attempts, &keys).await, [0, 2, 0]);
    attempts.clear(&[]).await.expect("cleared");
    attempts.charge(&keys, second(0), second(3)).await.expect("charged");
    assert_eq!(counts(attempts, &keys).await, [1, 3, 1]);
}

/// To the instant.
pub async fn old_failures_are_purged(fixture: Fixture<'_>) {
    let attempts = fixture.session_storage().attempts();
    for (number, last_at) in [(1, 10), (2, 19), (3, 20), (4, 21)] {
        attempts.charge(&[key(number)], second(0), second(last_at)).await.expect("charged");
    }
    assert_eq!(attempts.purge(second(20)).await.expect("purged"), 2);
    assert_eq!(counts(attempts, &[1, 2, 3, 4].map(key)).await, [0, 0, 1, 1]);
    assert_eq!(attempts.purge(second(20)).await.expect("purged"), 0);
}

/// They name the keys in any order; no two are told the same count.
pub async fn charges_at_once_lose_no_count(fixture: Fixture<'_>) {
    let attempts = fixture.session_storage().attempts();
    let orders = [[key(1), key(2)], [key(2), key(1)]];
    let charges =
        (0..20).zip(orders.iter().cycle()).map(|(_, keys)| attempts.charge(keys, second(0), second(1)));
    let outcomes = join_all(charges).await;
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    assert_eq!(counts(attempts, &[key(1), key(2)]).await, [20, 20]);
    let mut told: [Vec<u32>; 2] = Default::default();
    for (place, outcome) in outcomes.into_iter().enumerate() {
        let mut before: Vec<_> = outcome.expect("checked above").iter().map(|one| one.count).collect();
        if place % 2 == 1 {
            before.reverse();
        }
        told.iter_mut().zip(before).for_each(|(told, count)| told.push(count));
    }
    for mut counts in told {
        counts.sort_unstable();
        assert_eq!(counts, (0..20).collect::<Vec<_>>());
    }
}
