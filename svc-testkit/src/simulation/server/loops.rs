//! What a server does beside the attempts.

use std::time::Duration;

use futures_util::future::select;
use svc_core::clock::Clock;
use svc_core::delay::DoublingDelay;
use svc_webhooks::delivery::{Round, fan_out};
use svc_webhooks::ports::{Leased, Settlement, WebhookStorage};
use svc_webhooks::subscription::Subscription;

use super::Server;

/// Events of one fan-out.
const EVENTS: u32 = 10;
/// A scheduler with less room than this is full: events wait in the outbox meanwhile.
const ROOM: u32 = 4;
/// Deliveries of one claim.
const CLAIM: u32 = 12;
/// Settlements of one commit.
const BATCH: usize = 8;
/// How long a settlement waits for company.
const SETTLE_WITHIN: Duration = Duration::from_millis(10);

const fn idle() -> DoublingDelay {
    DoublingDelay::new(Duration::from_millis(50), Duration::from_secs(3))
}

const fn failing() -> DoublingDelay {
    DoublingDelay::new(Duration::from_millis(50), Duration::from_secs(5))
}

impl Server {
    pub(super) async fn fan_outs(self) {
        let (mut idle, mut failing) = (idle(), failing());
        while !self.work().stopping {
            let free_slots = {
                let scheduler = &self.work().scheduler;
                (scheduler.room() >= ROOM).then(|| scheduler.free_slots())
            };
            let Some(mut free_slots) = free_slots else {
                self.world.sleep(idle.step()).await;
                continue;
            };
            let attempts = self.config.schedule.attempts();
            let round = Round { events: EVENTS, attempts, lease_for: self.config.lease_for };
            let wanted = |subscription: &Subscription| free_slots.take(subscription.id);
            let (now, random) = (self.clock.now(), self.world.random());
            match fan_out(self.storage.as_ref(), round, now, random, wanted).await {
                Ok((report, leased)) => {
                    self.offer(leased).await;
                    failing.reset();
                    if report.events > 0 {
                        idle.reset();
                    } else {
                        let wait = self.world.sleep(idle.step());
                        select(Box::pin(self.committed.rung()), wait).await;
                    }
                }
                Err(_) => self.world.sleep(failing.step()).await,
            }
        }
    }

    pub(super) async fn claims(self) {
        let (mut idle, mut failing) = (idle(), failing());
        while !self.work().stopping {
            let now = self.clock.now();
            let request = {
                let scheduler = &mut self.work().scheduler;
                scheduler.check_backoffs(now);
                scheduler.claim_request(CLAIM)
            };
            let Some(request) = request else {
                self.world.sleep(idle.step()).await;
                continue;
            };
            let queue = self.storage.queue();
            let claimed = match queue.claim(&request, now, self.config.lease_for).await {
                Ok(claimed) if claimed.leased.is_empty() => {
                    queue.next_due(&request).await.map(|next| (claimed, next))
                }
                Ok(claimed) => Ok((claimed, None)),
                Err(error) => Err(error),
            };
            match claimed {
                Ok((claimed, _)) if !claimed.leased.is_empty() => {
                    idle.reset();
                    failing.reset();
                    self.offer(claimed.leased).await;
                }
                Ok((_, next)) => {
                    let until = next.map_or(Duration::MAX, |due| due.since(self.clock.now()));
                    let wait = self.world.sleep(idle.step().min(until.max(Duration::from_millis(1))));
                    select(Box::pin(self.room.rung()), wait).await;
                }
                Err(_) => self.world.sleep(failing.step()).await,
            }
        }
    }

    /// What arrives after the request to shut down is given back like what waited before it.
    async fn offer(&self, leased: Vec<Leased>) {
        let unused = {
            let work = &mut *self.work();
            if work.stopping {
                leased
            } else {
                for leased in leased {
                    work.scheduler.offer(leased);
                }
                Vec::new()
            }
        };
        self.give_back(&unused).await;
        self.start();
    }

    pub(super) async fn settlements(self) {
        let mut failing = failing();
        loop {
            self.landed.rung().await;
            self.world.sleep(SETTLE_WITHIN).await;
            loop {
                let batch: Vec<Settlement> = {
                    let ended = &mut self.work().ended;
                    let count = ended.len().min(BATCH);
                    ended.drain(..count).collect()
                };
                if batch.is_empty() {
                    break;
                }
                if self.storage.queue().settle(&batch).await.is_ok() {
                    failing.reset();
                    self.forget(&batch);
                } else {
                    self.work().ended.splice(..0, batch);
                    self.world.sleep(failing.step()).await;
                }
            }
        }
    }

    /// A delivery may have been claimed again since: that lease is still ours.
    fn forget(&self, settled: &[Settlement]) {
        let started = &mut self.work().started;
        for Settlement { lease, delivery, .. } in settled {
            if started.get(&delivery.id).is_some_and(|leased| leased.lease == *lease) {
                started.remove(&delivery.id);
            }
        }
        self.room.ring();
    }
}
