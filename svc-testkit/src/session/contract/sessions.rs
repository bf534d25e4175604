//! Sessions.

use svc_auth::session::Session;
use svc_auth::token::Fingerprint;
use svc_core::error::StoreError;
use svc_core::id::SessionId;

use super::{Fixture, active_person, find, fingerprint, insert, session, stored};
use crate::business::sample::{at, id};

/// Expired or not, and from wherever.
pub async fn a_session_is_found_as_it_was_inserted(fixture: Fixture<'_>) {
    let user = active_person(fixture, 1).await;
    let one = session(1, user);
    let sessions = [
        Session { from: "203.0.113.7".parse().ok(), ..session(2, user) },
        Session { from: None, device: None, expires_at: at(-1), ..session(3, user) },
        one,
    ];
    insert(fixture, &sessions).await;
    for session in sessions {
        assert_eq!(find(fixture, &session).await, Some(session));
    }
}

/// Any of the candidates is enough, and the pepper counts as much as the digest.
pub async fn a_session_is_found_among_candidates(fixture: Fixture<'_>) {
    let user = active_person(fixture, 1).await;
    let sessions = [1, 2].map(|number| session(number, user));
    insert(fixture, &sessions).await;
    let [_, second] = sessions;
    let reader = fixture.session_storage().sessions();
    let candidates = [fingerprint(9), second.fingerprint];
    assert_eq!(reader.find_by_fingerprint(&candidates).await.expect("read"), Some(second.clone()));
    let other_pepper = Fingerprint { pepper: 7, ..second.fingerprint };
    assert_eq!(reader.find_by_fingerprint(&[other_pepper]).await.expect("read"), None);
    assert_eq!(reader.find_by_fingerprint(&[]).await.expect("read"), None);
}

/// Inserts a session and commits, whatever comes of it.
async fn inserted(fixture: Fixture<'_>, session: &Session) -> Result<(), StoreError> {
    let unit = fixture.session_storage().begin().await.expect("a unit");
    unit.sessions().insert(session).await?;
    unit.commit().await
}

/// Two sessions never share an id.
pub async fn an_id_belongs_to_one_session(fixture: Fixture<'_>) {
    let user = active_person(fixture, 1).await;
    let first = session(1, user);
    insert(fixture, std::slice::from_ref(&first)).await;
    let twin = Session { id: first.id, ..session(2, user) };
    let outcome = inserted(fixture, &twin).await;
    assert!(matches!(outcome, Err(StoreError::Taken { field: "id" })), "{outcome:?}");
    assert_eq!(find(fixture, &first).await, Some(first));
}

/// Two sessions never share a value.
pub async fn a_fingerprint_belongs_to_one_session(fixture: Fixture<'_>) {
    let user = active_person(fixture, 1).await;
    let first = session(1, user);
    insert(fixture, std::slice::from_ref(&first)).await;
    let twin = Session { fingerprint: first.fingerprint, ..session(2, user) };
    let outcome = inserted(fixture, &twin).await;
    assert!(matches!(outcome, Err(StoreError::Taken { field: "fingerprint" })), "{outcome:?}");
    assert_eq!(find(fixture, &first).await, Some(first));
}

/// The touches arrive in any order.
pub async fn a_touch_is_kept_and_never_goes_back(fixture: Fixture<'_>) {
    let user = active_person(fixture, 1).await;
    let sessions = [1, 2].map(|number| session(number, user));
    insert(fixture, &sessions).await;
    let [touched, other] = sessions;
    for (instant, expected) in [(at(120), at(120)), (at(90), at(120)), (at(0), at(120)), (at(121), at(121))] {
        let unit = fixture.session_storage().begin().await.expect("a unit");
        unit.sessions().touch(touched.id, instant).await.expect("touched");
        unit.commit().await.expect("committed");
        let expected = Session { last_used_at: expected, ..touched.clone() };
        assert_eq!(find(fixture, &touched).await, Some(expected));
    }
    assert_eq!(find(fixture, &other).await, Some(other));
}

/// A touch brings nothing back, and ending it again is no error.
pub async fn a_session_that_is_gone_stays_gone(fixture: Fixture<'_>) {
    let user = active_person(fixture, 1).await;
    let sessions = [1, 2].map(|number| session(number, user));
    insert(fixture, &sessions).await;
    let [gone, kept] = sessions;
    for _ in 0..2 {
        let unit = fixture.session_storage().begin().await.expect("a unit");
        unit.sessions().delete(gone.id).await.expect("ended");
        unit.sessions().touch(gone.id, at(99)).await.expect("no error");
        unit.commit().await.expect("committed");
        assert_eq!(find(fixture, &gone).await, None);
        assert_eq!(find(fixture, &kept).await.as_ref(), Some(&kept));
    }
}

