//! Keeps attempts in flight: claims what is due, sends it, settles how it went.
//!
//! Attempts are tasks of their own, so that a slow receiver holds up one place
//! of [`MAX_IN_FLIGHT`] and nobody else. Settlements are written in groups. At
//! the end, attempts may finish until the deadline; the leases of the others
//! are given back, so that another process, or the next start, goes on at once.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use svc_core::clock::Clock;
use svc_core::id::DeliveryId;
use svc_webhooks::delivery::{AttemptConfig, attempt_claimed};
use svc_webhooks::ports::{HttpSender, Lease, Settlement, WebhookStorage};
use tokio::sync::Notify;
use tokio::task::{JoinError, JoinSet};
use tokio::time::{Instant, sleep_until, timeout_at};

use super::Backoff;
use crate::failure::chain;
use crate::metric;
use crate::shutdown::Shutdown;
use crate::wiring::Wiring;

/// Attempts under way at most, those that wait to be settled among them.
const MAX_IN_FLIGHT: usize = 256;
/// Deliveries of one claim, and settlements of one commit.
const BATCH: usize = 100;
/// How long a settlement waits for company.
const SETTLE_WITHIN: Duration = Duration::from_millis(10);
/// How long attempts may go on after the wish to end.
const LAST_ATTEMPTS: Duration = Duration::from_secs(11);
/// How often the last settlements are tried.
const LAST_TRIES: u32 = 3;

/// Runs until shutdown, and then until the last attempt is settled or given back.
pub(crate) fn run(wiring: &Wiring, wake: Arc<Notify>, asked: Shutdown) -> impl Future<Output = ()> + use<> {
    let deliverer = Deliverer {
        storage: wiring.store.database.webhooks(),
        sender: Arc::clone(&wiring.sender),
        clock: Arc::clone(&wiring.clock),
        config: Arc::new(wiring.attempts.clone()),
        wake,
    };
    deliverer.run(asked)
}

struct Deliverer {
    storage: Arc<dyn WebhookStorage>,
    sender: Arc<dyn HttpSender>,
    clock: Arc<dyn Clock>,
    config: Arc<AttemptConfig>,
    wake: Arc<Notify>,
}

/// What is under way.
struct Flight {
    attempts: JoinSet<Settlement>,
    /// Claimed and not settled.
    leases: HashMap<DeliveryId, Lease>,
    /// Attempted and not settled.
    ended: Vec<Settlement>,
    claim_at: Instant,
    settle_at: Option<Instant>,
    idle: Backoff,
    failing: Backoff,
}

impl Flight {
    fn new() -> Self {
        Self {
            attempts: JoinSet::new(),
            leases: HashMap::new(),
            ended: Vec::new(),
            claim_at: Instant::now(),
            settle_at: None,
            idle: Backoff::idle(),
            failing: Backoff::failing(),
        }
    }

    fn room(&self) -> usize {
        MAX_IN_FLIGHT.saturating_sub(self.leases.len())
    }

    /// When there is something to do next, unless an attempt ends before.
    fn next(&self) -> Instant {
        let claim = if self.room() > 0 { Some(self.claim_at) } else { None };
        let far = Instant::now() + Duration::from_secs(1);
        [claim, self.settle_at].into_iter().flatten().min().unwrap_or(far)
    }

    fn land(&mut self, landed: Result<Settlement, JoinError>) {
        let settlement = match landed {
            Ok(settlement) => settlement,
            // A panic is a fault of the program: the service ends with it, see `service`.
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => return,
            },
        };
        metric::attempted(&settlement);
        self.ended.push(settlement);
        let now = Instant::now();
        let due = if self.ended.len() >= BATCH { now } else { now + SETTLE_WITHIN };
        self.settle_at = Some(self.settle_at.map_or(due, |at| at.min(due)));
    }
}

impl Deliverer {
    async fn run(self, asked: Shutdown) {
        let mut flight = Flight::new();
        while !asked.is_asked() {
            let now = Instant::now();
            if flight.settle_at.is_some_and(|at| at <= now) {
                self.settle(&mut flight).await;
            }
            if flight.claim_at <= now && flight.room() > 0 {
                self.claim(&mut flight).await;
            }
            let next = flight.next();
            tokio::select! {
                Some(landed) = flight.attempts.join_next() => {
                    flight.land(landed);
                    while let Some(landed) = flight.attempts.try_join_next() {
                        flight.land(landed);
                    }
                }
                () = sleep_until(next) => {}
                () = self.wake.notified() => {
                    flight.idle.reset();
                    flight.claim_at = Instant::now();
                }
                () = asked.asked() => {}
            }
        }
        self.finish(flight).await;
    }

