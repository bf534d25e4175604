//! Tokens as they are replaced.

use svc_auth::ip::AllowedIps;
use svc_auth::token::{Fingerprint, Lifecycle, Token};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::permission::Grants;

use super::{TokenFixture, at, find, insert, known, replace, rich};
use crate::auth::token;

/// A replace stores every member that a change may touch.
pub async fn a_replaced_token_is_found_as_it_became(fixture: &impl TokenFixture) {
    let world = known(fixture).await;
    let before = rich(&world);
    insert(fixture.storage(), &before).await;
    let after = Token {
        name: "Ñandú 🧾".into(),
        grants: Grants::parse(["*:*.read"]).expect("valid"),
        allowed_ips: AllowedIps::parse(["::1"]).expect("valid"),
        personal_data: false,
        prefix: "svc_live_new".into(),
        fingerprint: Fingerprint { pepper: 2, digest: [5; 32] },
        lifecycle: Lifecycle::Revoked { at: Timestamp::from_unix_micros(1_738_400_000_000_001) },
        version: before.version.next(),
        ..before.clone()
    };
    replace(fixture.storage(), before.version, &after).await.expect("replaced");
    assert_eq!(find(fixture.storage(), after.id).await, after);
    let old = fixture.storage().tokens().find_by_fingerprint(&[before.fingerprint]).await;
    assert_eq!(old.expect("read"), None);
}

/// Also when the token does not exist.
pub async fn a_stale_replace_is_a_conflict(fixture: &impl TokenFixture) {
    let world = known(fixture).await;
    let first = token(1, world.ada, world.acme);
    insert(fixture.storage(), &first).await;
    let second = Token { version: first.version.next(), ..first.clone() };
    for (before, after) in
        [(second.version, second.clone()), (first.version, token(2, world.ada, world.acme))]
    {
        let outcome = replace(fixture.storage(), before, &after).await;
        assert!(matches!(outcome, Err(StoreError::Conflict)), "{outcome:?}");
    }
    assert_eq!(find(fixture.storage(), first.id).await, first);
}

/// The one that lost leaves nothing behind.
pub async fn the_later_of_two_units_on_one_token_conflicts(fixture: &impl TokenFixture) {
    let world = known(fixture).await;
    let first = token(1, world.ada, world.acme);
    insert(fixture.storage(), &first).await;
    let off = first.clone().disable(at(2)).expect("active");
    let gone = first.clone().revoke(at(2)).expect("active");
    // Read by both before either writes.
    for (after, wins) in [(&off, true), (&gone, false)] {
        let outcome = replace(fixture.storage(), first.version, after).await;
        assert!(
            if wins { outcome.is_ok() } else { matches!(outcome, Err(StoreError::Conflict)) },
            "{outcome:?}"
        );
    }
    assert_eq!(find(fixture.storage(), first.id).await, off);
}
