//! Last uses of tokens.

use svc_auth::ports::Use;
use svc_auth::token::Token;

use super::{TokenFixture, at, find, insert, known, replace, touch, version};
use crate::auth::token;
use crate::business::sample::id;

/// Batches arrive in any order; the storage passes over unknown tokens.
pub async fn a_use_is_kept_and_never_goes_back(fixture: &impl TokenFixture) {
    let world = known(fixture).await;
    let token = token(1, world.ada, world.acme);
    insert(fixture.storage(), &token).await;
    let from = "2001:db8::7".parse().ok();
    for (second, from) in [(100, from), (50, None)] {
        let uses = [id(404), token.id].map(|token| Use { token, at: at(second), from });
        touch(fixture.storage(), &uses).await;
    }
    let stored = find(fixture.storage(), token.id).await;
    assert_eq!((stored.last_used_at, stored.last_used_from), (Some(at(100)), from));
}

/// Versions stay, and a replace of a token read before the use keeps the use.
pub async fn a_use_is_no_change_and_no_change_takes_a_use_back(fixture: &impl TokenFixture) {
    let world = known(fixture).await;
    let token = token(1, world.ada, world.acme);
    insert(fixture.storage(), &token).await;
    let before = version(fixture.storage()).await;
    touch(fixture.storage(), &[Use { token: token.id, at: at(9), from: None }]).await;
    assert_eq!(version(fixture.storage()).await, before);

    let off = token.clone().disable(at(10)).expect("active");
    replace(fixture.storage(), token.version, &off).await.expect("the use moved no version");
    assert_eq!(find(fixture.storage(), token.id).await, Token { last_used_at: Some(at(9)), ..off });
}
