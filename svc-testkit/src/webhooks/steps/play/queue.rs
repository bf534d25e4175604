//! What workers do.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use svc_core::clock::{Clock, Timestamp};
use svc_core::error::StoreError;
use svc_core::id::SubscriptionId;
use svc_webhooks::delivery::{Round, attempt_claimed, fan_out};
use svc_webhooks::ports::{ClaimRequest, Leased, Outgoing, SendError};
use svc_webhooks::signature::{self, SIGNATURE_HEADER};
use svc_webhooks::subscription::Subscription;

use super::no_backoff::NoBackoff;
use super::{Hands, Player};
use crate::fakes::FakeSender;
use crate::webhooks::steps::history::{LEASE, Reply, row};
use crate::webhooks::steps::model::delivering::claims::ModelRequest;
use crate::webhooks::steps::seen::{Answer, SeenAttempted, SeenLease};

impl Player<'_> {
    pub(super) fn hands(&mut self, worker: usize) -> &mut Hands {
        self.workers.get_mut(worker).expect("a worker")
    }

    pub(super) async fn fan_out(
        &mut self,
        worker: usize,
        events: u32,
        room: u32,
    ) -> Result<Answer, StoreError> {
        let mut counts = BTreeMap::<SubscriptionId, u32>::new();
        let wanted = |subscription: &Subscription| {
            let count = counts.entry(subscription.id).or_default();
            *count += 1;
            *count <= room
        };
        let round = Round { events, attempts: self.config.schedule.attempts(), lease_for: LEASE };
        let (report, mut leased) =
            fan_out(&NoBackoff(self.storage), round, self.clock.now(), &self.random, wanted).await?;
        // In the order in which the model leases.
        leased.sort_by_key(|leased| {
            (self.number_of(leased.delivery.subscription), self.event_numbers.get(&leased.delivery.event))
        });
        let count = leased.len();
        self.hands(worker).leases.extend(leased);
        Ok(Answer::FannedOut { events: report.events, deliveries: report.deliveries, leased: count })
    }

    pub(super) async fn claim(
        &mut self,
        worker: usize,
        request: ModelRequest,
    ) -> Result<Vec<SeenLease>, StoreError> {
        let ModelRequest { limit, each, room, retries } = request;
        let room = room.and_then(|(number, room)| Some((self.subscriptions.get(number)?.0, room)));
        let request =
            ClaimRequest { each, room: room.into_iter().collect(), retries, ..ClaimRequest::any(limit) };
        let claimed = self.storage.queue().claim(&request, self.clock.now(), LEASE).await?;
        let seen = claimed.leased.iter().map(|leased| self.seen_lease(leased)).collect();
        self.hands(worker).leases.extend(claimed.leased);
        Ok(seen)
    }

    fn seen_lease(&self, leased: &Leased) -> SeenLease {
        let event = self.event_numbers.get(&leased.delivery.event);
        let event = event.and_then(|number| self.events.get(*number));
        let sent = &leased.notification;
        SeenLease {
            delivery: self.seen_delivery(&leased.delivery),
            subscription: leased.subscription.as_deref().map(|one| self.seen_subscription(one)),
            intact: event.is_some_and(|event| {
                (sent.id, &sent.kind, &sent.tenant) == (event.id, &event.kind, &event.tenant)
                    && sent.body == event.body()
            }),
        }
    }

    pub(super) async fn attempt(
        &mut self,
        worker: usize,
        lease: usize,
        reply: Reply,
        takes: Duration,
    ) -> Answer {
        let sender = match reply {
            Reply::Status(status) => FakeSender::new().then(status),
            Reply::TimeOut => FakeSender::new().then_failing(SendError::Timeout),
        };
        let sender = sender.taking(&self.clock, takes);
        let leased = self.hands(worker).leases.get(lease).expect("it was had").clone();
        let (id, subscription) = (leased.delivery.id, leased.delivery.subscription);
        let settlement = attempt_claimed(leased, &sender, &self.clock, &self.config).await;
        self.hands(worker).attempted.push(settlement);
        let sent = sender.sent();
        let sent = sent.first().map(|request| {
            let number = self.number_of(subscription).unwrap_or(usize::MAX);
            (request.endpoint.as_str().to_owned(), self.signed_with(number, request))
        });
        let delivery = self.delivery_numbers.get(&id).copied().unwrap_or(usize::MAX);
        Answer::Attempted(SeenAttempted { delivery, sent })
    }

    /// Which of the secrets that a subscription had made the signature.
    fn signed_with(&self, subscription: usize, request: &Outgoing) -> usize {
        let header = request.headers.iter().find(|(name, _)| *name == SIGNATURE_HEADER);
        let (Some((_, header)), Some((_, _, secrets))) = (header, self.subscriptions.get(subscription))
        else {
            return usize::MAX;
        };
        let now = self.clock.now().unix_seconds();
        let made = secrets
            .iter()
            .position(|secret| signature::verify(secret.expose(), header, &request.body, now).is_ok());
        made.unwrap_or(usize::MAX)
    }

    pub(super) async fn settle(
        &mut self,
        worker: usize,
        back: usize,
        count: usize,
    ) -> Result<Answer, StoreError> {
        let storage = self.storage;
        let attempted = &self.hands(worker).attempted;
        let some = attempted.get(row(back, count, attempted.len())).unwrap_or_default();
        let settled = storage.queue().settle(some).await?;
        Ok(if some.is_empty() { Answer::Done } else { Answer::Settled(settled) })
    }

    pub(super) async fn release(
        &mut self,
        worker: usize,
        back: usize,
        count: usize,
    ) -> Result<Answer, StoreError> {
        let storage = self.storage;
        let leases = &self.hands(worker).leases;
        let some = leases.get(row(back, count, leases.len())).unwrap_or_default();
        storage.queue().release(some).await.map(|()| Answer::Done)
    }

    pub(super) async fn next_due(&self) -> Result<Option<Timestamp>, StoreError> {
        self.storage.queue().next_due(&ClaimRequest::any(1)).await
    }

    /// The deliveries that went.
    pub(super) async fn purge(&self, before: Timestamp, limit: u32) -> Result<Vec<usize>, String> {
        let failed = |error| format!("the storage failed: {error:?}");
        let had = self.logged().await.map_err(failed)?;
        let count = self.storage.queue().purge(before, limit).await.map_err(failed)?;
        let has: BTreeSet<_> = self.logged().await.map_err(failed)?.into_iter().collect();
        let gone: Vec<_> = had.into_iter().filter(|number| !has.contains(number)).collect();
        if gone.len() as u64 == count { Ok(gone) } else { Err(format!("{gone:?} went, it says {count}")) }
    }
}
