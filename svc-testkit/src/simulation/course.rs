//! The course of a world: trouble, then calm.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, TypedId};
use svc_webhooks::delivery::AttemptConfig;
use svc_webhooks::retry::RetrySchedule;

use super::faults::Faults;
use super::people::{self, Caller};
use super::server::Server;
use super::storage::UnreliableStorage;
use super::truth::{Moment, Truth};
use super::turns::Turns;
use super::world::{OUTSIDE, Process, Runtime, World};
use super::{Figures, Made, Store, ending};
use crate::webhooks::sample::scope;

/// When every simulation begins: 2025-01-31T09:15:00Z.
const START: Timestamp = Timestamp::from_unix_seconds(1_738_314_900);
/// How many servers there are.
const SERVERS: usize = 3;
/// How long things go wrong.
const TROUBLE: Duration = Duration::from_secs(75);
/// How long everything may take to end after that: the schedule, and the attempts at a dead receiver, each
/// of which takes 10 s and of which each server makes one at a time.
const CALM: Duration = Duration::from_mins(40);
/// The waits between attempts: those of the specification, at another policy.
const SCHEDULE: RetrySchedule = RetrySchedule::of(&[
    Duration::from_secs(5),
    Duration::from_secs(10),
    Duration::from_secs(20),
    Duration::from_secs(40),
    Duration::from_mins(1),
]);
/// The longest that a server stalls: twice what a lease holds.
const LONGEST_STALL: Duration = Duration::from_mins(1);

/// One world.
pub(super) struct Simulation {
    world: World,
    runtime: Runtime,
    faults: Faults,
    truth: Truth,
    store: Store,
    turns: Option<Turns>,
    config: Arc<AttemptConfig>,
    companies: [AccountId; 2],
    servers: Vec<Server>,
    /// Each caller that waits for an answer holds a clone of it.
    asking: Arc<()>,
}

impl Simulation {
    /// A world over the store that `made` makes for these companies.
    pub(super) fn new(seed: u64, made: &dyn Fn([AccountId; 2]) -> Made, written: bool) -> Self {
        let world = World::new(seed, START);
        let companies = [(); 2].map(|()| AccountId::generate(START, world.random()));
        let Made { store, committed, takes_turns } = made(companies);
        let address = "https://svc.example/webhooks".to_owned();
        let mut simulation = Self {
            runtime: Runtime::new(world.clone()),
            faults: Faults::new(world.clone()),
            truth: Truth::new(world.clone(), committed, written),
            store,
            turns: takes_turns.then(|| Turns::new(world.clone())),
            config: Arc::new(AttemptConfig::new(Duration::from_secs(10), SCHEDULE, address)),
            companies,
            servers: Vec::new(),
            asking: Arc::default(),
            world,
        };
        simulation.servers = (0..SERVERS).map(|process| simulation.server(process)).collect();
        simulation
    }

    fn server(&self, process: Process) -> Server {
        let storage = UnreliableStorage {
            server: process,
            inner: Arc::clone(&self.store),
            faults: self.faults.clone(),
            truth: self.truth.clone(),
            turns: self.turns.clone(),
            looked: Mutex::new(Moment::default()),
        };
        Server::new(process, &self.world, storage, &self.config)
    }

    /// Lives it: `Err` is the rule that was broken.
    pub(super) fn live(&mut self) -> Result<(), String> {
        for (number, account) in (0_usize..).zip(self.companies.into_iter().cycle().take(4)) {
            let caller = self.caller(number % SERVERS, account);
            self.world.spawn(OUTSIDE, async move {
                let _ = caller.subscribe(&scope([account])).await;
            });
        }
        self.until(START.plus(Duration::from_secs(10)), |_| false)?;
        self.servers.iter().for_each(Server::boot);
        self.faults.switch(true);
        self.trouble()?;
        self.faults.switch(false);
        self.truth.tell(|| "nothing goes wrong any more".to_owned());
        // What crashed is up again; those that lived through all of it go on.
        let stopped: Vec<_> =
            self.servers.iter().filter(|server| server.is_stopping()).map(|server| server.process).collect();
        for process in stopped {
            self.restart(process);
        }
        let deadline = self.world.now().plus(CALM);
        if !self.until(deadline, Self::is_quiet)? {
            return Err(self.unfinished());
        }
        ending::check(&self.truth)
    }

