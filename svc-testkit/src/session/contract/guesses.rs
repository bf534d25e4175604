//! Guessing passwords: the protocol of `svc_auth::session` on this storage.

use std::time::Duration;

use futures_util::future::join_all;
use svc_auth::session::{Lifetime, Password, PasswordText, SignInError, SignInRequest, sign_in};
use svc_auth::token::{Pepper, Peppers};

use super::{Fixture, active_person, password, person, put, second};
use crate::fakes::{CheapHasher, SeededRandom};

const RIGHT: &str = "correct horse battery";

/// One by one or at once; success leaves the network of the guesser as it was.
pub async fn guesses_from_one_network_delay_no_other_network(fixture: Fixture<'_>) {
    let (hasher, random) = (CheapHasher::new(), SeededRandom::new(1));
    let peppers = Peppers::new(Pepper::new(1, [1; 32]), Vec::new());
    let user = active_person(fixture, 1).await;
    put(fixture, None, &Password { hash: hasher.stored(RIGHT), ..password(user, 1) }).await.expect("put");
    let attempt = async |text: &str, from: &str| {
        let from = from.parse().ok();
        let request =
            SignInRequest { email: person(1).email, password: PasswordText::new(text), from, device: None };
        let (storage, now) = (fixture.session_storage(), second(60));
        sign_in(storage, &hasher, &peppers, Lifetime::default(), request, now, &random).await
    };
    let guesses = join_all((0..12).map(|_| attempt("another password", "203.0.113.7"))).await;
    let refused = guesses.iter().filter(|guess| matches!(guess, Err(SignInError::Refused))).count();
    let early = guesses.iter().filter(|guess| matches!(guess, Err(SignInError::Throttled { .. }))).count();
    assert_eq!((refused, early), (5, 7), "{guesses:?}");
    for elsewhere in ["198.51.100.4", "2001:db8::1", "of no known network"] {
        attempt(RIGHT, elsewhere).await.expect("another network");
    }
    let here = attempt(RIGHT, "203.0.113.7").await;
    let minute = Duration::from_mins(1);
    assert!(matches!(here, Err(SignInError::Throttled { retry_after }) if retry_after == minute), "{here:?}");
}
