//! Links that reset passwords.

use svc_auth::session::PasswordReset;
use svc_core::id::UserId;

use super::{Fixture, active_person, fingerprint};
use crate::business::sample::at;

fn link(user: UserId, number: u8, seconds: i64) -> PasswordReset {
    PasswordReset { user, fingerprint: fingerprint(number), expires_at: at(seconds) }
}

async fn put(fixture: Fixture<'_>, reset: &PasswordReset) {
    let unit = fixture.session_storage().begin().await.expect("a unit");
    unit.resets().put_reset(reset).await.expect("put");
    unit.commit().await.expect("committed");
}

async fn found(fixture: Fixture<'_>, numbers: &[u8]) -> Option<PasswordReset> {
    let candidates: Vec<_> = numbers.iter().copied().map(fingerprint).collect();
    fixture.session_storage().resets().find_reset(&candidates).await.expect("read")
}

/// A person has one link at most.
pub async fn a_link_is_found_among_candidates_and_the_next_one_takes_its_place(fixture: Fixture<'_>) {
    let (ana, bob) = (active_person(fixture, 1).await, active_person(fixture, 2).await);
    let (first, next, other) = (link(ana, 1, 60), link(ana, 2, 90), link(bob, 3, 60));
    put(fixture, &first).await;
    put(fixture, &other).await;
    assert_eq!(found(fixture, &[9, 1]).await, Some(first));
    assert_eq!(found(fixture, &[9]).await, None);
    put(fixture, &next).await;
    assert_eq!(found(fixture, &[1]).await, None, "the earlier one died");
    assert_eq!(found(fixture, &[2]).await, Some(next));
    assert_eq!(found(fixture, &[3]).await, Some(other));
}

/// And what a unit did not commit stays.
pub async fn a_link_goes_with_its_person_and_dead_ones_are_purged(fixture: Fixture<'_>) {
    let people = [active_person(fixture, 1).await, active_person(fixture, 2).await];
    let [ana, bob] = people;
    for reset in [link(ana, 1, 60), link(bob, 2, 90)] {
        put(fixture, &reset).await;
    }
    let unit = fixture.session_storage().begin().await.expect("a unit");
    unit.resets().delete_reset_of(ana).await.expect("deleted");
    drop(unit);
    assert_eq!(found(fixture, &[1]).await, Some(link(ana, 1, 60)));
    let unit = fixture.session_storage().begin().await.expect("a unit");
    unit.resets().delete_reset_of(ana).await.expect("deleted");
    unit.resets().delete_reset_of(ana).await.expect("gone already");
    unit.commit().await.expect("committed");
    assert_eq!(found(fixture, &[1]).await, None);
    let purged = async |seconds| {
        let unit = fixture.session_storage().begin().await.expect("a unit");
        let purged = unit.resets().purge_resets(at(seconds)).await.expect("purged");
        unit.commit().await.expect("committed");
        purged
    };
    assert_eq!((purged(89).await, found(fixture, &[2]).await), (0, Some(link(bob, 2, 90))));
    assert_eq!((purged(90).await, found(fixture, &[2]).await), (1, None));
}
