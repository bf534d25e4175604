//! What one caller may have under way at a time.
//!
//! A page of large records, a body of a megabyte and an answer that its client does not read all stay in memory until they
//! end. So each request takes a share of its caller's part first, as large as what it may bring along, and keeps it until
//! its answer is sent. A request that finds no share left waits for a moment, and is refused then: one company's requests
//! wait for each other, and for no other company's.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZero;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread::available_parallelism;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use svc_auth::ip::network;
use svc_core::id::{AccountId, TokenId, UserId};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::kept::{Keeps, Kept};
use crate::problem::{Code, Problem};

/// Shares of one caller. A share stands for one record, or for [`BYTES`] of a body.
const MOST: u32 = 200;
/// Bytes of a body that count as much as a record.
const BYTES: usize = 16 * 1024;
/// How long a request waits for others of its caller.
const PATIENCE: Duration = Duration::from_secs(5);
/// Callers that are forgotten only when there are more.
const KEPT: usize = 1_000;

/// Whose requests wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Payer {
    Company(AccountId),
    Person(UserId),
    /// By [`Payer::at`].
    Address(Option<IpAddr>),
    /// A credential that pays for what its routes do not: the company pays for those.
    Credential(TokenId),
}

impl Payer {
    /// Who comes from this address: all of an IPv6 network that one customer has.
    pub(crate) fn at(address: Option<IpAddr>) -> Self {
        Self::Address(address.map(network))
    }
}

/// The shares that are taken.
#[derive(Debug, Default)]
pub(crate) struct Shares(Mutex<HashMap<Payer, Weak<Part>>>);

/// What one caller has.
#[derive(Debug)]
struct Part {
    shares: Arc<Semaphore>,
    /// Reads that work at a time: on half of the processors. Others of the caller wait, and those of other callers have
    /// the rest of the machine, and their turn in between. Writes have no such bound: those that come together commit together.
    turns: Arc<Semaphore>,
}

impl Part {
    fn new() -> Self {
        Self { shares: Arc::new(Semaphore::new(MOST as usize)), turns: Arc::new(Semaphore::new(turns())) }
    }
}

/// What a request brings along: `records` of a page, or `bytes` of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Weight(u32);

impl Weight {
    pub(crate) fn records(records: u32) -> Self {
        Self(records.clamp(1, MOST))
    }

    pub(crate) fn bytes(bytes: usize) -> Self {
        Self::records(u32::try_from(bytes.div_ceil(BYTES)).unwrap_or(MOST))
    }
}

/// A share, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    _permit: OwnedSemaphorePermit,
    part: Arc<Part>,
}

impl Keeps for Share {}

impl Shares {
    /// Takes a share, after a while if need be.
    pub(crate) async fn take(&self, payer: Payer, Weight(weight): Weight) -> Result<Share, Problem> {
        let part = self.part(payer);
        let permit = soon(Arc::clone(&part.shares).acquire_many_owned(weight)).await?;
        Ok(Share { _permit: permit, part })
    }

    fn part(&self, payer: Payer) -> Arc<Part> {
        let mut parts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(part) = parts.get(&payer).and_then(Weak::upgrade) {
            return part;
        }
        if parts.len() >= KEPT && parts.len() == parts.capacity() {
            parts.retain(|_, part| part.strong_count() > 0);
        }
        let part = Arc::new(Part::new());
        parts.insert(payer, Arc::downgrade(&part));
        part
    }
}

/// How many reads of one caller work at a time.
fn turns() -> usize {
    available_parallelism().map_or(1, NonZero::get).div_ceil(2)
}

/// What comes within the patience of a request.
async fn soon<T, E>(permit: impl Future<Output = Result<T, E>>) -> Result<T, Problem> {
    match tokio::time::timeout(PATIENCE, permit).await {
        Ok(Ok(permit)) => Ok(permit),
        Ok(Err(_)) | Err(_) => Err(Problem::new(
            Code::RateLimited,
            "too much is under way at a time: read the answers of earlier requests, and send fewer side by side",
        )
        .retry_after(1)),
    }
}

impl Share {
    /// The turn of a read, until it is dropped.
    pub(crate) async fn turn(&self) -> Result<OwnedSemaphorePermit, Problem> {
        soon(Arc::clone(&self.part.turns).acquire_owned()).await
    }

    /// Keeps the share until the answer is sent, or given up.
    pub(crate) fn until_sent(self, response: Response) -> Response {
        response.map(|body| Body::new(Kept::with(body, self)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> Payer {
        Payer::Address(Some([192, 0, 2, last].into()))
    }

    #[tokio::test(start_paused = true)]
    async fn one_caller_waits_for_itself_alone() {
        let shares = Shares::default();
        let all = shares.take(address(1), Weight::records(u32::MAX)).await.expect("nothing is under way");
        let refused = shares.take(address(1), Weight::records(1)).await.expect_err("all is taken");
        assert_eq!(refused.code, Code::RateLimited);
        shares.take(address(2), Weight::bytes(usize::MAX)).await.expect("another caller");
        let answer = all.until_sent(Response::new(Body::from("text")));
        shares.take(address(1), Weight::records(1)).await.expect_err("the answer is not sent yet");
        drop(answer);
        shares.take(address(1), Weight::records(1)).await.expect("all is given back");
    }

    #[tokio::test(start_paused = true)]
    async fn reads_of_one_caller_work_a_few_at_a_time() {
        let shares = Shares::default();
        let share = shares.take(address(1), Weight::records(1)).await.expect("nothing is under way");
        let mut turns = Vec::new();
        while let Ok(turn) = share.turn().await {
            turns.push(turn);
        }
        assert_eq!(turns.len(), super::turns());
        let other = shares.take(address(2), Weight::records(1)).await.expect("another caller");
        drop(other.turn().await.expect("its own turns"));
        turns.pop();
        drop(share.turn().await.expect("one is over"));
    }

    #[tokio::test]
    async fn callers_without_requests_are_forgotten() {
        let shares = Shares::default();
        for number in 0..5 * u32::try_from(KEPT).expect("small") {
            let payer = Payer::Address(Some(IpAddr::from(number.to_be_bytes())));
            drop(shares.take(payer, Weight::records(1)).await.expect("nothing is under way"));
        }
        assert!(shares.0.lock().expect("sound").len() < 4 * KEPT);
    }
}
