//! Passwords.

use futures_util::future::{join, join_all};
use svc_auth::session::Password;
use svc_core::error::StoreError;
use svc_core::resource::Version;

use super::{Fixture, active_person, find, password, password_of, put, session};
use crate::audit::noted;
use crate::business::sample::id;

#[track_caller]
fn assert_conflict(outcome: &Result<(), StoreError>) {
    assert!(matches!(outcome, Err(StoreError::Conflict)), "expected a conflict, not {outcome:?}");
}

/// A second first one would overwrite what another unit has just set.
pub async fn a_first_password_is_put_once(fixture: Fixture<'_>) {
    let user = active_person(fixture, 1).await;
    assert_eq!(password_of(fixture, user).await, None);
    let first = password(user, 1);
    put(fixture, None, &first).await.expect("put");
    assert_eq!(password_of(fixture, user).await, Some(first.clone()));
    assert_conflict(&put(fixture, None, &password(user, 2)).await);
    assert_eq!(password_of(fixture, user).await, Some(first));
}

/// And comes back whole.
pub async fn a_password_is_replaced_at_its_version_alone(fixture: Fixture<'_>) {
    let user = active_person(fixture, 1).await;
    let [first, second, third] = [1, 2, 3].map(|number| password(user, number));
    assert_conflict(&put(fixture, Some(first.version), &second).await);
    assert_eq!(password_of(fixture, user).await, None, "there was none to replace");
    put(fixture, None, &first).await.expect("put");
    put(fixture, Some(first.version), &second).await.expect("replaced");
    assert_eq!(password_of(fixture, user).await, Some(second.clone()));
    assert_conflict(&put(fixture, Some(first.version), &third).await);
    assert_conflict(&put(fixture, Some(third.version), &third).await);
    assert_eq!(password_of(fixture, user).await, Some(second));
}

/// Whether it is their first one or not.
pub async fn of_two_passwords_at_once_one_is_kept(fixture: Fixture<'_>) {
    let user = active_person(fixture, 1).await;
    let mut before: Option<Version> = None;
    for round in 1..=3 {
        let mut rivals = [password(user, round), password(user, round)];
        rivals[1].set_at = rivals[0].set_at.plus(std::time::Duration::from_secs(1));
        let outcomes = join_all(rivals.iter().map(|rival| put(fixture, before, rival))).await;
        let kept: Vec<_> = rivals
            .iter()
            .zip(&outcomes)
            .filter_map(|(rival, outcome)| outcome.is_ok().then_some(rival))
            .collect();
        assert_eq!(kept.len(), 1, "{outcomes:?}");
        assert!(outcomes.iter().any(|outcome| matches!(outcome, Err(StoreError::Conflict))), "{outcomes:?}");
        assert_eq!(password_of(fixture, user).await.as_ref(), kept.first().copied());
        before = Some(Version::from_i64(round));
    }
}

/// No password changes with another one's.
pub async fn each_person_has_a_password_of_their_own(fixture: Fixture<'_>) {
    let (ana, bob) = (active_person(fixture, 1).await, active_person(fixture, 2).await);
    put(fixture, None, &password(ana, 1)).await.expect("put");
    assert_eq!(password_of(fixture, bob).await, None);
    put(fixture, None, &password(bob, 1)).await.expect("put");
    put(fixture, Some(Version::from_i64(1)), &password(bob, 2)).await.expect("replaced");
    assert_eq!(password_of(fixture, ana).await, Some(password(ana, 1)));
    assert_eq!(password_of(fixture, bob).await, Some(password(bob, 2)));
}

/// Neither its version nor its instant moves, no entry is due, and one that is not at the version any more
/// is left alone.
pub async fn a_stronger_hash_is_no_change_of_a_password(fixture: Fixture<'_>) {
    let (ana, bob) = (active_person(fixture, 1).await, active_person(fixture, 2).await);
    let [first, second, strong, late] = [1, 2, 3, 4].map(|number| password(ana, number));
    let upgrade = async |user, version, password: &Password| {
        let unit = fixture.session_storage().begin().await.expect("a unit");
        unit.passwords().upgrade(user, version, &password.hash).await.expect("no error");
        unit.commit().await.expect("committed");
    };
    put(fixture, None, &first).await.expect("put");
    upgrade(ana, first.version, &strong).await;
    let kept = Password { hash: strong.hash, ..first.clone() };
    assert_eq!(password_of(fixture, ana).await, Some(kept));
    put(fixture, Some(first.version), &second).await.expect("replaced");
    upgrade(ana, first.version, &late).await;
    assert_eq!(password_of(fixture, ana).await, Some(second));
    upgrade(bob, first.version, &late).await;
    assert_eq!(password_of(fixture, bob).await, None);
}

/// A person who signs in with the old password while it changes, which ends all sessions, has no session
/// afterwards.
pub async fn a_password_that_a_unit_read_does_not_change_before_it_ends(fixture: Fixture<'_>) {
    for round in 1..=8_u8 {
        let user = active_person(fixture, u128::from(round)).await;
        let (old, new, session) = (password(user, 1), password(user, 2), session(round, user));
        put(fixture, None, &old).await.expect("put");
        let has_read = tokio::sync::Notify::new();
        let sign_in = async {
            let unit = fixture.session_storage().begin().await.expect("a unit");
            assert_eq!(unit.passwords().find(user).await.expect("read").as_ref(), Some(&old));
            has_read.notify_one();
            pauses(4 * u32::from(round - 1)).await;
            unit.sessions().insert(&session).await?;
            unit.commit().await
        };
        let change = async {
            has_read.notified().await;
            let unit = fixture.session_storage().begin().await?;
            unit.passwords().put(Some(old.version), &new).await?;
            unit.sessions().delete_of(user, None).await?;
            noted(&*unit, id(11)).await?;
            unit.commit().await
        };
        let (signed_in, changed) = join(sign_in, change).await;
        for outcome in [&signed_in, &changed] {
            assert!(
                matches!(outcome, Ok(()) | Err(StoreError::Conflict | StoreError::Busy | StoreError::Undone)),
                "{outcome:?}"
            );
        }
        assert!(signed_in.is_ok() || changed.is_ok(), "one of them passes");
        let expected = if changed.is_ok() { None } else { Some(session.clone()) };
        assert_eq!(find(fixture, &session).await, expected, "round {round}: {signed_in:?}, {changed:?}");
    }
}

/// Lets others go first, so many times.
async fn pauses(count: u32) {
    for _ in 0..count {
        tokio::task::yield_now().await;
    }
}
