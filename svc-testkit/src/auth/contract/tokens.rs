//! Tokens as they are found and listed.

use svc_auth::token::{Connection, ConnectionRole, Fingerprint, Token};
use svc_core::error::StoreError;

use super::{TokenFixture, every, find, insert, known, of, rich};
use crate::audit::noted;
use crate::auth::token;
use crate::business::sample::{at, id};
use crate::webhooks::sample::scope;

/// Every member survives the store.
pub async fn a_token_is_found_as_it_was_inserted(fixture: &impl TokenFixture) {
    let world = known(fixture).await;
    let group = id(21);
    fixture.know_group(group).await;
    let token = Token { groups: [group].into(), ..rich(&world) };
    insert(fixture.storage(), &token).await;
    assert_eq!(find(fixture.storage(), token.id).await, token);
}

/// So do those of a connection.
pub async fn a_connection_is_found_with_its_client_and_role(fixture: &impl TokenFixture) {
    let world = known(fixture).await;
    let clients = ["https://app.example/client.json", "ocl_00000000000000000000000007"].into_iter().cycle();
    for ((number, role), client) in (1..).zip(ConnectionRole::ALL).zip(clients) {
        let client = client.parse().expect("a client");
        let connection = Some(Connection { client, role });
        let token = Token { connection, grants: role.grants(), ..token(number, world.ada, world.acme) };
        insert(fixture.storage(), &token).await;
        assert_eq!(find(fixture.storage(), token.id).await, token);
    }
    let listed: Vec<_> = every(fixture).await.into_iter().map(|token| token.connection).collect();
    assert!(listed.len() == 3 && listed.iter().all(Option::is_some), "{listed:?}");
}

/// Those that a person made and that go on, and no token.
pub async fn connections_of_a_person_come_youngest_first(fixture: &impl TokenFixture) {
    let world = known(fixture).await;
    fixture.know_person(id(2)).await;
    let made = |number, person| {
        let client = "https://app.example/client.json".parse().expect("a client");
        let connection = Some(Connection { client, role: ConnectionRole::ReadOnly });
        Token { connection, grants: ConnectionRole::ReadOnly.grants(), ..token(number, person, world.acme) }
    };
    let (early, late) = (made(1, world.ada), made(3, world.ada));
    let revoked = made(4, world.ada).revoke(at(9)).expect("revoked");
    let others = [revoked, made(5, id(2)), token(6, world.ada, world.acme)];
    for token in [&late, &early].into_iter().chain(&others) {
        insert(fixture.storage(), token).await;
    }
    let tokens = fixture.storage().tokens();
    assert_eq!(tokens.connections_of(world.ada, 9).await.expect("read"), [late.clone(), early]);
    assert_eq!(tokens.connections_of(world.ada, 1).await.expect("read"), [late]);
    assert_eq!(tokens.connections_of(id(404), 9).await.expect("read"), []);
}

/// Absent is `None`, not an error.
pub async fn an_unknown_token_is_absent(fixture: &impl TokenFixture) {
    let tokens = fixture.storage().tokens();
    assert_eq!(tokens.find(id(404)).await.expect("read"), None);
    let unknown = Fingerprint { pepper: 1, digest: [4; 32] };
    assert_eq!(tokens.find_by_fingerprint(&[unknown]).await.expect("read"), None);
    assert_eq!(tokens.find_by_fingerprint(&[]).await.expect("read"), None);
}

/// Any of the candidates is enough, and the pepper counts as much as the digest.
pub async fn a_fingerprint_is_found_among_candidates(fixture: &impl TokenFixture) {
    let world = known(fixture).await;
    let [first, second] = [1, 2].map(|number| token(number, world.ada, world.acme));
    insert(fixture.storage(), &first).await;
    insert(fixture.storage(), &second).await;
    let tokens = fixture.storage().tokens();
    let candidates = [Fingerprint { pepper: 7, digest: [9; 32] }, second.fingerprint];
    assert_eq!(tokens.find_by_fingerprint(&candidates).await.expect("read"), Some(second.clone()));
    let other_pepper = Fingerprint { pepper: 7, ..second.fingerprint };
    assert_eq!(tokens.find_by_fingerprint(&[other_pepper]).await.expect("read"), None);
}

/// Two tokens never share a value.
pub async fn a_fingerprint_is_unique(fixture: &impl TokenFixture) {
    let world = known(fixture).await;
    let first = token(1, world.ada, world.acme);
    insert(fixture.storage(), &first).await;
    let second = Token { fingerprint: first.fingerprint, ..token(2, world.ada, world.acme) };
    let unit = fixture.storage().begin().await.expect("a unit");
    let outcome = match unit.tokens().insert(&second).await {
        Ok(()) => {
            noted(&*unit, world.acme).await.expect("noted");
            unit.commit().await
        }
        Err(error) => Err(error),
    };
    assert!(matches!(outcome, Err(StoreError::Taken { field: "fingerprint" })), "{outcome:?}");
    assert_eq!(every(fixture).await, [first]);
}

/// A system scope lists every token.
pub async fn tokens_are_listed_by_primary_account_oldest_first(fixture: &impl TokenFixture) {
    let world = known(fixture).await;
    let [late, early] = [3, 1].map(|number| token(number, world.ada, world.acme));
    let other = Token { companies: [world.acme].into(), ..token(2, world.ada, world.beta) };
    for token in [&late, &early, &other] {
        insert(fixture.storage(), token).await;
    }
    let tokens = fixture.storage().tokens();
    assert_eq!(of(tokens, &scope([world.acme])).await, [early.clone(), late.clone()]);
    assert_eq!(of(tokens, &scope([id(404)])).await, []);
    assert_eq!(every(fixture).await, [early, other, late]);
}