    async fn claim(&self, flight: &mut Flight) {
        let room = flight.room().min(BATCH);
        let limit = u32::try_from(room).expect("a batch is small");
        let leased = match self.storage.queue().claim(limit, self.clock.now(), self.config.lease_for).await {
            Ok(leased) => leased,
            Err(error) => {
                tracing::warn!("due deliveries cannot be claimed: {}", chain(&error));
                flight.claim_at = Instant::now() + flight.failing.step();
                return;
            }
        };
        flight.failing.reset();
        // A full batch means that more is due.
        flight.claim_at = if leased.len() == room {
            flight.idle.reset();
            Instant::now()
        } else {
            let pause = self.pause(flight).await;
            Instant::now() + pause
        };
        for leased in leased {
            flight.leases.insert(leased.delivery.id, leased.lease);
            let (sender, clock, config) =
                (Arc::clone(&self.sender), Arc::clone(&self.clock), Arc::clone(&self.config));
            flight.attempts.spawn(async move {
                attempt_claimed(leased, sender.as_ref(), clock.as_ref(), &config).await
            });
        }
        metric::in_flight(flight.attempts.len());
    }

    /// Until the next look: a while, or less when something falls due before.
    async fn pause(&self, flight: &mut Flight) -> Duration {
        let pause = flight.idle.step();
        match self.storage.queue().next_due().await {
            Ok(Some(due)) => pause.min(due.since(self.clock.now())).max(Duration::from_millis(1)),
            Ok(None) => pause,
            Err(error) => {
                tracing::warn!("the queue cannot be read: {}", chain(&error));
                pause
            }
        }
    }

    async fn settle(&self, flight: &mut Flight) {
        while !flight.ended.is_empty() {
            let batch = flight.ended.len().min(BATCH);
            let settlements: Vec<_> = flight.ended.drain(..batch).collect();
            match self.storage.queue().settle(&settlements).await {
                Ok(settled) => {
                    let stale = u64::try_from(batch).unwrap_or(u64::MAX).saturating_sub(settled);
                    if stale > 0 {
                        tracing::warn!(stale, batch, "leases ended before their attempts were settled");
                        metric::stale(stale);
                    }
                    for settlement in &settlements {
                        // A delivery may have been claimed again since: that lease is still ours.
                        let id = settlement.delivery.id;
                        if flight.leases.get(&id) == Some(&settlement.lease) {
                            flight.leases.remove(&id);
                        }
                    }
                    flight.settle_at = None;
                }
                Err(error) => {
                    tracing::warn!("attempts cannot be settled: {}", chain(&error));
                    flight.ended.splice(..0, settlements);
                    flight.settle_at = Some(Instant::now() + flight.failing.step());
                    return;
                }
            }
        }
        metric::in_flight(flight.attempts.len());
    }

    async fn finish(&self, mut flight: Flight) {
        let deadline = Instant::now() + LAST_ATTEMPTS;
        while let Ok(Some(landed)) = timeout_at(deadline, flight.attempts.join_next()).await {
            flight.land(landed);
        }
        flight.attempts.abort_all();
        for _ in 0..LAST_TRIES {
            self.settle(&mut flight).await;
            match flight.settle_at {
                Some(again) => sleep_until(again).await,
                None => break,
            }
        }
        let unused: Vec<_> = flight.leases.into_iter().collect();
        if unused.is_empty() {
            return;
        }
        tracing::info!(leases = unused.len(), "attempts did not end in time; their leases are given back");
        if let Err(error) = self.storage.queue().release(&unused).await {
            tracing::warn!("leases end by themselves, they could not be given back: {}", chain(&error));
        }
    }
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;
    use svc_testkit::audit::noted;
    use svc_testkit::webhooks::MemoryWebhooks;
    use svc_testkit::webhooks::sample::Samples;
    use svc_webhooks::delivery::dispatch_once;
    use svc_webhooks::endpoint::Endpoint;
    use svc_webhooks::ports::{Answer, Outgoing, Refusal, SendError};
    use svc_webhooks::retry::RetrySchedule;
    use tokio::sync::mpsc;

