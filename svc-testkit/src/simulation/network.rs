//! The network and the receivers behind it.

use std::time::Duration;

use async_trait::async_trait;
use svc_core::id::DeliveryId;
use svc_webhooks::endpoint::Endpoint;
use svc_webhooks::ports::{Answer, Exchange, HttpSender, Lease, Outgoing, Refusal, SendError};

use super::faults::Faults;
use super::truth::Truth;
use super::world::World;

/// How many receivers there are.
pub(super) const RECEIVERS: u64 = 6;

/// The way of one attempt to its receiver.
pub(super) struct Line {
    pub(super) world: World,
    pub(super) faults: Faults,
    pub(super) truth: Truth,
    pub(super) delivery: DeliveryId,
    pub(super) lease: Lease,
}

/// What kind of receiver it is, for as long as it lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Temper {
    Quick,
    /// Takes seconds to answer.
    Slow,
    /// Answers one in three with an error.
    Moody,
    /// Refuses everything.
    Broken,
    /// Answers nothing.
    Dead,
}

/// The URL of a receiver.
pub(super) fn url(receiver: u64) -> String {
    format!("https://r{receiver}.example.com/svc")
}

fn temper(endpoint: &Endpoint) -> Temper {
    let host = endpoint.url().host_str().unwrap_or_default();
    match host.as_bytes().get(1) {
        Some(b'2') => Temper::Slow,
        Some(b'3') => Temper::Moody,
        Some(b'4') => Temper::Broken,
        Some(b'5') => Temper::Dead,
        Some(_) | None => Temper::Quick,
    }
}

impl Line {
    async fn carry(&self, request: &Outgoing) -> Result<u16, SendError> {
        let hop = || self.world.between(Duration::from_millis(1), Duration::from_millis(60));
        self.world.sleep(hop()).await;
        if self.faults.once_in(20, "network: unreachable") {
            return Err(SendError::Connect("unreachable".to_owned()));
        }
        if self.faults.once_in(20, "network: lost on its way") {
            return self.never_answered(request).await;
        }
        let status = self.receive(request).await?;
        if self.faults.once_in(20, "network: arrives twice") {
            self.receive(request).await?;
        }
        if self.faults.once_in(20, "network: answer lost") {
            return self.never_answered(request).await;
        }
        if self.faults.once_in(20, "network: broken off") {
            return Err(SendError::Protocol("broken off".to_owned()));
        }
        self.world.sleep(hop()).await;
        Ok(status)
    }

    /// The receiver does what it does, also when its answer is lost.
    async fn receive(&self, request: &Outgoing) -> Result<u16, SendError> {
        let status = match temper(&request.endpoint) {
            Temper::Quick => 200,
            Temper::Slow => {
                let time = self.world.between(Duration::from_secs(1), Duration::from_secs(8));
                self.world.sleep(time).await;
                204
            }
            Temper::Moody => {
                [200, 503, 202].get(usize::try_from(self.world.below(3)).unwrap_or(0)).copied().unwrap_or(200)
            }
            Temper::Broken => 500,
            Temper::Dead => return self.never_answered(request).await,
        };
        if (200..300).contains(&status) {
            self.truth.accepted(self.delivery);
        }
        Ok(status)
    }

    async fn never_answered<T>(&self, request: &Outgoing) -> Result<T, SendError> {
        self.world.sleep(request.timeout).await;
        Err(SendError::Timeout)
    }
}

#[async_trait]
impl HttpSender for Line {
    async fn check(&self, _endpoint: &Endpoint) -> Result<(), Refusal> {
        Ok(())
    }

    async fn send(&self, request: Outgoing) -> Exchange {
        self.truth.sent(self.delivery, self.lease, &request);
        let deadline = self.world.sleep(request.timeout);
        let carried = futures_util::future::select(Box::pin(self.carry(&request)), deadline).await;
        Exchange::ended(match carried {
            futures_util::future::Either::Left((status, _)) => status.map(Answer::bare),
            futures_util::future::Either::Right(((), _)) => Err(SendError::Timeout),
        })
    }
}
