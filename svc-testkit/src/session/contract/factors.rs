//! Second factors.

use futures_util::future::join_all;
use svc_auth::session::{SecondFactor, TotpSecret};
use svc_core::error::StoreError;
use svc_core::id::UserId;
use svc_core::resource::Version;

use super::{Fixture, active_person, fingerprint};
use crate::audit::noted;
use crate::business::sample::{at, id};

fn factor(user: UserId, version: i64) -> SecondFactor {
    let number = u8::try_from(version).expect("a small version");
    SecondFactor {
        user,
        secret: TotpSecret::from_stored([number; 20]),
        confirmed_at: Some(at(version)),
        last_step: u64::from(u32::MAX) + u64::from(number),
        recovery: vec![fingerprint(number), fingerprint(200)],
        version: Version::from_i64(version),
    }
}

async fn stored(fixture: Fixture<'_>, user: UserId) -> Option<SecondFactor> {
    fixture.session_storage().factors().factor_of(user).await.expect("read")
}

async fn put(fixture: Fixture<'_>, before: Option<Version>, after: &SecondFactor) -> Result<(), StoreError> {
    let unit = fixture.session_storage().begin().await.expect("a unit");
    unit.factors().put_factor(before, after).await?;
    noted(&*unit, id(1)).await?;
    unit.commit().await
}

async fn used(fixture: Fixture<'_>, before: Version, after: &SecondFactor) -> Result<(), StoreError> {
    let unit = fixture.session_storage().begin().await.expect("a unit");
    unit.factors().use_factor(before, after).await?;
    unit.commit().await
}

#[track_caller]
fn assert_conflict(outcome: &Result<(), StoreError>) {
    assert!(matches!(outcome, Err(StoreError::Conflict)), "expected a conflict, not {outcome:?}");
}

/// With everything, and with nothing.
pub async fn a_second_factor_is_put_once_and_comes_back_whole(fixture: Fixture<'_>) {
    let (ana, bob) = (active_person(fixture, 1).await, active_person(fixture, 2).await);
    let bare = SecondFactor { confirmed_at: None, last_step: 0, recovery: Vec::new(), ..factor(bob, 1) };
    for one in [factor(ana, 1), bare] {
        assert_eq!(stored(fixture, one.user).await, None);
        put(fixture, None, &one).await.expect("put");
        assert_eq!(stored(fixture, one.user).await, Some(one.clone()));
        assert_conflict(&put(fixture, None, &factor(one.user, 2)).await);
        assert_eq!(stored(fixture, one.user).await, Some(one));
    }
}

/// And that of no other person.
pub async fn a_second_factor_is_replaced_at_its_version_alone(fixture: Fixture<'_>) {
    let (ana, bob) = (active_person(fixture, 1).await, active_person(fixture, 2).await);
    put(fixture, None, &factor(ana, 1)).await.expect("put");
    put(fixture, None, &factor(bob, 1)).await.expect("put");
    assert_conflict(&put(fixture, Some(Version::from_i64(3)), &factor(ana, 4)).await);
    put(fixture, Some(Version::from_i64(1)), &factor(ana, 2)).await.expect("replaced");
    assert_eq!(stored(fixture, ana).await, Some(factor(ana, 2)));
    assert_eq!(stored(fixture, bob).await, Some(factor(bob, 1)));
}

/// What turns it on or off is written down; what uses it is not.
pub async fn a_second_factor_is_used_without_an_audit_entry_and_changed_with_one(fixture: Fixture<'_>) {
    let ana = active_person(fixture, 1).await;
    let bare = async |before: Option<Version>, after: &SecondFactor| {
        let unit = fixture.session_storage().begin().await.expect("a unit");
        unit.factors().put_factor(before, after).await?;
        unit.commit().await
    };
    let off = SecondFactor { confirmed_at: None, ..factor(ana, 1) };
    bare(None, &off).await.expect("what is not on yet owes nothing");
    assert!(bare(Some(off.version), &factor(ana, 2)).await.is_err());
    put(fixture, Some(off.version), &factor(ana, 2)).await.expect("with an entry");
    used(fixture, Version::from_i64(2), &factor(ana, 3)).await.expect("a use owes nothing");
    assert_conflict(&used(fixture, Version::from_i64(2), &factor(ana, 3)).await);
    let unit = fixture.session_storage().begin().await.expect("a unit");
    unit.factors().remove_factor(ana, Version::from_i64(3)).await.expect("removed");
    assert!(unit.commit().await.is_err(), "without an entry");
    assert_eq!(stored(fixture, ana).await, Some(factor(ana, 3)));
}

/// At its version alone, and a new one may be put.
pub async fn a_second_factor_that_was_removed_is_gone(fixture: Fixture<'_>) {
    let ana = active_person(fixture, 1).await;
    put(fixture, None, &factor(ana, 1)).await.expect("put");
    let removed = async |version: i64| {
        let unit = fixture.session_storage().begin().await.expect("a unit");
        unit.factors().remove_factor(ana, Version::from_i64(version)).await?;
        noted(&*unit, id(1)).await?;
        unit.commit().await
    };
    assert_conflict(&removed(2).await);
    assert_eq!(stored(fixture, ana).await, Some(factor(ana, 1)));
    removed(1).await.expect("removed");
    assert_eq!(stored(fixture, ana).await, None);
    put(fixture, None, &factor(ana, 1)).await.expect("put again");
}

/// Both read it first, as who checks a code does.
pub async fn of_two_uses_of_one_code_one_counts(fixture: Fixture<'_>) {
    let ana = active_person(fixture, 1).await;
    put(fixture, None, &factor(ana, 1)).await.expect("put");
    let use_once = async || {
        let unit = fixture.session_storage().begin().await.expect("a unit");
        let before = unit.factors().factor_of(ana).await?.expect("one");
        if before.version != Version::from_i64(1) {
            return Err(StoreError::Conflict);
        }
        unit.factors().use_factor(before.version, &factor(ana, 2)).await?;
        unit.commit().await
    };
    let outcomes = join_all((0..4).map(|_| use_once())).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
    assert_eq!(stored(fixture, ana).await, Some(factor(ana, 2)));
}