    use super::*;
    use crate::shutdown;

    /// Answers at once, but never for events of one kind.
    struct Sender {
        never: &'static str,
        sent: mpsc::UnboundedSender<String>,
    }

    #[async_trait]
    impl HttpSender for Sender {
        async fn check(&self, _: &Endpoint) -> Result<(), Refusal> {
            Ok(())
        }

        async fn send(&self, request: Outgoing) -> Result<Answer, SendError> {
            let event = request.headers.iter().find(|(name, _)| *name == "X-SVC-Webhook-Event");
            let event = event.map(|(_, value)| value.clone()).expect("each request names its event");
            self.sent.send(event.clone()).expect("the test looks on");
            if event == self.never {
                std::future::pending::<()>().await;
            }
            Ok(Answer { status: 200, body: Vec::new() })
        }
    }

    /// Storage with a delivery of each of these events, due now.
    async fn queue(samples: &Samples, events: &[&str]) -> MemoryWebhooks {
        let storage = MemoryWebhooks::new();
        let account = samples.account();
        let unit = storage.begin().await.expect("begun");
        let kinds = ["contact.create", "contact.update"];
        assert!(unit.subscriptions().insert(&samples.subscription(account, &kinds), 1).await.expect("added"));
        noted(&*unit, account).await.expect("noted");
        unit.commit().await.expect("committed");
        let events: Vec<_> = events.iter().map(|kind| samples.event(account, kind)).collect();
        storage.append(&events);
        dispatch_once(&storage, samples.now(), samples.random(), 1_000).await.expect("dispatched");
        storage
    }

    fn deliverer(storage: &MemoryWebhooks, samples: &Samples, sender: Sender) -> Deliverer {
        let config = AttemptConfig::new(
            Duration::from_secs(10),
            RetrySchedule::STANDARD,
            "http://localhost".to_owned(),
        );
        Deliverer {
            storage: Arc::new(storage.clone()),
            sender: Arc::new(sender),
            clock: Arc::new(samples.clock().clone()),
            config: Arc::new(config),
            wake: Arc::new(Notify::new()),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn attempts_that_hang_hold_up_nobody_else_and_are_given_back_at_the_end() {
        let samples = Samples::new(1);
        let (slow, quick) = (["contact.update"; 50], ["contact.create"; 300]);
        let storage = queue(&samples, &[&slow[..], &quick[..]].concat()).await;
        let (sent, mut arrivals) = mpsc::unbounded_channel();
        let (trigger, asked) = shutdown::channel();
        let sender = Sender { never: "contact.update", sent };
        let running = tokio::spawn(deliverer(&storage, &samples, sender).run(asked));

        let mut arrived = 0;
        while arrived < quick.len() {
            arrived += usize::from(arrivals.recv().await.expect("sent") == "contact.create");
        }
        trigger.pull();
        running.await.expect("it ends although 50 attempts never do");

        let left =
            storage.queue().claim(1_000, samples.now(), Duration::from_secs(1)).await.expect("claimed");
        assert_eq!(left.len(), slow.len(), "the rest was settled, and these leases were given back");
        assert!(left.iter().all(|leased| leased.delivery.attempts == 0));
    }

    #[tokio::test(start_paused = true)]
    async fn no_more_than_the_limit_is_claimed_at_a_time() {
        let samples = Samples::new(2);
        let storage = queue(&samples, &["contact.update"; MAX_IN_FLIGHT + 44]).await;
        let (sent, mut arrivals) = mpsc::unbounded_channel();
        let (trigger, asked) = shutdown::channel();
        let sender = Sender { never: "contact.update", sent };
        let running = tokio::spawn(deliverer(&storage, &samples, sender).run(asked));
        for _ in 0..MAX_IN_FLIGHT {
            arrivals.recv().await.expect("sent");
        }
        let left =
            storage.queue().claim(1_000, samples.now(), Duration::from_secs(1)).await.expect("claimed");
        assert_eq!(left.len(), 44);
        trigger.pull();
        running.await.expect("it ends");
    }
}