/// Those of one person, at most as many as were asked for, expired ones included, and none that awaits a code.
pub async fn sessions_of_a_person_come_youngest_first(fixture: Fixture<'_>) {
    let (ana, bob) = (active_person(fixture, 1).await, active_person(fixture, 2).await);
    let made = |number, created_at| Session { created_at, ..session(number, ana) };
    let sessions = [
        made(1, at(7)),
        made(2, at(9)),
        made(3, at(7)),
        Session { expires_at: at(-1), ..made(4, at(1)) },
        session(5, bob),
        Session { awaits_code: true, ..made(6, at(9)) },
    ];
    insert(fixture, &sessions).await;
    let [first, second, third, expired, of_bob, _] = sessions;
    let reader = fixture.session_storage().sessions();
    let youngest = vec![second, third, first];
    assert_eq!(reader.of(ana, 3).await.expect("read"), youngest);
    assert_eq!(reader.of(ana, 9).await.expect("read"), [youngest, vec![expired]].concat());
    assert_eq!(reader.of(bob, 9).await.expect("read"), [of_bob]);
    assert_eq!(reader.of(id(3), 9).await.expect("read"), []);
}

/// The session of another person goes on.
pub async fn a_session_ends_for_its_own_person_alone(fixture: Fixture<'_>) {
    let (ana, bob) = (active_person(fixture, 1).await, active_person(fixture, 2).await);
    let sessions = [session(1, ana), session(2, ana), session(3, bob)];
    insert(fixture, &sessions).await;
    for (number, ends) in [(3, false), (2, true), (2, false), (9, false)] {
        let unit = fixture.session_storage().begin().await.expect("a unit");
        assert_eq!(unit.sessions().delete_one_of(ana, id(number)).await.expect("asked"), ends, "{number}");
        unit.commit().await.expect("committed");
    }
    assert_eq!(stored(fixture, &sessions).await, [id(1), id(3)]);
}

async fn delete_of(fixture: Fixture<'_>, user: u128, except: Option<SessionId>) -> u64 {
    let unit = fixture.session_storage().begin().await.expect("a unit");
    let ended = unit.sessions().delete_of(id(user), except).await.expect("ended");
    unit.commit().await.expect("committed");
    ended
}

/// Sessions of other people go on.
pub async fn all_sessions_of_a_person_end_but_one(fixture: Fixture<'_>) {
    let (ana, bob) = (active_person(fixture, 1).await, active_person(fixture, 2).await);
    let sessions = [session(1, ana), session(2, ana), session(3, ana), session(4, bob)];
    insert(fixture, &sessions).await;
    let ids = |numbers: &[u128]| -> Vec<SessionId> { numbers.iter().map(|number| id(*number)).collect() };
    assert_eq!(delete_of(fixture, 1, Some(id(2))).await, 2);
    assert_eq!(stored(fixture, &sessions).await, ids(&[2, 4]));
    assert_eq!(delete_of(fixture, 1, Some(id(2))).await, 0);
    // The session of another person is no exception that counts.
    assert_eq!(delete_of(fixture, 1, Some(id(4))).await, 1);
    assert_eq!(stored(fixture, &sessions).await, ids(&[4]));
    assert_eq!(delete_of(fixture, 2, None).await, 1);
    assert_eq!(stored(fixture, &sessions).await, []);
}

/// To the instant: last used before one, or expired by the other.
pub async fn idle_and_expired_sessions_are_purged(fixture: Fixture<'_>) {
    let user = active_person(fixture, 1).await;
    let (idle_since, now) = (at(1_000), at(2_000));
    let made =
        |number, last_used_at, expires_at| Session { last_used_at, expires_at, ..session(number, user) };
    let sessions = [
        made(1, at(999), at(9_999)),
        made(2, at(1_000), at(9_999)),
        made(3, at(1_999), at(2_000)),
        made(4, at(1_999), at(2_001)),
        made(5, at(0), at(1)),
    ];
    insert(fixture, &sessions).await;
    let purge = async || {
        let unit = fixture.session_storage().begin().await.expect("a unit");
        let ended = unit.sessions().purge(idle_since, now).await.expect("purged");
        unit.commit().await.expect("committed");
        ended
    };
    assert_eq!(purge().await, 3);
    assert_eq!(stored(fixture, &sessions).await, [id(2), id(4)]);
    assert_eq!(purge().await, 0);
}