    /// People ask, and everything goes wrong.
    fn trouble(&mut self) -> Result<(), String> {
        let end = self.world.now().plus(TROUBLE);
        let mut next = self.world.now();
        while self.world.now() < end {
            if self.world.now() >= next {
                next = self.world.now().plus(people::pause(&self.world));
                self.a_client_asks();
                self.world.spawn(OUTSIDE, self.world.sleep(next.since(self.world.now())));
            }
            self.step()?;
            self.misfortune();
        }
        Ok(())
    }

    /// Steps until `done`, or until an instant; answers whether it was done.
    fn until(&mut self, instant: Timestamp, done: impl Fn(&Self) -> bool) -> Result<bool, String> {
        // Even a world in which nothing happens comes to its end.
        self.world.spawn(OUTSIDE, self.world.sleep(instant.since(self.world.now())));
        while self.world.now() < instant {
            if done(self) {
                return Ok(true);
            }
            self.step()?;
        }
        Ok(false)
    }

    fn step(&mut self) -> Result<(), String> {
        self.runtime.step();
        self.truth.violation().map_or(Ok(()), Err)
    }

    fn caller(&self, process: Process, account: AccountId) -> Caller {
        let server = self.servers.get(process).expect("a server").clone();
        let (world, truth) = (self.world.clone(), self.truth.clone());
        Caller { world, truth, server, account, _asking: Arc::clone(&self.asking) }
    }

    fn a_client_asks(&self) {
        let process = self.any_server();
        let chosen = usize::try_from(self.world.below(2)).unwrap_or_default();
        let account = *self.companies.get(chosen).expect("a company");
        self.world.spawn(process, self.caller(process, account).ask());
    }

    fn any_server(&self) -> Process {
        usize::try_from(self.world.below(SERVERS as u64)).unwrap_or_default()
    }

    /// Crashes, stalls, jumps of clocks and stops.
    fn misfortune(&mut self) {
        let process = self.any_server();
        if self.faults.once_in(500, "server: crash") {
            self.truth.tell(|| format!("server {process} crashes"));
            self.restart(process);
        } else if self.faults.once_in(500, "server: stall") && !self.runtime.is_stalled(process) {
            let time = self.world.between(Duration::from_secs(1), LONGEST_STALL);
            self.truth.tell(|| format!("server {process} stalls for {time:?}"));
            self.runtime.stall(process, time);
            self.servers.iter().filter(|server| server.process == process).for_each(Server::was_stalled);
        } else if self.faults.once_in(300, "clock: jump") {
            self.truth.tell(|| format!("the clock of server {process} jumps"));
            self.servers.iter().filter(|server| server.process == process).for_each(|one| one.clock.jump());
        } else if self.faults.once_in(1_500, "server: stop") {
            let server = self.servers.get(process).expect("a server").clone();
            self.world.spawn(process, server.stop());
        }
    }

    /// A new server in the place of one that is gone.
    fn restart(&mut self, process: Process) {
        self.runtime.crash(process);
        let server = self.server(process);
        server.boot();
        if let Some(place) = self.servers.get_mut(process) {
            *place = server;
        }
    }

    fn is_quiet(&self) -> bool {
        let nobody_asks = Arc::strong_count(&self.asking) == 1;
        nobody_asks && self.servers.iter().all(Server::is_idle) && self.truth.committed.is_drained()
    }

    fn unfinished(&self) -> String {
        let waiting = self.truth.committed.waiting();
        let held = self.servers.iter().filter(|server| !server.is_idle()).count();
        format!(
            "after {CALM:?} without faults {waiting} events wait, {held} servers hold something, or deliveries wait"
        )
    }

    pub(super) fn transcript(&self) -> Vec<String> {
        self.truth.transcript()
    }

    pub(super) fn figures(&self) -> Figures {
        let known = self.truth.known();
        let acknowledged = known.events.values().filter(|told| told.acknowledged);
        Figures {
            steps: self.runtime.steps,
            events: acknowledged.count() as u64,
            deliveries: known.deliveries.len() as u64,
            requests: known.requests,
            stale: known.stale,
            faults: self.faults.counts(),
            digest: self.runtime.digest,
        }
    }
}
