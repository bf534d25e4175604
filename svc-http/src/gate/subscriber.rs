//! The route that creates a subscription: a token that lacks a permission hears of all that it lacks.
//!
//! Creation needs `developers:webhooks.create` and the read permission of every event, and its 403 lists what is
//! missing of both (specification, part 4.1). The five checks look at the head of a request alone and stop at the
//! route's own permission, so the body of such a refused request is read here, for its events and nothing else.
//! A token that may not be used from the caller's address hears of the route's permission only.

use axum::body::Body;
use serde::Deserialize;
use serde_json::Value;
use svc_auth::authenticate::Access;
use svc_webhooks::subscription::Subscribable;

use super::token::authorization;
use super::{Arrival, ByToken, Gate, Notice, TokenCaller};
use crate::body;
use crate::problem::{Code, Problem};

/// The longest body that is read for its events, in bytes: one with all of them is far shorter.
const MOST: usize = 16 * 1024;

/// Lets tokens in as [`ByToken`] does, for a request whose body lists `events`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BySubscriber(pub(crate) ByToken);

impl Gate for BySubscriber {
    type Caller = TokenCaller;

    async fn admit(&self, arrival: &Arrival) -> Result<TokenCaller, Problem> {
        self.0.admit(arrival).await
    }

    async fn admit_again(&self, arrival: &Arrival, caller: TokenCaller) -> Result<TokenCaller, Problem> {
        self.0.admit_again(arrival, caller).await
    }

    fn reads_of_refused(&self, problem: &Problem) -> Option<usize> {
        (problem.code == Code::MissingPermission).then_some(MOST)
    }

    async fn refuse(&self, arrival: &Arrival, body: Body, problem: Problem) -> Problem {
        let (app, headers) = (&arrival.app, &arrival.parts.headers);
        let again = app.authenticator.admit_again(authorization(headers), Access::AnyToken, arrival.from);
        let (Ok(principal), Ok(body)) = (again.await, body::read(headers, body, MOST).await) else {
            return problem;
        };
        let events = events(&body);
        problem.missing(
            Subscribable::new(&app.events, &principal.grants).missing(events.iter().map(String::as_str)),
        )
    }

    fn notice(&self) -> Notice {
        self.0.notice()
    }
}

/// The names of events that the body lists, whatever else is in it.
fn events(body: &[u8]) -> Vec<String> {
    #[derive(Deserialize)]
    struct Listed {
        events: Vec<Value>,
    }
    let listed: Option<Listed> = serde_json::from_slice(body).ok();
    let names = listed.into_iter().flat_map(|listed| listed.events);
    names.filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_events_of_any_body_are_its_texts() {
        assert_eq!(events(br#"{"name": 5, "events": ["a", 1, "b"], "more": {}}"#), ["a", "b"]);
        for none in ["", "{", "[]", "{}", r#"{"events": "a"}"#, r#"{"events": {"a": 1}}"#] {
            assert_eq!(events(none.as_bytes()), [""; 0], "{none}");
        }
    }
}
