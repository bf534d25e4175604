//! A server: it fans out, claims, attempts and settles, as the service's deliverer does.
//!
//! The decisions are the service's own: [`Scheduler`], [`fan_out`],
//! [`attempt_claimed`] and the queue. Each of its three loops has one step under
//! way at most; attempts are tasks of their own.

mod loops;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use svc_core::clock::Clock;
use svc_core::id::DeliveryId;
use svc_webhooks::delivery::{Attempt, AttemptConfig, attempt_claimed};
use svc_webhooks::ports::{Leased, Settlement, WebhookStorage};
use svc_webhooks::scheduler::{Capacity, Ended, START_WITHIN, Scheduler};

use super::clock::{SKEW, SkewedClock};
use super::faults::Faults;
use super::network::Line;
use super::storage::UnreliableStorage;
use super::truth::{Truth, short};
use super::world::{Bell, Process, World};

/// Attempts under way, and deliveries that wait for a slot, at most.
const CAPACITY: Capacity = Capacity { attempts: 8, waiting: 32 };

/// A server from its start to its end; clones are the same one.
#[derive(Clone)]
pub(super) struct Server {
    pub(super) process: Process,
    pub(super) world: World,
    pub(super) clock: SkewedClock,
    pub(super) storage: Arc<UnreliableStorage>,
    pub(super) config: Arc<AttemptConfig>,
    faults: Faults,
    truth: Truth,
    work: Arc<Mutex<Work>>,
    committed: Bell,
    room: Bell,
    landed: Bell,
}

/// What is under way.
struct Work {
    scheduler: Scheduler,
    /// Attempts that were started and not settled.
    started: BTreeMap<DeliveryId, Leased>,
    /// Attempted and not settled.
    ended: Vec<Settlement>,
    stopping: bool,
    /// How often it was stopped for a while.
    stalls: u64,
}

impl Server {
    pub(super) fn new(
        process: Process,
        world: &World,
        storage: UnreliableStorage,
        config: &Arc<AttemptConfig>,
    ) -> Self {
        let work = Work {
            scheduler: Scheduler::with_schedule(CAPACITY, &config.schedule),
            started: BTreeMap::new(),
            ended: Vec::new(),
            stopping: false,
            stalls: 0,
        };
        Self {
            process,
            world: world.clone(),
            clock: SkewedClock::new(world.clone()),
            faults: storage.faults.clone(),
            truth: storage.truth.clone(),
            storage: Arc::new(storage),
            config: Arc::clone(config),
            work: Arc::new(Mutex::new(work)),
            committed: Bell::new(world.clone()),
            room: Bell::new(world.clone()),
            landed: Bell::new(world.clone()),
        }
    }

    pub(super) fn boot(&self) {
        self.truth.tell(|| format!("server {} starts", self.process));
        self.world.spawn(self.process, self.clone().fan_outs());
        self.world.spawn(self.process, self.clone().claims());
        self.world.spawn(self.process, self.clone().settlements());
    }

    /// Events were committed by this server.
    pub(super) fn committed(&self) {
        self.committed.ring();
    }

    pub(super) fn was_stalled(&self) {
        self.work().stalls += 1;
    }

    /// Whether it has nothing in hands.
    pub(super) fn is_idle(&self) -> bool {
        let work = self.work();
        let nothing_waits = work.scheduler.waiting() == 0 && work.scheduler.under_way() == 0;
        nothing_waits && work.ended.is_empty() && work.started.is_empty()
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.work().stopping
    }

    /// Ends in order: what waits is given back, what is under way may end.
    pub(super) async fn stop(self) {
        let waiting = {
            let mut work = self.work();
            work.stopping = true;
            let mut waiting = work.scheduler.clear();
            waiting.sort_by_key(|leased| leased.delivery.id);
            waiting
        };
        self.truth.tell(|| format!("server {} stops", self.process));
        self.give_back(&waiting).await;
        for _ in 0..44 {
            self.world.sleep(Duration::from_millis(250)).await;
            if self.is_idle() {
                return;
            }
        }
        let unused: Vec<_> = self.work().started.values().cloned().collect();
        self.give_back(&unused).await;
    }

    async fn give_back(&self, leased: &[Leased]) {
        if !leased.is_empty() {
            // Leases that could not be given back end by themselves.
            let _ = self.storage.queue().release(leased).await;
        }
    }

    /// Starts what has a slot, and gives back what has waited too long for one.
    fn start(&self) {
        let work = &mut *self.work();
        if work.stopping {
            return;
        }
        let now = self.clock.now();
        while let Some(leased) = work.scheduler.start(now) {
            work.started.insert(leased.delivery.id, leased.clone());
            self.world.spawn(self.process, self.clone().attempt(leased, work.stalls));
        }
        let late = work.scheduler.late();
        if !late.is_empty() {
            let server = self.clone();
            self.world.spawn(self.process, async move { server.give_back(&late).await });
        }
    }

    async fn attempt(self, leased: Leased, stalls: u64) {
        let waited = self.clock.now().since(leased.since);
        if waited > START_WITHIN + 4 * SKEW && self.work().stalls == stalls {
            self.truth.broken(format!("{} was leased {waited:?} ago", short(leased.delivery.id)));
        }
        let line = Line {
            world: self.world.clone(),
            faults: self.faults.clone(),
            truth: self.truth.clone(),
            delivery: leased.delivery.id,
            lease: leased.lease,
        };
        let settlement = attempt_claimed(leased, &line, &self.clock, &self.config).await;
        self.land(settlement);
        self.start();
    }

    fn land(&self, settlement: Settlement) {
        let work = &mut *self.work();
        let Settlement { delivery, attempt, asked_until, .. } = &settlement;
        work.scheduler.ended(Ended {
            subscription: delivery.subscription,
            account: delivery.account,
            retry: attempt.as_ref().map_or(delivery.attempts > 0, |attempt| attempt.number > 1),
            arrived: attempt.as_ref().is_some_and(|attempt| attempt.outcome.arrived()),
            took: attempt.as_ref().map(|attempt| attempt.outcome.duration).unwrap_or_default(),
            at: attempt.as_ref().map(Attempt::ended_at),
            asked_until: *asked_until,
            peer: attempt.as_ref().and_then(|attempt| attempt.peer).map(|peer| peer.ip()),
        });
        work.ended.push(settlement);
        self.landed.ring();
        self.room.ring();
    }

    fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
