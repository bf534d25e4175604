//! A network of one scripted receiver.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use svc_webhooks::endpoint::Endpoint;
use svc_webhooks::ports::{Answer, Exchange, HttpSender, Outgoing, Refusal, SendError};

use crate::fakes::ManualClock;

/// Answers by script and records what it was given.
///
/// Each request takes the next scripted answer; when the script has ended, the
/// usual one: 200 unless [`FakeSender::always`] said otherwise.
#[derive(Debug)]
pub struct FakeSender(Mutex<Script>);

#[derive(Debug)]
struct Script {
    next: VecDeque<Exchange>,
    usual: Exchange,
    refusal: Option<Refusal>,
    takes: Option<(ManualClock, Duration)>,
    sent: Vec<Outgoing>,
    checked: Vec<Endpoint>,
}

impl FakeSender {
    /// A receiver that answers 200 to everything.
    #[must_use]
    pub fn new() -> Self {
        Self(Mutex::new(Script {
            next: VecDeque::new(),
            usual: answer(200),
            refusal: None,
            takes: None,
            sent: Vec::new(),
            checked: Vec::new(),
        }))
    }

    /// Answers every unscripted request with this status.
    #[must_use]
    pub fn always(self, status: u16) -> Self {
        self.script().usual = answer(status);
        self
    }

    /// Fails every unscripted request.
    #[must_use]
    pub fn always_failing(self, error: SendError) -> Self {
        self.script().usual = Exchange::ended(Err(error));
        self
    }

    /// Adds an answer with this status to the script.
    #[must_use]
    pub fn then(self, status: u16) -> Self {
        self.then_exchanging(answer(status))
    }

    /// Adds a failure to the script.
    #[must_use]
    pub fn then_failing(self, error: SendError) -> Self {
        self.then_exchanging(Exchange::ended(Err(error)))
    }

    /// Adds an exchange with all its details to the script.
    #[must_use]
    pub fn then_exchanging(self, exchange: Exchange) -> Self {
        self.script().next.push_back(exchange);
        self
    }

    /// Refuses every target that is checked.
    #[must_use]
    pub fn refusing(self, refusal: Refusal) -> Self {
        self.script().refusal = Some(refusal);
        self
    }

    /// Moves the clock by this much with every request, which tells so.
    #[must_use]
    pub fn taking(self, clock: &ManualClock, duration: Duration) -> Self {
        self.script().takes = Some((clock.clone(), duration));
        self
    }

    /// Every request so far, oldest first.
    #[must_use]
    pub fn sent(&self) -> Vec<Outgoing> {
        self.script().sent.clone()
    }

    /// Every target that was checked so far, oldest first.
    #[must_use]
    pub fn checked(&self) -> Vec<Endpoint> {
        self.script().checked.clone()
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for FakeSender {
    fn default() -> Self {
        Self::new()
    }
}

fn answer(status: u16) -> Exchange {
    Exchange::ended(Ok(Answer::bare(status)))
}

#[async_trait]
impl HttpSender for FakeSender {
    async fn check(&self, endpoint: &Endpoint) -> Result<(), Refusal> {
        let mut script = self.script();
        script.checked.push(endpoint.clone());
        script.refusal.clone().map_or(Ok(()), Err)
    }

    async fn send(&self, request: Outgoing) -> Exchange {
        let mut script = self.script();
        script.sent.push(request);
        let mut exchange = script.next.pop_front().unwrap_or_else(|| script.usual.clone());
        if let Some((clock, duration)) = &script.takes {
            clock.advance(*duration);
            exchange.timings.total = *duration;
        }
        exchange
    }
}
