//! Units of work on sessions and passwords.

use super::{Fixture, active_person, find, insert, password, password_of, put, session, stored};
use crate::audit::{assert_unwritten, noted};
use crate::business::sample::{at, id};

/// With all kinds of changes in it.
pub async fn a_dropped_unit_leaves_no_session_and_no_password(fixture: Fixture<'_>) {
    let user = active_person(fixture, 1).await;
    let [kept, added] = [1, 2].map(|number| session(number, user));
    insert(fixture, std::slice::from_ref(&kept)).await;
    let unit = fixture.session_storage().begin().await.expect("a unit");
    unit.sessions().insert(&added).await.expect("inserted");
    unit.sessions().touch(kept.id, at(99)).await.expect("touched");
    assert_eq!(unit.sessions().delete_of(user, Some(added.id)).await.expect("ended"), 1);
    unit.passwords().put(None, &password(user, 1)).await.expect("put");
    noted(&*unit, id(11)).await.expect("noted");
    drop(unit);
    assert_eq!(find(fixture, &kept).await, Some(kept));
    assert_eq!(find(fixture, &added).await, None);
    assert_eq!(password_of(fixture, user).await, None);
    put(fixture, None, &password(user, 1)).await.expect("the unit holds nothing");
}

/// And no other unit does before it commits.
pub async fn a_unit_of_sessions_reads_what_it_wrote(fixture: Fixture<'_>) {
    let user = active_person(fixture, 1).await;
    let (session, password) = (session(1, user), password(user, 1));
    let unit = fixture.session_storage().begin().await.expect("a unit");
    unit.sessions().insert(&session).await.expect("inserted");
    unit.passwords().put(None, &password).await.expect("put");
    noted(&*unit, id(11)).await.expect("noted");
    let seen = unit.sessions().find_by_fingerprint(&[session.fingerprint]).await;
    assert_eq!(seen.expect("read").as_ref(), Some(&session));
    assert_eq!(unit.passwords().find(user).await.expect("read").as_ref(), Some(&password));
    assert_eq!(unit.people().person(user).await.expect("read").map(|person| person.id), Some(user));
    assert_eq!(find(fixture, &session).await, None);
    assert_eq!(password_of(fixture, user).await, None);
    unit.commit().await.expect("committed");
    assert_eq!(find(fixture, &session).await, Some(session));
    assert_eq!(password_of(fixture, user).await, Some(password));
}

/// A conflict ends no session.
pub async fn a_password_and_the_end_of_sessions_commit_together(fixture: Fixture<'_>) {
    let user = active_person(fixture, 1).await;
    let sessions = [1, 2].map(|number| session(number, user));
    insert(fixture, &sessions).await;
    put(fixture, None, &password(user, 1)).await.expect("put");
    let [first, second] = [password(user, 1), password(user, 2)];
    // Stale: there is a first one already.
    for (before, passes) in [(None, false), (Some(first.version), true)] {
        let unit = fixture.session_storage().begin().await.expect("a unit");
        assert_eq!(unit.sessions().delete_of(user, Some(id(1))).await.expect("ended"), 1);
        let outcome = match unit.passwords().put(before, &second).await {
            Ok(()) => {
                noted(&*unit, id(11)).await.expect("noted");
                unit.commit().await
            }
            Err(error) => Err(error),
        };
        assert_eq!(outcome.is_ok(), passes, "{outcome:?}");
        let left = if passes { vec![id(1)] } else { vec![id(1), id(2)] };
        assert_eq!(stored(fixture, &sessions).await, left);
        let expected = if passes { &second } else { &first };
        assert_eq!(password_of(fixture, user).await.as_ref(), Some(expected));
    }
}

/// Nor does what is done with it. A session owes no entry; telling the log that no company is concerned is enough.
pub async fn a_password_without_its_audit_entry_does_not_commit(fixture: Fixture<'_>) {
    let user = active_person(fixture, 1).await;
    let (session, first, second) = (session(1, user), password(user, 1), password(user, 2));
    let unit = fixture.session_storage().begin().await.expect("a unit");
    unit.sessions().insert(&session).await.expect("inserted");
    unit.passwords().put(None, &first).await.expect("put");
    assert_unwritten(&unit.commit().await);
    assert_eq!(password_of(fixture, user).await, None);
    assert_eq!(find(fixture, &session).await, None);

    insert(fixture, std::slice::from_ref(&session)).await;
    let unit = fixture.session_storage().begin().await.expect("a unit");
    unit.passwords().put(None, &first).await.expect("put");
    unit.audit().append(&[]).await.expect("told");
    unit.commit().await.expect("committed");
    let unit = fixture.session_storage().begin().await.expect("a unit");
    unit.passwords().put(Some(first.version), &second).await.expect("put");
    assert_unwritten(&unit.commit().await);
    assert_eq!(password_of(fixture, user).await, Some(first));
}
