//! How fast one address is answered while it is not known who asks.
//!
//! A token has its budgets. Who comes without one, or with one that is none, has no other limit than how fast the server
//! answers. So an address has a number of such answers in a second; the next of them are held back for a moment, and the
//! connections of that address, whose number is bounded, wait with them. Answers to a token that was let in
//! neither count nor wait, whatever else comes from the same address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use svc_auth::ip::network;
use tokio::time::{Instant, sleep};

use crate::app::App;
use crate::gate::source;
use crate::observe::CalledBy;

/// Answers that an address gets at once, in a second.
const AT_ONCE: u32 = 200;
/// How long each further one takes.
const HELD_BACK: Duration = Duration::from_millis(250);

/// Counts the answers of a second.
pub(crate) struct Pace {
    app: Arc<App>,
    second: Mutex<Second>,
}

/// Who was answered, from a moment on. It has as many addresses at most as there were answers.
struct Second {
    began: Instant,
    answers: HashMap<Option<IpAddr>, u32>,
}

impl Pace {
    pub(crate) fn new(app: Arc<App>) -> Self {
        Self { app, second: Mutex::new(Second { began: Instant::now(), answers: HashMap::new() }) }
    }

    fn counts(&self, address: Option<IpAddr>) -> bool {
        self.second.lock().unwrap_or_else(PoisonError::into_inner).counts(address, Instant::now())
    }
}

impl Second {
    /// Whether one more is answered at once.
    fn counts(&mut self, address: Option<IpAddr>, now: Instant) -> bool {
        if now.duration_since(self.began) >= Duration::from_secs(1) {
            *self = Self { began: now, answers: HashMap::new() };
        }
        let answers = self.answers.entry(address.map(network)).or_default();
        *answers = answers.saturating_add(1);
        *answers <= AT_ONCE
    }
}

/// Wraps every request.
pub(crate) async fn pace(State(pace): State<Arc<Pace>>, request: Request, next: Next) -> Response {
    let address = source(&pace.app, request.headers(), request.extensions());
    let response = next.run(request).await;
    if response.extensions().get::<CalledBy>().is_none() && !pace.counts(address) {
        sleep(HELD_BACK).await;
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn an_address_is_answered_a_number_of_times_at_once_in_a_second() {
        let mut second = Second { began: Instant::now(), answers: HashMap::new() };
        let mut answered =
            |text: &str| second.counts(Some(text.parse().expect("an address")), Instant::now());
        let at_once = (0..2 * AT_ONCE).filter(|_| answered("2001:db8::1")).count();
        assert_eq!(at_once, AT_ONCE as usize);
        assert!(!answered("2001:db8::2"), "of the same network");
        assert!(answered("192.0.2.1"));
        tokio::time::advance(Duration::from_secs(1)).await;
        assert!(answered("2001:db8::1"));
    }
}
