//! Units of work on tokens.

use svc_auth::ports::Use;

use super::{TokenFixture, at, every, find, insert, known, replace, touch, version};
use crate::audit::{assert_unwritten, noted};
use crate::auth::token;

/// Dropping is rolling back.
pub async fn a_dropped_unit_leaves_nothing_behind(fixture: &impl TokenFixture) {
    let world = known(fixture).await;
    let first = token(1, world.ada, world.acme);
    insert(fixture.storage(), &first).await;
    let before = version(fixture.storage()).await;
    let unit = fixture.storage().begin().await.expect("a unit");
    unit.tokens().insert(&token(2, world.ada, world.acme)).await.expect("inserted");
    let off = first.clone().disable(at(2)).expect("active");
    unit.tokens().replace(first.version, &off).await.expect("replaced");
    unit.tokens().touch(&[Use { token: first.id, at: at(3), from: None }]).await.expect("touched");
    noted(&*unit, world.acme).await.expect("noted");
    drop(unit);
    assert_eq!(every(fixture).await, [first]);
    assert_eq!(version(fixture.storage()).await, before);
}

/// And no other unit does before it commits.
pub async fn a_unit_reads_what_it_wrote(fixture: &impl TokenFixture) {
    let world = known(fixture).await;
    let token = token(1, world.ada, world.acme);
    let unit = fixture.storage().begin().await.expect("a unit");
    unit.tokens().insert(&token).await.expect("inserted");
    assert_eq!(unit.tokens().find(token.id).await.expect("read"), Some(token.clone()));
    assert_eq!(fixture.storage().tokens().find(token.id).await.expect("read"), None);
    noted(&*unit, world.acme).await.expect("noted");
    unit.commit().await.expect("committed");
    assert_eq!(find(fixture.storage(), token.id).await, token);
}

/// A credential would have changed, and the log would be silent about it. A use owes no entry.
pub async fn a_change_without_its_audit_entry_does_not_commit(fixture: &impl TokenFixture) {
    let world = known(fixture).await;
    let first = token(1, world.ada, world.acme);
    insert(fixture.storage(), &first).await;
    let before = version(fixture.storage()).await;

    let unit = fixture.storage().begin().await.expect("a unit");
    unit.tokens().insert(&token(2, world.ada, world.acme)).await.expect("inserted");
    assert_unwritten(&unit.commit().await);
    let unit = fixture.storage().begin().await.expect("a unit");
    let off = first.clone().disable(at(2)).expect("active");
    unit.tokens().replace(first.version, &off).await.expect("replaced");
    assert_unwritten(&unit.commit().await);

    assert_eq!(every(fixture).await, std::slice::from_ref(&first));
    assert_eq!(version(fixture.storage()).await, before);
    touch(fixture.storage(), &[Use { token: first.id, at: at(3), from: None }]).await;
    replace(fixture.storage(), first.version, &off).await.expect("with an entry it commits");
}
